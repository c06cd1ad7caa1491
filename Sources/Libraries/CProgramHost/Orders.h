// SPDX-License-Identifier: Apache-2.0
#ifndef ORDERS_H
#define ORDERS_H

// The packets between this process and the host, one each way.

enum { ORDER_RUN = 1, ORDER_END = 2 };

struct order {
    int kind;
    // Before the program is killed.
    int milliseconds;
};

struct answer {
    // 0 or an errno.
    int error;
    // After ORDER_END, as waitpid(2) gives it.
    int status;
    // The step that failed.
    char message[248];
};

void host_serve(int channel, const struct glimpse_program *program) __attribute__((noreturn));

#endif
