// SPDX-License-Identifier: Apache-2.0
#ifndef GLIMPSE_SPAWN_H
#define GLIMPSE_SPAWN_H

#include "CProcess.h"

enum { GLIMPSE_CHILD_DESCRIPTORS = GLIMPSE_VIEWER_DESCRIPTOR + 1 };

// Opens both ends of a child's descriptors: ours, and those that it inherits as 0, 1, 2 and 3. Returns 0, or an errno
// with nothing left open.
int glimpse_open_child(struct glimpse_child *child, int inherited[GLIMPSE_CHILD_DESCRIPTORS]);

// Closes what the child has inherited, and after an error our ends too. Returns `error`.
int glimpse_settle_child(int error, struct glimpse_child *child, const int inherited[GLIMPSE_CHILD_DESCRIPTORS]);

// Starts a program that inherits `count` descriptors as 0, 1, and so on. See `glimpse_spawn`.
int glimpse_spawn_with(const char *path, char *const arguments[], const int *inherited, int count, pid_t *pid);

#endif
