// SPDX-License-Identifier: Apache-2.0
/* publisher PROTOCOL ADDRESS RATE BURST SECONDS BYTES: makes RATE lines a second, BURST at a time. As `raw` it writes
   the lines to its standard output.
   As `glimpsed` it is a worker on its standard output. The daemon starts it without arguments, so the environment has
   the numbers. As the workers' zygote it ends at once, and the daemon starts workers without one. If
   $FANOUT_FULL names a file, it fills the journal first and then makes this file. It begins when the file $FANOUT_GO
   exists. */
#include <fcntl.h>

#include "connect.h"
#include "line.h"

enum { MAXIMUM = 4096, FILLING = 60000 };

static size_t put_u32(unsigned char *at, uint32_t value) {
    for (int i = 0; i < 4; i++) at[i] = (unsigned char)(value >> 8 * i);
    return 4;
}

/* One frame of the worker channel (Sources/Events/WorkerChannel): an event of track 1. */
static size_t put_frame(unsigned char *at, unsigned char kind, const char *type, uint64_t frame, size_t size) {
    unsigned char *payload = at + 8, *end = payload;
    *end++ = kind;
    *end++ = 1;
    for (int i = 1; i < 8; i++) *end++ = 0;
    for (int i = 0; i < 2; i++) {
        end += put_u32(end, 4);
        memcpy(end, "face", 4);
        end += 4;
    }
    end += put_body((char *)end, size, type, frame);
    size_t length = (size_t)(end - payload);
    memcpy(at, "\x01GL\x03\x01", 5);
    for (int i = 0; i < 3; i++) at[5 + i] = (unsigned char)(length >> 8 * i);
    return 8 + length;
}

/* A worker that gives no heartbeat for ten seconds is killed. */
static void send_heartbeat(uint64_t frames) {
    unsigned char frame[25] = "\x01GL\x03\x02\x11";
    put_u32(frame + 8, (uint32_t)frames);
    write_all(STDOUT_FILENO, frame, sizeof frame);
}

static size_t put_message(unsigned char *at, const char *protocol, uint64_t frame, size_t size) {
    char line[MAXIMUM];
    if (!strcmp(protocol, "glimpsed")) return put_frame(at, 2, "update", frame, size - 1);
    size_t length = put_line(line, size, frame), head = 0;
    if (!strcmp(protocol, "raw")) {
        memcpy(at, line, length);
        return length;
    }
    if (!strcmp(protocol, "redis")) {
        head = (size_t)sprintf((char *)at, "*3\r\n$7\r\nPUBLISH\r\n$1\r\ne\r\n$%zu\r\n", length);
    } else if (!strcmp(protocol, "nats")) {
        head = (size_t)sprintf((char *)at, "PUB e %zu\r\n", length);
    } else {
        size_t rest = length + 3;
        at[head++] = 0x30;
        at[head++] = (unsigned char)(rest % 128 | 128);
        at[head++] = (unsigned char)(rest / 128);
        at[head++] = 0, at[head++] = 1, at[head++] = 'e';
        memcpy(at + head, line, length);
        return head + length;
    }
    memcpy(at + head, line, length);
    memcpy(at + head + length, "\r\n", 2);
    return head + length + 2;
}

/* Sends more lines than the journal keeps, and makes a file. Returns the number of the last frame. */
static uint64_t fill_journal(unsigned char *bytes, size_t size, const char *full) {
    uint64_t frame = 1;
    while (frame < FILLING) {
        size_t used = 0;
        for (int i = 0; i < 10; i++) used += put_message(bytes + used, "glimpsed", ++frame, size);
        write_all(STDOUT_FILENO, bytes, used);
    }
    close(open(full, O_CREAT | O_WRONLY, 0600));
    return frame;
}

int main(int count, char **arguments) {
    const char *words[] = {"glimpsed", "", getenv("FANOUT_RATE"), getenv("FANOUT_BURST"), getenv("FANOUT_SECONDS"), getenv("FANOUT_BYTES")};
    if (count == 2 && !strcmp(arguments[1], "zygote")) return 0;
    if (count == 7) for (int i = 0; i < 6; i++) words[i] = arguments[i + 1];
    for (int i = 0; i < 6; i++)
        if (!words[i]) return fprintf(stderr, "usage: publisher raw|glimpsed|redis|nats|mqtt ADDRESS RATE BURST SECONDS BYTES\n"), 64;
    const char *protocol = words[0], *go = getenv("FANOUT_GO");
    int64_t rate = atoll(words[2]), burst = atoll(words[3]), seconds = atoll(words[4]);
    size_t size = (size_t)atoll(words[5]);
    static unsigned char bytes[64 * MAXIMUM];
    int fd = STDOUT_FILENO, is_worker = !strcmp(protocol, "glimpsed");
    if (!is_worker && strcmp(protocol, "raw") && (fd = connect_to(words[1])) < 0) return perror(words[1]), 69;
    if (!strcmp(protocol, "nats")) write_all(fd, "CONNECT {\"verbose\":false}\r\n", 27);
    if (!strcmp(protocol, "mqtt")) mqtt_connect(fd, 0);
    uint64_t frame = 1;
    if (is_worker) {
        const char *full = getenv("FANOUT_FULL");
        write_all(fd, bytes, put_frame(bytes, 1, "detected", 1, size));
        if (full) frame = fill_journal(bytes, size, full);
        for (int i = 0; go && access(go, F_OK); i++, usleep(20000))
            if (i % 50 == 0) send_heartbeat(frame);
    }
    struct timespec next;
    clock_gettime(CLOCK_MONOTONIC, &next);
    for (int64_t turn = 0; turn < rate * seconds / burst; turn++) {
        size_t used = 0;
        for (int64_t i = 0; i < burst; i++) used += put_message(bytes + used, protocol, ++frame, size);
        write_all(fd, bytes, used);
        if (is_worker && turn % (rate / burst) == 0) send_heartbeat(frame);
        wait_for_turn(&next, 1000000000LL * burst / rate);
    }
    while (is_worker) {
        send_heartbeat(frame);
        sleep(1);
    }
    return 0;
}
