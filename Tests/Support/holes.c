// SPDX-License-Identifier: Apache-2.0
// For LD_PRELOAD: a process begins with 24 MiB of holes in its heap, and its minutes last 0.6 seconds.
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { count = 384, size = 64 << 10 };

__attribute__((constructor)) static void dig(void) {
    static void *blocks[count], *pins[count];
    for (int index = 0; index < count; index++) {
        blocks[index] = malloc(size);
        memset(blocks[index], 1, size);
        // Otherwise the free blocks would be one, and the heap's top.
        pins[index] = malloc(2 << 10);
    }
    for (int index = 0; index < count; index++) free(blocks[index]);
}

// The clock of the heartbeats, a hundred times as fast: the test need not wait for a minute.
int usleep(unsigned microseconds) {
    const struct timespec time = {microseconds / 100000000, microseconds % 100000000 * 10};
    return nanosleep(&time, NULL);
}
