// SPDX-License-Identifier: Apache-2.0
#ifndef CPROGRAMHOST_H
#define CPROGRAMHOST_H

#include <CSandbox.h>
#include <stddef.h>
#include <sys/types.h>

// A process beside this one that starts a program in a sandbox, again and again. This process may then give up the
// right to start programs itself.

struct glimpse_program {
    // Null-terminated; the first is the program, which is looked up in PATH unless it has a slash.
    char *const *arguments;
    // "NAME=value", null-terminated. TMPDIR and HOME are added.
    char *const *environment;
    const struct glimpse_path_rule *rules;
    size_t rule_count;
    int sockets;
};

// Starts the host. All of `program` is read in the host's copy of this process: it may be freed. Returns 0, or an
// errno.
int glimpse_host_start(const struct glimpse_program *program, int *channel, pid_t *host);

// Closes the channel: the host kills its program, and ends. Returns when it has.
void glimpse_host_stop(int channel, pid_t host);

// Starts the program with descriptors 0 (input), 1 (output), 3 (ring), a temporary folder as its working directory, and
// this process's standard error. Returns 0, or an errno with its step in `message`. One program runs at a time.
int glimpse_host_run(int channel, int input, int output, int ring, char *message, size_t capacity);

// Kills the program, if it still runs, and removes its folder. Returns 0 with the status as waitpid(2) gives it, or an
// errno. ECHILD: none was started. The program first has so many milliseconds to end by itself, at most 5000.
int glimpse_host_end(int channel, int milliseconds, int *status);

// The ends of a program's standard input and output, all closed on exec. The input is a socket, because a socket that
// nobody reads raises no signal; the output is a pipe. Returns 0, or an errno.
struct glimpse_pipes {
    int to_program;
    int from_program;
    int input;
    int output;
};
int glimpse_pipes_make(struct glimpse_pipes *pipes);

// Memory of `size` bytes that this process alone may write: another process can only map the descriptor for reading,
// and nobody can change its size. Returns 0, or an errno.
int glimpse_ring_make(size_t size, int *descriptor, void **address);

// The exit code of a status, -1 if a signal ended the process; and that signal, or 0.
int glimpse_exit_code(int status);
int glimpse_exit_signal(int status);

#endif
