// SPDX-License-Identifier: Apache-2.0
#ifndef CPROCESS_H
#define CPROCESS_H

#include <sys/types.h>

#include <stddef.h>

// Calls that Swift's Glibc module leaves out (it is built without _GNU_SOURCE) or cannot call (variadic functions).

// The descriptor at which a child receives descriptors of viewers.
enum { GLIMPSE_VIEWER_DESCRIPTOR = 3 };

// A child whose standard input, output and error are pipes, with a socket at GLIMPSE_VIEWER_DESCRIPTOR.
struct glimpse_child {
    pid_t pid;
    // Our ends, closed on exec; the caller closes them.
    int input;
    int output;
    int errors;
    // Takes descriptors of viewers (SOCK_SEQPACKET), without blocking.
    int viewers;
};

// Starts `path` with `arguments` (null-terminated, the program's name first) in a process group of its own, with
// default signal handling. It inherits our environment without what systemd meant for us alone, and no other
// descriptor. Returns 0, or an errno with nothing left open.
int glimpse_spawn(const char *path, char *const arguments[], struct glimpse_child *child);

// A process that has loaded a program's libraries, and copies itself for each child. The copies share the memory that
// the libraries have written, until one of them writes there again.
struct glimpse_zygote {
    pid_t pid;
    // SOCK_SEQPACKET, closed on exec.
    int socket;
};

// Starts a zygote: a program that calls `glimpse_serve_as_zygote`. It writes to our standard error. Returns 0, or an
// errno with nothing left open.
int glimpse_spawn_zygote(const char *path, char *const arguments[], struct glimpse_zygote *zygote);

// Whether a zygote has loaded its libraries: 0 not yet, 1 now, -1 it is gone. It says so once.
int glimpse_zygote_state(const struct glimpse_zygote *zygote);

// Makes a copy of a zygote that is ready. The copy is a child of this process, as if `glimpse_spawn` had started it.
// Waits for the copy, usually for a millisecond and at most for 4 s. Returns 0, or an errno with nothing left open;
// then the zygote is of no more use.
int glimpse_copy_zygote(const struct glimpse_zygote *zygote, struct glimpse_child *child);

// Kills a zygote. Its copies stay.
void glimpse_end_zygote(const struct glimpse_zygote *zygote);

// Makes this process a zygote: it tells its parent that it is ready, and copies itself on request. A copy writes
// `shown` over `argument`, one of the program's, as far as it fits: ps(1) shows it. Returns 0 in each copy, and an
// errno in the zygote. EBUSY: it has a second thread or open files. ESRCH: the parent is gone.
int glimpse_serve_as_zygote(char *argument, const char *shown);

// Sends a message of `count` bytes with a duplicate of `descriptor` over a Unix socket, without blocking. Returns 0, or
// -1 and sets errno.
int glimpse_send_descriptor(int socket, int descriptor, const void *bytes, size_t count);

// Waits for a message. `*descriptor` is the received one, closed on exec, or -1 without one; the caller closes it.
// Returns the number of bytes, 0 at the end, or -1 and sets errno.
ssize_t glimpse_receive_descriptor(int socket, int *descriptor, void *bytes, size_t capacity);

// Has the kernel kill the calling process when its parent dies, however either of them is doing: for a worker's first
// step. Returns 0, or ESRCH when the parent, `expected_parent`, is gone already.
int glimpse_die_with_parent(pid_t expected_parent);

// Names the calling thread for ps(1) and debuggers; the kernel keeps 15 bytes.
void glimpse_name_thread(const char *name);

// Has malloc give the pages that hold nothing back to the system. By itself it does so only with those above all that
// is in use.
void glimpse_trim_heap(void);

// Takes the pages of code and constants out of the process: those of the program and its libraries, which nobody
// writes. The kernel has them in its cache, and maps a page again at its next use. For the end of a start-up, which
// uses code that nothing needs later.
void glimpse_drop_code_pages(void);

// Asks the scheduler for turns of so many microseconds, at least 100, for the calling thread. A thread that needs
// little at a time then gets the processor sooner, and the threads that it wakes interrupt it less. EEVDF does that
// from Linux 6.12 on; on an older kernel it changes nothing.
//
// Threads and processes that the thread starts have turns of the usual length. Returns 0, or errno: EPERM where the
// system call is filtered.
int glimpse_set_time_slice(unsigned microseconds);

#endif
