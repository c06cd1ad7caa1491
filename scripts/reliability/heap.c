// SPDX-License-Identifier: Apache-2.0
// Counts the malloc blocks of a process, exactly and from its first allocation on.
//
//   cc -O2 -fPIC -shared -o heap.so heap.c
//
// Set LD_PRELOAD=heap.so and HEAP_COUNT=PREFIX in the environment. The file PREFIX.PID has two int64: blocks, and bytes
// as malloc rounds them. The file stays after the end of the process. glibc's own functions are reachable under their
// internal names.
#include <errno.h>
#include <fcntl.h>
#include <malloc.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

extern void *__libc_malloc(size_t);
extern void *__libc_calloc(size_t, size_t);
extern void *__libc_realloc(void *, size_t);
extern void *__libc_memalign(size_t, size_t);
extern void __libc_free(void *);

struct counts {
    _Atomic int64_t blocks, bytes;
};

// Waits until the file exists.
static struct counts early;
static struct counts *counts = &early;

static void *taken(void *block) {
    if (!block) return NULL;
    atomic_fetch_add_explicit(&counts->blocks, 1, memory_order_relaxed);
    atomic_fetch_add_explicit(&counts->bytes, (int64_t)malloc_usable_size(block), memory_order_relaxed);
    return block;
}

static void given(void *block) {
    if (!block) return;
    atomic_fetch_sub_explicit(&counts->blocks, 1, memory_order_relaxed);
    atomic_fetch_sub_explicit(&counts->bytes, (int64_t)malloc_usable_size(block), memory_order_relaxed);
}

void *malloc(size_t size) { return taken(__libc_malloc(size)); }
void *calloc(size_t number, size_t size) { return taken(__libc_calloc(number, size)); }
void *memalign(size_t alignment, size_t size) { return taken(__libc_memalign(alignment, size)); }
void *aligned_alloc(size_t alignment, size_t size) { return taken(__libc_memalign(alignment, size)); }

int posix_memalign(void **block, size_t alignment, size_t size) {
    void *new = taken(__libc_memalign(alignment, size));
    if (!new) return ENOMEM;
    *block = new;
    return 0;
}

void *realloc(void *block, size_t size) {
    if (!block) return malloc(size);
    given(block);
    void *new = __libc_realloc(block, size);
    // A block that could not grow still exists. A block of no bytes does not.
    taken(new || !size ? new : block);
    return new;
}

void free(void *block) {
    given(block);
    __libc_free(block);
}

__attribute__((constructor)) static void begin(void) {
    const char *prefix = getenv("HEAP_COUNT");
    char path[4096];
    if (!prefix || snprintf(path, sizeof path, "%s.%d", prefix, getpid()) >= (int)sizeof path) return;
    int file = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
    if (file < 0) return;
    struct counts *shared = MAP_FAILED;
    if (ftruncate(file, sizeof *shared) == 0)
        shared = mmap(NULL, sizeof *shared, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    close(file);
    if (shared == MAP_FAILED) return;
    shared->blocks = early.blocks;
    shared->bytes = early.bytes;
    counts = shared;
}
