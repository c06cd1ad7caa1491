// SPDX-License-Identifier: Apache-2.0
/* Counts codes: prints how often each text was seen, whenever one has left the picture.
 *
 *   cc -O2 -Wall -o code_count code_count.c
 *   ./code_count [SOCKET]
 *
 * Needs C99 and POSIX and nothing else. After a restart of the daemon it connects again and continues after the last
 * event that it counted. It knows only as much JSON as it needs: to find a member of an object. */
#define _POSIX_C_SOURCE 200809L
#include <errno.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

enum { longest_line = 65537, most_codes = 4096, longest_text = 256 };

/* A piece of JSON: a value with its quotes or braces. */
struct piece {
    const char *text;
    size_t length;
};

static const char *end_of_string(const char *at, const char *end) {
    for (++at; at < end && *at != '"'; ++at)
        if (*at == '\\') ++at;
    return at < end ? at + 1 : end;
}

static const char *end_of_value(const char *at, const char *end) {
    int depth = 0;
    while (at < end) {
        if (*at == '"') {
            at = end_of_string(at, end);
            if (depth == 0) return at;
            continue;
        }
        if (*at == '{' || *at == '[') ++depth;
        if (*at == '}' || *at == ']') {
            if (depth == 0) return at;
            if (--depth == 0) return at + 1;
        }
        if (*at == ',' && depth == 0) return at;
        ++at;
    }
    return end;
}

/* The member of an object by its name, which has no escapes; length 0 if the object lacks it. */
static struct piece member(struct piece object, const char *name) {
    const char *at = object.text + 1, *end = object.text + object.length;
    const size_t length = strlen(name);
    while (object.length > 1 && at < end && *at == '"') {
        const char *key = at + 1, *colon = end_of_string(at, end);
        if (colon >= end) break;
        const char *value = colon + 1, *next = end_of_value(value, end);
        if ((size_t)(colon - key) == length + 1 && memcmp(key, name, length) == 0)
            return (struct piece){value, (size_t)(next - value)};
        at = next + 1;
    }
    return (struct piece){"", 0};
}

static bool is(struct piece value, const char *text) {
    const size_t length = strlen(text);
    return value.length == length && memcmp(value.text, text, length) == 0;
}

/* Where to go on from: the run's id, with its quotes, and the number of the last event. */
static char run[128];
static unsigned long long seq;

static struct {
    char text[longest_text];
    unsigned long count;
} codes[most_codes];

static void count(struct piece text) {
    size_t length = text.length < longest_text ? text.length : longest_text - 1;
    for (size_t i = 0; i < most_codes; ++i) {
        if (codes[i].count > 0 && (strlen(codes[i].text) != length || memcmp(codes[i].text, text.text, length) != 0))
            continue;
        memcpy(codes[i].text, text.text, length);
        printf("%lu %.*s\n", ++codes[i].count, (int)length, text.text);
        fflush(stdout);
        return;
    }
    fprintf(stderr, "more than %d codes: this one is not counted\n", most_codes);
}

static void set_run(struct piece id) { snprintf(run, sizeof run, "%.*s", (int)id.length, id.text); }

static void take(struct piece line) {
    static char connected_run[128];
    const struct piece type = member(line, "type"), number = member(line, "seq");
    if (is(type, "\"hello\"")) {
        const struct piece id = member(line, "run_id"), server = member(line, "server");
        fprintf(stderr, "connected to %.*s\n", (int)server.length, server.text);
        snprintf(connected_run, sizeof connected_run, "%.*s", (int)id.length, id.text);
        if (run[0] == 0) { /* Until the first event comes, this is the place to go on from. */
            set_run(id);
            seq = strtoull(member(line, "next_seq").text, NULL, 10) - 1;
        }
    } else if (is(type, "\"gap\"")) {
        const struct piece reason = member(line, "reason");
        fprintf(stderr, "some events were lost: %.*s\n", (int)reason.length, reason.text);
        if (is(reason, "\"other_run\"")) { /* The daemon was restarted: all that its journal has follows. */
            memcpy(run, connected_run, sizeof run);
            seq = 0;
        }
    } else if (is(type, "\"error\"")) {
        const struct piece reason = member(line, "reason");
        fprintf(stderr, "refused: %.*s\n", (int)reason.length, reason.text);
    } else if (is(type, "\"completed\"")) {
        const struct piece last = member(line, "last"), text = member(last, "display");
        if (text.length > 0) count(text);
    }
    if (number.length > 0) {
        set_run(member(line, "run_id"));
        seq = strtoull(number.text, NULL, 10);
    }
}

/* Connects, subscribes, and takes lines until the connection ends. */
static void follow(const char *path) {
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    char request[512], line[longest_line];
    if (strlen(path) >= sizeof address.sun_path) {
        fprintf(stderr, "%s: too long for a socket\n", path);
        exit(EXIT_FAILURE);
    }
    strcpy(address.sun_path, path);
    const int connection = socket(AF_UNIX, SOCK_STREAM, 0);
    if (connection < 0 || connect(connection, (struct sockaddr *)&address, sizeof address) != 0) {
        fprintf(stderr, "%s: %s; trying again\n", path, strerror(errno));
        if (connection >= 0) close(connection);
        return;
    }
    int length = snprintf(
        request, sizeof request, "{\"subscribe\":{\"kinds\":[\"barcode\"],\"types\":[\"completed\"]}");
    if (run[0] != 0)
        length += snprintf(
            request + length, sizeof request - (size_t)length, ",\"run_id\":%s,\"after\":%llu", run, seq);
    length += snprintf(request + length, sizeof request - (size_t)length, "}\n");
    FILE *lines = fdopen(connection, "r");
    if (lines == NULL) {
        close(connection);
        return;
    }
    if (send(connection, request, (size_t)length, MSG_NOSIGNAL) == length)
        while (fgets(line, sizeof line, lines) != NULL) take((struct piece){line, strcspn(line, "\n")});
    fclose(lines);
    fprintf(stderr, "%s: the connection is gone; trying again\n", path);
}

int main(int argc, char **argv) {
    for (;; sleep(1)) follow(argc > 1 ? argv[1] : "/run/glimpsed/events.sock");
}
