// SPDX-License-Identifier: Apache-2.0
/* bare PATH CONNECTIONS RATE BURST SECONDS BYTES: the least that any server does. It accepts CONNECTIONS readers, makes
   RATE lines a second, BURST at a time, and writes the same bytes to each reader. With RATE 0 it makes no lines,
   and passes on its standard input: the least that a server of another process's lines does. It prints `ready` when it
   listens. It runs until it is killed. */
#include "connect.h"
#include "line.h"

int main(int count, char **arguments) {
    if (count != 7) return fprintf(stderr, "usage: bare PATH CONNECTIONS RATE BURST SECONDS BYTES\n"), 64;
    int connections = atoi(arguments[2]);
    int64_t rate = atoll(arguments[3]), burst = atoll(arguments[4]), seconds = atoll(arguments[5]);
    size_t size = (size_t)atoll(arguments[6]);
    struct sockaddr_un name = {.sun_family = AF_UNIX};
    strncpy(name.sun_path, arguments[1], sizeof name.sun_path - 1);
    int listener = socket(AF_UNIX, SOCK_STREAM, 0);
    if (bind(listener, (struct sockaddr *)&name, sizeof name) || listen(listener, 4096)) return perror(arguments[1]), 1;
    puts("ready");
    fflush(stdout);
    int *peers = calloc((size_t)connections, sizeof *peers);
    for (int i = 0; i < connections; i++) peers[i] = accept(listener, NULL, NULL);
    const char *go = getenv("FANOUT_GO");
    while (go && access(go, F_OK)) usleep(20000);
    static char bytes[64 * 4096];
    for (ssize_t used; !rate && (used = read(STDIN_FILENO, bytes, sizeof bytes)) > 0;)
        for (int i = 0; i < connections; i++) write_all(peers[i], bytes, (size_t)used);
    struct timespec next;
    clock_gettime(CLOCK_MONOTONIC, &next);
    uint64_t frame = 1;
    for (int64_t turn = 0; rate && turn < rate * seconds / burst; turn++) {
        size_t used = 0;
        for (int64_t i = 0; i < burst; i++) used += put_line(bytes + used, size, ++frame);
        for (int i = 0; i < connections; i++) write_all(peers[i], bytes, used);
        wait_for_turn(&next, 1000000000LL * burst / rate);
    }
    pause();
    return 0;
}
