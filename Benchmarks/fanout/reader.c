// SPDX-License-Identifier: Apache-2.0
/* reader PROTOCOL ADDRESS CONNECTIONS: a subscribing process. It prints `ready` when all connections are subscribed. At
   SIGTERM it prints one line of JSON: deliveries, bytes, and latencies (start of a bucket in microseconds: count).
   `checked` adds the result of a check of each connection's sequence numbers. */
#include "connect.h"
#include "line.h"
#include <errno.h>
#include <signal.h>
#include <sys/epoll.h>

enum { BUFFER = 1 << 18, CARRY = 1 << 16, SUB = 16, BUCKETS = 36 * SUB };

struct peer {
    int fd;
    size_t carried;
    char carry[CARRY];
    uint64_t first, last, lines, coalesced, lost, faults;
};

static uint64_t deliveries, bytes, buckets[BUCKETS];
static volatile sig_atomic_t stopping;

static void stop(int signal_number) { (void)signal_number, stopping = 1; }

/* Microseconds under 32 have a bucket each, then each power of two has sixteen. */
static void count_latency(int64_t ns) {
    uint64_t us = ns < 0 ? 0 : (uint64_t)ns / 1000;
    int shift = us < 2 * SUB ? 0 : 59 - __builtin_clzll(us);
    int index = shift == 0 ? (int)us : (shift + 1) * SUB + (int)(us >> shift) - SUB;
    buckets[index < BUCKETS ? index : BUCKETS - 1]++;
}

static unsigned long long bucket_start(int index) {
    int shift = index < 2 * SUB ? 0 : index / SUB - 1;
    return shift == 0 ? (unsigned long long)index : (unsigned long long)(index % SUB + SUB) << shift;
}

static uint64_t number_after(const char *line, size_t length, const char *key) {
    const char *at = memmem(line, length, key, strlen(key));
    return at ? strtoull(at + strlen(key), NULL, 10) : 0;
}

/* Nothing may be missing that no line accounts for. */
static void check_sequence(struct peer *peer, const char *line, size_t length) {
    if (memmem(line, length, "\"type\":\"gap\"", 12)) {
        uint64_t from = number_after(line, length, "\"from\":");
        if (peer->last && from <= peer->last) peer->faults++;
        const char *lost = memmem(line, length, "\"lost\":{", 8);
        for (const char *at = lost; at && *at != '}' && at < line + length; at++)
            if (*at == ':') peer->lost += strtoull(at + 1, NULL, 10);
        return;
    }
    uint64_t seq = number_after(line, length, "\"seq\":");
    if (!seq || !memmem(line, length, "\"run_id\":", 9) || memmem(line, length, "\"type\":\"hello\"", 14)) return;
    if (!peer->first) peer->first = seq;
    if (peer->last && seq <= peer->last) peer->faults++;
    peer->last = seq;
    peer->lines++;
    peer->coalesced += number_after(line, length, "\"coalesced\":");
}

static void take(struct peer *peer, const char *at, size_t length, int64_t now, int is_checked) {
    const char *end = at + length;
    while (at < end) {
        const char *newline = memchr(at, '\n', (size_t)(end - at));
        if (!newline) break;
        const char *stamp = memmem(at, (size_t)(newline - at), TIME_KEY, sizeof TIME_KEY - 1);
        if (is_checked) check_sequence(peer, at, (size_t)(newline - at) + 1);
        if (stamp && memmem(at, (size_t)(newline - at), "\"update\"", 8)) {
            deliveries++;
            bytes += (uint64_t)(newline - at) + 1;
            count_latency(now % 86400000000000LL - time_of_day_ns(stamp + sizeof TIME_KEY - 1));
        }
        at = newline + 1;
    }
    peer->carried = (size_t)(end - at);
    if (peer->carried > CARRY) {
        fprintf(stderr, "a line of more than %d bytes\n", CARRY);
        exit(1);
    }
    memmove(peer->carry, at, peer->carried);
}

static void subscribe(int fd, const char *protocol, int number) {
    char answer[4096];
    if (!strcmp(protocol, "redis")) {
        write_all(fd, "SUBSCRIBE e\r\n", 13);
        if (read(fd, answer, sizeof answer) <= 0) exit(1);
    } else if (!strcmp(protocol, "nats")) {
        if (read(fd, answer, sizeof answer) <= 0) exit(1);
        static const char text[] = "CONNECT {\"verbose\":false}\r\nSUB e 1\r\nPING\r\n";
        write_all(fd, text, sizeof text - 1);
        if (read(fd, answer, sizeof answer) <= 0) exit(1);
    } else if (!strcmp(protocol, "mqtt")) {
        mqtt_connect(fd, number);
        static const unsigned char packet[] = {0x82, 6, 0, 1, 0, 1, 'e', 0};
        write_all(fd, packet, sizeof packet);
        if (recv(fd, answer, 5, MSG_WAITALL) != 5) exit(1);
    } else if (strcmp(protocol, "raw")) {
        write_all(fd, "{\"subscribe\":{}}\n", 17);
    }
}

int main(int count, char **arguments) {
    if (count != 4) return fprintf(stderr, "usage: reader raw|glimpsed|checked|redis|nats|mqtt ADDRESS CONNECTIONS\n"), 64;
    const char *protocol = arguments[1];
    int connections = atoi(arguments[3]), is_checked = !strcmp(protocol, "checked");
    struct peer *peers = calloc((size_t)connections, sizeof *peers);
    static char buffer[CARRY + BUFFER];
    int poll = epoll_create1(0);
    for (int i = 0; i < connections; i++) {
        peers[i].fd = connect_to(arguments[2]);
        if (peers[i].fd < 0) return perror(arguments[2]), 69;
        subscribe(peers[i].fd, protocol, i);
        struct epoll_event interest = {.events = EPOLLIN, .data.ptr = &peers[i]};
        epoll_ctl(poll, EPOLL_CTL_ADD, peers[i].fd, &interest);
    }
    struct sigaction action = {.sa_handler = stop};
    sigaction(SIGTERM, &action, NULL);
    puts("ready");
    fflush(stdout);
    int open = connections;
    while (!stopping && open > 0) {
        struct epoll_event ready[64];
        int n = epoll_wait(poll, ready, 64, -1);
        for (int i = 0; i < n; i++) {
            struct peer *peer = ready[i].data.ptr;
            memcpy(buffer, peer->carry, peer->carried);
            ssize_t got = read(peer->fd, buffer + peer->carried, BUFFER);
            if (got < 0 && errno == EINTR) continue;
            if (got <= 0) {
                close(peer->fd);
                open--;
                continue;
            }
            take(peer, buffer, peer->carried + (size_t)got, wall_ns(), is_checked);
        }
    }
    printf("{\"deliveries\":%llu,\"bytes\":%llu,\"closed\":%d,\"latency\":{", (unsigned long long)deliveries, (unsigned long long)bytes, connections - open);
    const char *comma = "";
    for (int i = 0; i < BUCKETS; i++) {
        if (!buckets[i]) continue;
        printf("%s\"%llu\":%llu", comma, bucket_start(i), (unsigned long long)buckets[i]);
        comma = ",";
    }
    printf("},\"peers\":[");
    for (int i = 0; is_checked && i < connections; i++)
        printf("%s{\"first\":%llu,\"last\":%llu,\"lines\":%llu,\"coalesced\":%llu,\"lost\":%llu,\"faults\":%llu}", i ? "," : "",
               (unsigned long long)peers[i].first, (unsigned long long)peers[i].last, (unsigned long long)peers[i].lines,
               (unsigned long long)peers[i].coalesced, (unsigned long long)peers[i].lost, (unsigned long long)peers[i].faults);
    puts("]}");
    return 0;
}
