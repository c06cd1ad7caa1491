// SPDX-License-Identifier: Apache-2.0
#define _GNU_SOURCE
#include "CProcess.h"
#include "Spawn.h"

#include <errno.h>
#include <fcntl.h>
#include <link.h>
#include <malloc.h>
#include <sched.h>
#include <signal.h>
#include <spawn.h>
#include <stdlib.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { READ = 0, WRITE = 1 };

static void close_all(const int *descriptors, int count) {
    for (int index = 0; index < count; index++) close(descriptors[index]);
}

static int is_for_us_alone(const char *variable) {
    static const char *const names[] = {"NOTIFY_SOCKET=", "WATCHDOG_USEC=", "WATCHDOG_PID=", "LISTEN_FDS=", "LISTEN_PID="};
    for (size_t index = 0; index < sizeof names / sizeof *names; index++)
        if (strncmp(variable, names[index], strlen(names[index])) == 0) return 1;
    return 0;
}

// The result points into our environment; the caller frees the array only.
static char **child_environment(void) {
    size_t count = 0;
    while (environ && environ[count]) count++;
    char **copy = calloc(count + 1, sizeof *copy);
    if (!copy) return NULL;
    size_t kept = 0;
    for (size_t index = 0; index < count; index++)
        if (!is_for_us_alone(environ[index])) copy[kept++] = environ[index];
    return copy;
}

static int spawn(
    const char *path, char *const arguments[], char **environment, const int *inherited, int count, pid_t *pid) {
    posix_spawn_file_actions_t actions;
    posix_spawnattr_t attributes;
    int error = posix_spawn_file_actions_init(&actions);
    if (error) return error;
    error = posix_spawnattr_init(&attributes);
    if (error) {
        posix_spawn_file_actions_destroy(&actions);
        return error;
    }
    for (int target = 0; target < count && !error; target++)
        error = posix_spawn_file_actions_adddup2(&actions, inherited[target], target);
    // Descriptors that a library opened without O_CLOEXEC stay here too.
    if (!error) error = posix_spawn_file_actions_addclosefrom_np(&actions, count);

    sigset_t none, all;
    sigemptyset(&none);
    sigfillset(&all);
    posix_spawnattr_setsigmask(&attributes, &none);
    posix_spawnattr_setsigdefault(&attributes, &all);
    posix_spawnattr_setpgroup(&attributes, 0);
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETPGROUP);
    if (!error) error = posix_spawn(pid, path, &actions, &attributes, arguments, environment);

    posix_spawnattr_destroy(&attributes);
    posix_spawn_file_actions_destroy(&actions);
    return error;
}

int glimpse_spawn_with(
    const char *path, char *const arguments[], const int *inherited, int count, pid_t *pid) {
    char **environment = child_environment();
    if (!environment) return ENOMEM;
    int error = spawn(path, arguments, environment, inherited, count, pid);
    free(environment);
    return error;
}

int glimpse_open_child(struct glimpse_child *child, int inherited[GLIMPSE_CHILD_DESCRIPTORS]) {
    int ends[GLIMPSE_CHILD_DESCRIPTORS][2];
    for (int index = 0; index < GLIMPSE_CHILD_DESCRIPTORS; index++) {
        const int is_open = index == GLIMPSE_VIEWER_DESCRIPTOR
            ? socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends[index]) == 0
            : pipe2(ends[index], O_CLOEXEC) == 0;
        if (is_open) continue;
        int error = errno;
        close_all(ends[0], 2 * index);
        return error;
    }
    child->input = ends[0][WRITE], inherited[0] = ends[0][READ];
    child->output = ends[1][READ], inherited[1] = ends[1][WRITE];
    child->errors = ends[2][READ], inherited[2] = ends[2][WRITE];
    child->viewers = ends[3][0], inherited[GLIMPSE_VIEWER_DESCRIPTOR] = ends[3][1];
    return 0;
}

int glimpse_settle_child(int error, struct glimpse_child *child, const int inherited[GLIMPSE_CHILD_DESCRIPTORS]) {
    close_all(inherited, GLIMPSE_CHILD_DESCRIPTORS);
    if (error) close_all((int[]){child->input, child->output, child->errors, child->viewers}, 4);
    return error;
}

int glimpse_spawn(const char *path, char *const arguments[], struct glimpse_child *child) {
    int inherited[GLIMPSE_CHILD_DESCRIPTORS];
    int error = glimpse_open_child(child, inherited);
    if (error) return error;
    error = glimpse_spawn_with(path, arguments, inherited, GLIMPSE_CHILD_DESCRIPTORS, &child->pid);
    return glimpse_settle_child(error, child, inherited);
}

int glimpse_send_descriptor(int socket, int descriptor, const void *bytes, size_t count) {
    union {
        struct cmsghdr header;
        char space[CMSG_SPACE(sizeof(int))];
    } control = {0};
    struct iovec part = {(void *)bytes, count};
    struct msghdr message = {
        .msg_iov = &part, .msg_iovlen = 1, .msg_control = &control, .msg_controllen = sizeof control.space};
    struct cmsghdr *header = CMSG_FIRSTHDR(&message);
    header->cmsg_level = SOL_SOCKET;
    header->cmsg_type = SCM_RIGHTS;
    header->cmsg_len = CMSG_LEN(sizeof descriptor);
    memcpy(CMSG_DATA(header), &descriptor, sizeof descriptor);
    return sendmsg(socket, &message, MSG_DONTWAIT | MSG_NOSIGNAL) < 0 ? -1 : 0;
}

ssize_t glimpse_receive_descriptor(int socket, int *descriptor, void *bytes, size_t capacity) {
    union {
        struct cmsghdr header;
        char space[CMSG_SPACE(sizeof(int))];
    } control;
    struct iovec part = {bytes, capacity};
    struct msghdr message = {
        .msg_iov = &part, .msg_iovlen = 1, .msg_control = &control, .msg_controllen = sizeof control.space};
    *descriptor = -1;
    ssize_t received;
    do received = recvmsg(socket, &message, MSG_CMSG_CLOEXEC);
    while (received < 0 && errno == EINTR);
    if (received < 0) return received;
    struct cmsghdr *header = CMSG_FIRSTHDR(&message);
    if (header && header->cmsg_level == SOL_SOCKET && header->cmsg_type == SCM_RIGHTS &&
        header->cmsg_len == CMSG_LEN(sizeof *descriptor))
        memcpy(descriptor, CMSG_DATA(header), sizeof *descriptor);
    return received;
}

int glimpse_die_with_parent(pid_t expected_parent) {
    if (prctl(PR_SET_PDEATHSIG, SIGKILL) != 0) return errno;
    // It may have died before that: then no signal comes.
    return getppid() == expected_parent ? 0 : ESRCH;
}

void glimpse_name_thread(const char *name) { prctl(PR_SET_NAME, name); }

void glimpse_trim_heap(void) { malloc_trim(0); }

static int drop_pages_of(struct dl_phdr_info *object, size_t size, void *data) {
    (void)size, (void)data;
    const uintptr_t page = sysconf(_SC_PAGESIZE);
    for (int index = 0; index < object->dlpi_phnum; index++) {
        const ElfW(Phdr) *part = &object->dlpi_phdr[index];
        if (part->p_type != PT_LOAD || part->p_flags & PF_W) continue;
        uintptr_t start = (object->dlpi_addr + part->p_vaddr + page - 1) / page * page;
        uintptr_t end = (object->dlpi_addr + part->p_vaddr + part->p_filesz) / page * page;
        if (start < end) madvise((void *)start, end - start, MADV_DONTNEED);
    }
    return 0;
}

void glimpse_drop_code_pages(void) { dl_iterate_phdr(drop_pages_of, NULL); }

int glimpse_set_time_slice(unsigned microseconds) {
    // As in sched_setattr(2); the C library has it from 2.41 on.
    struct {
        uint32_t size, policy;
        uint64_t flags;
        int32_t nice;
        uint32_t priority;
        uint64_t runtime, deadline, period;
    } attributes = {.size = sizeof attributes, .policy = SCHED_OTHER, .runtime = microseconds * UINT64_C(1000)};
    enum { RESET_ON_FORK = 1 };
    // Another policy was chosen for the process on purpose, so it stays.
    if (sched_getscheduler(0) != SCHED_OTHER) return 0;
    attributes.flags = RESET_ON_FORK;
    attributes.nice = getpriority(PRIO_PROCESS, 0);
    return syscall(SYS_sched_setattr, 0, &attributes, 0) == 0 ? 0 : errno;
}
