// SPDX-License-Identifier: Apache-2.0
#ifndef CSANDBOX_H
#define CSANDBOX_H

#include <stddef.h>
#include <stdint.h>

// Rights that a process gives up for good by Landlock (landlock(7)) and seccomp filters (seccomp(2)). They hold for all
// threads and processes that it starts afterwards. The calling thread must be the only one.

// Landlock's version of the running kernel; 0 where it has none or it is switched off.
int glimpse_landlock_version(void);

// Whether the running kernel takes seccomp filters and this file knows the processor's system calls (x86_64, aarch64).
int glimpse_has_seccomp(void);

// The rights on a path and, if it is a folder, on all below it.
enum {
    GLIMPSE_READ = 1,
    // Reading, writing, making, renaming within a folder, removing.
    GLIMPSE_WRITE = 2,
    // Reading, writing and ioctl; nothing is made.
    GLIMPSE_DEVICE = 4,
    // Reading, and becoming one of the programs.
    GLIMPSE_PROGRAM = 8,
};

struct glimpse_path_rule {
    const char *path;
    uint32_t access;
};

// Allows what the rules say and nothing else of the file system, programs included. A path that is not
// there is passed over. From version 6 on, no signal reaches a process outside either. Returns 0, or an errno with its
// step in `message`.
int glimpse_restrict_files(const struct glimpse_path_rule *rules, size_t count, char *message, size_t capacity);

enum {
    GLIMPSE_NO_SOCKETS = 0,
    // TCP and UDP, and what finding addresses takes.
    GLIMPSE_INTERNET = 1,
    // And sockets of this machine.
    GLIMPSE_ANY_SOCKET = 2,
};

// Has the kernel refuse, with EPERM, system calls that no worker needs, new processes, and sockets but those of the
// given kind. The process may replace itself by a program (execve) if `may_become` is not 0. Returns 0, or an errno
// with its step in `message`.
int glimpse_restrict_calls(int sockets, int may_become, char *message, size_t capacity);

// Whether a process of one thread may go on: 0, or EBUSY with the number of threads in `message`, or an errno of
// prctl(2). Programs that are started gain no rights from here on.
int glimpse_forbid_new_privileges(char *message, size_t capacity);

#endif
