// SPDX-License-Identifier: Apache-2.0
#ifndef CFORBIDDEN_H
#define CFORBIDDEN_H

// Things that a worker must not be able to do, tried one by one with arguments that change nothing where they are
// allowed.

// Folders for the attempts on files.
struct forbidden_places {
    // With a file "secret" in it; not the worker's.
    const char *outside;
    // The worker's own.
    const char *inside;
};

int forbidden_count(void);
const char *forbidden_name(int index);
// Returns 0 when it worked, else the errno.
int forbidden_try(int index, const struct forbidden_places *places);

#endif
