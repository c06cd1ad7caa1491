// SPDX-License-Identifier: Apache-2.0
#define _GNU_SOURCE
#include "CProgramHost.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

int glimpse_ring_make(size_t size, int *descriptor, void **address) {
    int file = memfd_create("glimpse-frames", MFD_CLOEXEC | MFD_ALLOW_SEALING);
    if (file < 0) return errno;
    void *memory = MAP_FAILED;
    if (ftruncate(file, (off_t)size) == 0) memory = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    // The mapping above stays writable.
    if (memory != MAP_FAILED && fcntl(file, F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_FUTURE_WRITE | F_SEAL_SEAL) == 0) {
        *descriptor = file;
        *address = memory;
        return 0;
    }
    int error = errno;
    if (memory != MAP_FAILED) munmap(memory, size);
    close(file);
    return error;
}
