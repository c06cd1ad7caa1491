// SPDX-License-Identifier: Apache-2.0
#define _GNU_SOURCE
#include "CProgramHost.h"
#include "Orders.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

int glimpse_host_start(const struct glimpse_program *program, int *channel, pid_t *host) {
    int ends[2];
    if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends) != 0) return errno;
    // A host that does not answer is given up; it ends with its channel.
    struct timeval limit = {.tv_sec = 10};
    setsockopt(ends[0], SOL_SOCKET, SO_RCVTIMEO, &limit, sizeof limit);
    pid_t pid = fork();
    if (pid == 0) host_serve(ends[1], program);
    int error = pid < 0 ? errno : 0;
    close(ends[1]);
    if (error) close(ends[0]);
    else *channel = ends[0];
    *host = pid;
    return error;
}

void glimpse_host_stop(int channel, pid_t host) {
    close(channel);
    while (waitpid(host, NULL, 0) < 0 && errno == EINTR) {}
}

int glimpse_pipes_make(struct glimpse_pipes *pipes) {
    int line[2], output[2];
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, line) != 0) return errno;
    if (pipe2(output, O_CLOEXEC) != 0) {
        int error = errno;
        close(line[0]);
        close(line[1]);
        return error;
    }
    *pipes = (struct glimpse_pipes){.to_program = line[0], .from_program = output[0], .input = line[1], .output = output[1]};
    return 0;
}

static int give(int channel, struct order order, const int *descriptors, size_t count, struct answer *answer) {
    struct iovec text = {.iov_base = &order, .iov_len = sizeof order};
    union {
        char bytes[CMSG_SPACE(3 * sizeof(int))];
        struct cmsghdr alignment;
    } control = {0};
    struct msghdr packet = {.msg_iov = &text, .msg_iovlen = 1};
    if (count > 0) {
        packet.msg_control = control.bytes;
        packet.msg_controllen = CMSG_SPACE(count * sizeof(int));
        struct cmsghdr *header = CMSG_FIRSTHDR(&packet);
        *header = (struct cmsghdr){.cmsg_level = SOL_SOCKET, .cmsg_type = SCM_RIGHTS, .cmsg_len = CMSG_LEN(count * sizeof(int))};
        memcpy(CMSG_DATA(header), descriptors, count * sizeof(int));
    }
    ssize_t result;
    do result = sendmsg(channel, &packet, MSG_NOSIGNAL);
    while (result < 0 && errno == EINTR);
    if (result < 0) return errno;
    do result = recv(channel, answer, sizeof *answer, 0);
    while (result < 0 && errno == EINTR);
    if (result == sizeof *answer) return 0;
    return result < 0 ? errno : EPIPE;
}

int glimpse_host_run(int channel, int input, int output, int ring, char *message, size_t capacity) {
    struct answer answer;
    int descriptors[3] = {input, output, ring};
    int error = give(channel, (struct order){.kind = ORDER_RUN}, descriptors, 3, &answer);
    if (error) {
        snprintf(message, capacity, "its host: %s", strerror(error));
        return error;
    }
    snprintf(message, capacity, "%s", answer.message);
    return answer.error;
}

int glimpse_host_end(int channel, int milliseconds, int *status) {
    struct answer answer;
    int error = give(channel, (struct order){ORDER_END, milliseconds}, NULL, 0, &answer);
    if (error) return error;
    *status = answer.status;
    return answer.error;
}

int glimpse_exit_code(int status) { return WIFEXITED(status) ? WEXITSTATUS(status) : -1; }
int glimpse_exit_signal(int status) { return WIFSIGNALED(status) ? WTERMSIG(status) : 0; }
