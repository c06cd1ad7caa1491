// SPDX-License-Identifier: Apache-2.0
/* The line that every server of the comparison carries: one `update` of one track, padded to the requested size. `time`
   has the wall clock of its making, so that a reader can compute its latency. */
#ifndef FANOUT_LINE_H
#define FANOUT_LINE_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#define TIME_KEY "\"time\":\""

static inline int64_t wall_ns(void) {
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    return now.tv_sec * 1000000000LL + now.tv_nsec;
}

/* Writes RFC 3339 with nine digits: 30 characters, not ended by zero. */
static inline void put_time(char *at, int64_t ns) {
    time_t seconds = ns / 1000000000LL;
    struct tm parts;
    char text[64];
    gmtime_r(&seconds, &parts);
    size_t n = strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%S", &parts);
    snprintf(text + n, sizeof text - n, ".%09lldZ", (long long)(ns % 1000000000LL));
    memcpy(at, text, 30);
}

/* Nanoseconds since midnight: all that a latency needs. -1 for what is none. */
static inline int64_t time_of_day_ns(const char *at) {
    static const int places[] = {11, 12, 14, 15, 17, 18};
    int d[6];
    for (int i = 0; i < 6; i++) {
        d[i] = at[places[i]] - '0';
        if (d[i] < 0 || d[i] > 9) return -1;
    }
    int64_t ns = 0;
    if (at[19] == '.')
        for (int i = 20; i < 29; i++) ns = ns * 10 + (at[i] - '0');
    return ((d[0] * 10 + d[1]) * 3600LL + (d[2] * 10 + d[3]) * 60 + d[4] * 10 + d[5]) * 1000000000LL + ns;
}

/* Writes the members of a track line of kind `type`, from `"type"` to the closing brace, `size` bytes long. Returns the
   number of bytes written. */
static inline size_t put_body(char *at, size_t size, const char *type, uint64_t frame) {
    char now[31] = {0};
    put_time(now, wall_ns());
    int n = snprintf(
        at, 512,
        "\"type\":\"%s\",\"pipeline\":\"fanout\"," TIME_KEY "%s\",\"detector\":\"face\",\"kind\":\"face\",\"frame\":{\"seq\":%llu},"
        "\"track\":{\"id\":\"1\"},\"box\":{\"x\":1,\"y\":2,\"w\":3,\"h\":4},\"pad\":\"",
        type, now, (unsigned long long)frame);
    size_t used = (size_t)n;
    while (used + 2 < size) at[used++] = 'x';
    at[used++] = '"';
    at[used++] = '}';
    return used;
}

/* A whole line for those who get no sequence number from their server: `size` bytes, newline included. */
static inline size_t put_line(char *at, size_t size, uint64_t frame) {
    static const char head[] = "{\"v\":1,";
    memcpy(at, head, sizeof head - 1);
    size_t used = sizeof head - 1 + put_body(at + sizeof head - 1, size - sizeof head, "update", frame);
    at[used++] = '\n';
    return used;
}

/* Sleeps to the next turn of a fixed rate; turns that are late follow at once. */
static inline void wait_for_turn(struct timespec *next, int64_t interval_ns) {
    next->tv_nsec += interval_ns % 1000000000LL;
    next->tv_sec += interval_ns / 1000000000LL + next->tv_nsec / 1000000000LL;
    next->tv_nsec %= 1000000000LL;
    clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, next, NULL);
}

#endif
