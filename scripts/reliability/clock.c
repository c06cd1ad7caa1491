// SPDX-License-Identifier: Apache-2.0
// Sets the wall clock of one program and its children forward and back.
//
//   cc -O2 -fPIC -shared -o clock.so clock.c
//
// Set LD_PRELOAD=clock.so and CLOCK_OFFSET=FILE in the environment. The file has one int64, which is added to the wall
// clock in nanoseconds. It is mapped at the start, so that it also reaches processes in a sandbox. The kernel knows
// nothing of it, so sem_timedwait gets the kernel's own time.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <semaphore.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

#define SECOND 1000000000LL

static int64_t none;
static volatile const int64_t *offset = &none;
static int (*read_clock)(clockid_t, struct timespec *);

__attribute__((constructor)) static void map(void) {
    *(void **)&read_clock = dlsym(RTLD_NEXT, "clock_gettime");
    const char *path = getenv("CLOCK_OFFSET");
    int file = path ? open(path, O_RDONLY | O_CLOEXEC) : -1;
    if (file < 0) return;
    void *memory = mmap(NULL, sizeof *offset, PROT_READ, MAP_SHARED, file, 0);
    close(file);
    if (memory != MAP_FAILED) offset = memory;
}

static void move(struct timespec *time, int64_t by) {
    int64_t sum = time->tv_sec * SECOND + time->tv_nsec + by;
    time->tv_sec = sum / SECOND;
    time->tv_nsec = sum % SECOND;
}

int clock_gettime(clockid_t clock, struct timespec *time) {
    // Other libraries may ask before they are ready.
    int result = read_clock ? read_clock(clock, time) : (int)syscall(SYS_clock_gettime, clock, time);
    if (result == 0 && (clock == CLOCK_REALTIME || clock == CLOCK_REALTIME_COARSE)) move(time, *offset);
    return result;
}

int gettimeofday(struct timeval *restrict time, void *restrict zone) {
    (void)zone;
    struct timespec now;
    int result = clock_gettime(CLOCK_REALTIME, &now);
    time->tv_sec = now.tv_sec;
    time->tv_usec = now.tv_nsec / 1000;
    return result;
}

time_t time(time_t *place) {
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    if (place) *place = now.tv_sec;
    return now.tv_sec;
}

int sem_timedwait(sem_t *restrict semaphore, const struct timespec *restrict deadline) {
    struct timespec real = *deadline;
    move(&real, -*offset);
    return sem_clockwait(semaphore, CLOCK_REALTIME, &real);
}
