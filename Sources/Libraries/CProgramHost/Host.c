// SPDX-License-Identifier: Apache-2.0
#define _GNU_SOURCE
#include "CProgramHost.h"
#include "Orders.h"

#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

// The host: a copy of a process of one thread. It knows one program.

static pid_t child;
static char folder[256];

static void fail(struct answer *answer, const char *step) {
    answer->error = errno ? errno : EIO;
    snprintf(answer->message, sizeof answer->message, "%s: %s", step, strerror(answer->error));
}

static int remove_one(const char *path, const struct stat *status, int kind, struct FTW *place) {
    (void)status, (void)kind, (void)place;
    remove(path);
    return 0;
}

static void remove_folder(void) {
    if (*folder) nftw(folder, remove_one, 16, FTW_DEPTH | FTW_PHYS | FTW_MOUNT);
    *folder = 0;
}

static void make_folder(struct answer *answer) {
    const char *parent = getenv("TMPDIR");
    snprintf(folder, sizeof folder, "%s/glimpse-detector-XXXXXX", parent && *parent == '/' ? parent : "/tmp");
    if (mkdtemp(folder)) return;
    fail(answer, folder);
    *folder = 0;
}

// In the child: 0, 1, 3 and standard error are open, and nothing else once the program runs.
static int take(const int descriptors[3]) {
    int high[3];
    for (int index = 0; index < 3; index++)
        if ((high[index] = fcntl(descriptors[index], F_DUPFD_CLOEXEC, 16)) < 0) return -1;
    if (dup2(high[0], 0) < 0 || dup2(high[1], 1) < 0 || dup2(high[2], 3) < 0) return -1;
    return (int)syscall(SYS_close_range, 4, ~0U, 4 /* CLOSE_RANGE_CLOEXEC */);
}

static void limit(int resource, rlim_t most) {
    struct rlimit limit = {.rlim_cur = most, .rlim_max = most};
    setrlimit(resource, &limit);
}

static void restrict_to(const struct glimpse_program *program, char *message, size_t capacity) {
    if (glimpse_forbid_new_privileges(message, capacity) != 0) return;
    if (glimpse_landlock_version() > 0) {
        struct glimpse_path_rule *rules = calloc(program->rule_count + 1, sizeof *rules);
        if (!rules) {
            snprintf(message, capacity, "out of memory");
            return;
        }
        memcpy(rules, program->rules, program->rule_count * sizeof *rules);
        rules[program->rule_count] = (struct glimpse_path_rule){.path = folder, .access = GLIMPSE_WRITE};
        if (glimpse_restrict_files(rules, program->rule_count + 1, message, capacity) != 0) return;
    }
    if (glimpse_has_seccomp()) glimpse_restrict_calls(program->sockets, 1, message, capacity);
}

static void become(const struct glimpse_program *program, pid_t host, const int descriptors[3], int report) __attribute__((noreturn));

static void become(const struct glimpse_program *program, pid_t host, const int descriptors[3], int report) {
    char message[sizeof((struct answer *)0)->message] = "";
    // Above the descriptors of the program.
    int out = fcntl(report, F_DUPFD_CLOEXEC, 32);
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != host) _exit(127);
    setpgid(0, 0);
    signal(SIGTERM, SIG_DFL);
    signal(SIGINT, SIG_DFL);
    signal(SIGPIPE, SIG_DFL);
    limit(RLIMIT_CORE, 0);
    limit(RLIMIT_NOFILE, 256);
    // The first to go where memory is short.
    int score = open("/proc/self/oom_score_adj", O_WRONLY | O_CLOEXEC);
    if (score >= 0) {
        if (write(score, "500", 3) < 0) errno = 0;
        close(score);
    }
    environ = (char **)program->environment;
    if (out < 0 || take(descriptors) != 0) {
        snprintf(message, sizeof message, "descriptors: %s", strerror(errno));
    } else if (chdir(folder) != 0 || setenv("TMPDIR", folder, 1) != 0 || setenv("HOME", folder, 1) != 0) {
        snprintf(message, sizeof message, "%s: %s", folder, strerror(errno));
    } else {
        restrict_to(program, message, sizeof message);
    }
    if (!*message) {
        execvp(program->arguments[0], program->arguments);
        snprintf(message, sizeof message, "%s: %s", program->arguments[0], strerror(errno));
    }
    if (write(out, message, strlen(message)) < 0) _exit(126);
    _exit(127);
}

static void reap(int *status) {
    while (waitpid(child, status, 0) < 0 && errno == EINTR) {}
    child = 0;
    remove_folder();
}

// Returns when the program has ended, or after the time.
static void wait_for_end(int milliseconds) {
    int process = milliseconds > 0 ? (int)syscall(SYS_pidfd_open, child, 0) : -1;
    if (process < 0) return;
    struct pollfd end = {.fd = process, .events = POLLIN};
    poll(&end, 1, milliseconds < 5000 ? milliseconds : 5000);
    close(process);
}

static void end(int milliseconds, struct answer *answer) {
    if (!child) {
        answer->error = ECHILD;
        return;
    }
    wait_for_end(milliseconds);
    // Its status stays that of a program that has ended already.
    kill(child, SIGKILL);
    reap(&answer->status);
}

static void run(const struct glimpse_program *program, const int descriptors[3], struct answer *answer) {
    int report[2], status;
    if (child) end(0, answer);
    *answer = (struct answer){0};
    make_folder(answer);
    if (answer->error) return;
    if (pipe2(report, O_CLOEXEC) != 0) {
        fail(answer, "pipe");
        return remove_folder();
    }
    pid_t host = getpid();
    child = fork();
    if (child == 0) become(program, host, descriptors, report[1]);
    close(report[1]);
    if (child < 0) {
        fail(answer, "fork");
        child = 0;
        close(report[0]);
        return remove_folder();
    }
    // Ends without a byte when the program runs.
    ssize_t count;
    do count = read(report[0], answer->message, sizeof answer->message - 1);
    while (count < 0 && errno == EINTR);
    close(report[0]);
    if (count <= 0) return;
    answer->error = ENOEXEC;
    reap(&status);
}

// Returns the order; its kind is 0 at the channel's end.
static struct order receive(int channel, int descriptors[3]) {
    struct order order = {0};
    struct iovec text = {.iov_base = &order, .iov_len = sizeof order};
    union {
        char bytes[CMSG_SPACE(3 * sizeof(int))];
        struct cmsghdr alignment;
    } control;
    struct msghdr packet = {.msg_iov = &text, .msg_iovlen = 1, .msg_control = control.bytes, .msg_controllen = sizeof control.bytes};
    ssize_t count;
    do count = recvmsg(channel, &packet, MSG_CMSG_CLOEXEC);
    while (count < 0 && errno == EINTR);
    if (count != sizeof order) return (struct order){0};
    for (int index = 0; index < 3; index++) descriptors[index] = -1;
    struct cmsghdr *header = CMSG_FIRSTHDR(&packet);
    if (header && header->cmsg_type == SCM_RIGHTS) memcpy(descriptors, CMSG_DATA(header), header->cmsg_len - CMSG_LEN(0));
    return order;
}

void host_serve(int channel, const struct glimpse_program *program) {
    // Not of the process group that a supervisor or a terminal ends at once: it has a folder to remove.
    setpgid(0, 0);
    prctl(PR_SET_NAME, "program-host");
    signal(SIGTERM, SIG_IGN);
    signal(SIGINT, SIG_IGN);
    signal(SIGPIPE, SIG_IGN);
    sigset_t none;
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);
    // Standard input and output are the worker's: nobody may wait for an end that the host keeps open.
    int null = open("/dev/null", O_RDWR | O_CLOEXEC);
    if (null < 0 || dup2(null, 0) < 0 || dup2(null, 1) < 0) _exit(1);
    if (channel != 3 && dup3(channel, 3, O_CLOEXEC) < 0) _exit(1);
    syscall(SYS_close_range, 4, ~0U, 0);
    int descriptors[3];
    struct order order;
    while ((order = receive(3, descriptors)).kind != 0) {
        struct answer answer = {0};
        if (order.kind == ORDER_RUN) run(program, descriptors, &answer);
        else end(order.milliseconds, &answer);
        for (int index = 0; index < 3; index++)
            if (descriptors[index] >= 0) close(descriptors[index]);
        if (send(3, &answer, sizeof answer, MSG_NOSIGNAL) < 0) break;
    }
    struct answer last = {0};
    end(0, &last);
    _exit(0);
}
