// SPDX-License-Identifier: Apache-2.0
/* hostile KIND ADDRESS SECONDS RATE: a hostile subscriber. Prints one line of JSON: its actions, and the number of
   refusals.
     connects     connects and leaves, RATE times a second          flood    connects and stays, RATE times a second
     half         RATE connections with half a line each            long     one line of 1 GB (RATE lines of it)
     binary       random bytes                                      deaf     requests the state repeatedly, never reads
     half-closed  RATE connections that close their side at once and stay
     greets       RATE processes that connect, subscribe, wait for the greeting and leave, again and again
     crowds       RATE processes that make 500 connections with a request each, and close all at once, repeatedly */
#include "connect.h"
#include "line.h"
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <sys/resource.h>

static int64_t end_ns;
static long done, refused, closed;

static int is_over(void) { return wall_ns() >= end_ns; }

static int open_peer(const char *address) {
    int fd = connect_to(address);
    if (fd < 0) refused++;
    else done++;
    return fd;
}

/* Writes as long as the other side takes it. Returns 0 when it hung up. */
static int push(int fd, const void *bytes, size_t count) {
    ssize_t n = send(fd, bytes, count, MSG_NOSIGNAL | MSG_DONTWAIT);
    if (n < 0 && errno == EAGAIN) {
        struct pollfd wait = {.fd = fd, .events = POLLOUT};
        poll(&wait, 1, 100);
        return 1;
    }
    return n >= 0;
}

static void connects(const char *address, long rate, int stay) {
    struct timespec next;
    clock_gettime(CLOCK_MONOTONIC, &next);
    while (!is_over()) {
        for (int i = 0; i < 100; i++) {
            int fd = open_peer(address);
            if (fd >= 0 && !stay) close(fd);
        }
        wait_for_turn(&next, 100000000000LL / rate);
    }
}

static void stay_with(const char *address, long count, const char *words, int close_writing) {
    int *fds = calloc((size_t)count, sizeof *fds);
    for (long i = 0; i < count; i++) {
        fds[i] = open_peer(address);
        if (fds[i] >= 0) push(fds[i], words, strlen(words));
        if (fds[i] >= 0 && close_writing) shutdown(fds[i], SHUT_WR);
    }
    while (!is_over()) usleep(100000);
    for (long i = 0; i < count; i++) {
        struct pollfd peer = {.fd = fds[i], .events = 0};
        if (poll(&peer, 1, 0) > 0 && peer.revents & POLLHUP) closed++;
    }
}

static void talk(const char *address, const char *kind) {
    static char block[1 << 20];
    int is_binary = !strcmp(kind, "binary"), is_deaf = !strcmp(kind, "deaf");
    memset(block, 'a', sizeof block);
    while (!is_over()) {
        int fd = open_peer(address);
        size_t sent = 0;
        while (fd >= 0 && !is_over() && sent < (1u << 30)) {
            if (is_binary) for (size_t i = 0; i < sizeof block; i += 4) *(int *)(block + i) = (int)random();
            const char *state = "{\"state\":true}\n";
            if (!push(fd, is_deaf ? state : block, is_deaf ? strlen(state) : sizeof block)) {
                closed++;
                break;
            }
            sent += is_deaf ? 0 : sizeof block;
        }
        if (fd >= 0) close(fd);
        usleep(1000);
    }
}

static void greet(const char *address, int crowd) {
    static const char request[] = "{\"subscribe\":{\"value_regex\":\"a.*b\"},\"state\":true}\n";
    int fds[500];
    while (!is_over()) {
        for (int i = 0; i < crowd; i++) {
            fds[i] = open_peer(address);
            if (fds[i] >= 0) push(fds[i], request, sizeof request - 1);
        }
        char byte;
        for (int i = 0; i < crowd; i++) {
            if (fds[i] < 0) continue;
            if (crowd == 1 && read(fds[i], &byte, 1) <= 0) closed++;
            close(fds[i]);
        }
    }
}

int main(int count, char **arguments) {
    if (count != 5) return fprintf(stderr, "usage: hostile KIND ADDRESS SECONDS RATE\n"), 64;
    struct rlimit many = {65536, 65536};
    setrlimit(RLIMIT_NOFILE, &many);
    const char *kind = arguments[1], *address = arguments[2];
    end_ns = wall_ns() + atoll(arguments[3]) * 1000000000LL;
    long rate = atol(arguments[4]);
    if (!strcmp(kind, "connects") || !strcmp(kind, "flood")) connects(address, rate, *kind == 'f');
    else if (!strcmp(kind, "half")) stay_with(address, rate, "{\"subscribe\":{\"types\":[\"det", 0);
    else if (!strcmp(kind, "half-closed")) stay_with(address, rate, "", 1);
    else if (!strcmp(kind, "greets") || !strcmp(kind, "crowds")) {
        for (long i = 1; i < rate && fork(); i++);
        greet(address, *kind == 'g' ? 1 : 500);
    } else talk(address, kind);
    printf("{\"connections\":%ld,\"refused\":%ld,\"closed\":%ld}\n", done, refused, closed);
    return 0;
}
