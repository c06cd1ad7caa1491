// SPDX-License-Identifier: Apache-2.0
/* asker ADDRESS SECONDS: an honest user who connects 50 times a second, and asks once each time. Prints a line of JSON
   with microseconds: from `connect` to the greeting's first byte, and from a `ping` to its answer. */
#include "connect.h"
#include "line.h"
#include <sched.h>

static int by_size(const void *a, const void *b) {
    int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
    return x < y ? -1 : x > y;
}

static void print(const char *name, int64_t *times, int count, const char *end) {
    qsort(times, (size_t)count, sizeof *times, by_size);
    if (count == 0) printf("\"%s\":null%s", name, end);
    else printf("\"%s\":[%lld,%lld,%lld]%s", name, (long long)times[count / 2] / 1000, (long long)times[count * 99 / 100] / 1000,
                (long long)times[count - 1] / 1000, end);
}

/* Reads until the bytes so far contain the text. Returns 0 at the end of the stream. */
static int read_until(int fd, const char *text) {
    static char block[1 << 20];
    size_t held = 0;
    while (held < sizeof block - 1) {
        ssize_t n = read(fd, block + held, sizeof block - 1 - held);
        if (n <= 0) return 0;
        held += (size_t)n;
        block[held] = 0;
        if (strstr(block, text)) return 1;
    }
    return 0;
}

int main(int count, char **arguments) {
    if (count != 3) return fprintf(stderr, "usage: asker ADDRESS SECONDS\n"), 64;
    int most = 50 * atoi(arguments[2]), greetings = 0, answers = 0, refused = 0;
    int64_t *greeting = calloc((size_t)most, sizeof *greeting), *answer = calloc((size_t)most, sizeof *answer);
    struct timespec next;
    clock_gettime(CLOCK_MONOTONIC, &next);
    for (int i = 0; i < most; i++) {
        wait_for_turn(&next, 20000000);
        int64_t start = wall_ns();
        int fd = connect_to(arguments[1]);
        if (fd < 0 || !read_until(fd, "\"hello\"")) {
            refused++;
        } else {
            greeting[greetings++] = wall_ns() - start;
            static const char ping[] = "{\"ping\":\"asker\"}\n";
            start = wall_ns();
            write_all(fd, ping, sizeof ping - 1);
            if (read_until(fd, "\"asker\"")) answer[answers++] = wall_ns() - start;
        }
        if (fd >= 0) close(fd);
    }
    printf("{");
    print("greeting", greeting, greetings, ",");
    print("answer", answer, answers, ",");
    printf("\"refused\":%d}\n", refused);
    return 0;
}
