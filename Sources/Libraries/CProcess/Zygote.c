// SPDX-License-Identifier: Apache-2.0
#define _GNU_SOURCE
#include "CProcess.h"
#include "Spawn.h"

#include <dirent.h>
#include <errno.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

// A copy takes a millisecond. A zygote that takes this long is stopped, or its machine is in a bad way.
enum { REPLY_LIMIT_MS = 2000 };

// The control message with a child's descriptors.
union rights {
    struct cmsghdr header;
    char space[CMSG_SPACE(GLIMPSE_CHILD_DESCRIPTORS * sizeof(int))];
};

int glimpse_spawn_zygote(const char *path, char *const arguments[], struct glimpse_zygote *zygote) {
    int ends[2];
    if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends) != 0) return errno;
    int inherited[] = {ends[1], STDERR_FILENO, STDERR_FILENO};
    int error = glimpse_spawn_with(path, arguments, inherited, 3, &zygote->pid);
    close(ends[1]);
    if (error) close(ends[0]);
    zygote->socket = ends[0];
    return error;
}

int glimpse_zygote_state(const struct glimpse_zygote *zygote) {
    char ready;
    ssize_t count = recv(zygote->socket, &ready, sizeof ready, MSG_DONTWAIT);
    if (count > 0) return 1;
    return count < 0 && (errno == EAGAIN || errno == EINTR) ? 0 : -1;
}

int glimpse_copy_zygote(const struct glimpse_zygote *zygote, struct glimpse_child *child) {
    int inherited[GLIMPSE_CHILD_DESCRIPTORS];
    int error = glimpse_open_child(child, inherited);
    if (error) return error;
    union rights rights = {0};
    char request = 0;
    struct iovec part = {&request, sizeof request};
    struct msghdr message = {
        .msg_iov = &part, .msg_iovlen = 1, .msg_control = &rights, .msg_controllen = sizeof rights.space};
    rights.header.cmsg_level = SOL_SOCKET;
    rights.header.cmsg_type = SCM_RIGHTS;
    rights.header.cmsg_len = CMSG_LEN(sizeof inherited);
    memcpy(CMSG_DATA(&rights.header), inherited, sizeof inherited);
    struct pollfd reply = {zygote->socket, POLLIN, 0};
    if (sendmsg(zygote->socket, &message, MSG_DONTWAIT | MSG_NOSIGNAL) < 0) {
        error = errno;
    } else {
        const int is_late = poll(&reply, 1, REPLY_LIMIT_MS) != 1;
        // If there is a copy by now, it still answers.
        if (is_late) kill(zygote->pid, SIGKILL);
        if (poll(&reply, 1, REPLY_LIMIT_MS) != 1 ||
            recv(zygote->socket, &child->pid, sizeof child->pid, MSG_DONTWAIT) != sizeof child->pid)
            error = is_late ? ETIMEDOUT : ESRCH;
    }
    // The copy does so too. One of them comes first, so the group exists before it is signalled.
    if (!error) setpgid(child->pid, child->pid);
    return glimpse_settle_child(error, child, inherited);
}

void glimpse_end_zygote(const struct glimpse_zygote *zygote) {
    close(zygote->socket);
    kill(zygote->pid, SIGKILL);
    while (waitpid(zygote->pid, NULL, 0) < 0 && errno == EINTR) {}
}

// MARK: In the zygote

enum { PARENT = 0 };

// Waits for a request. Returns 0, or -1 when the parent is gone.
static int receive(int descriptors[GLIMPSE_CHILD_DESCRIPTORS]) {
    union rights rights;
    char request;
    struct iovec part = {&request, sizeof request};
    struct msghdr message = {
        .msg_iov = &part, .msg_iovlen = 1, .msg_control = &rights, .msg_controllen = sizeof rights.space};
    ssize_t count;
    do count = recvmsg(PARENT, &message, MSG_CMSG_CLOEXEC);
    while (count < 0 && errno == EINTR);
    const size_t size = GLIMPSE_CHILD_DESCRIPTORS * sizeof(int);
    struct cmsghdr *header = CMSG_FIRSTHDR(&message);
    if (count <= 0 || !header || header->cmsg_type != SCM_RIGHTS || header->cmsg_len != CMSG_LEN(size)) return -1;
    memcpy(descriptors, CMSG_DATA(header), size);
    return 0;
}

// As fork(2), but the copy is a child of our parent. The C library keeps the number of each thread: as in its own
// fork, the kernel writes the new one there.
static pid_t fork_sibling(int *thread) {
    const unsigned long flags = CLONE_PARENT | CLONE_CHILD_SETTID | CLONE_CHILD_CLEARTID | SIGCHLD;
#if defined(__x86_64__)
    return syscall(SYS_clone, flags, NULL, NULL, thread, NULL);
#else
    return syscall(SYS_clone, flags, NULL, NULL, NULL, thread);
#endif
}

// Whether there is a descriptor beyond standard error.
static int has_open_files(void) {
    DIR *folder = opendir("/proc/self/fd");
    if (!folder) return 1;
    int found = 0;
    for (struct dirent *entry; (entry = readdir(folder));) {
        const int descriptor = atoi(entry->d_name);
        found |= descriptor > STDERR_FILENO && descriptor != dirfd(folder);
    }
    closedir(folder);
    return found;
}

int glimpse_serve_as_zygote(char *argument, const char *shown) {
    // A copy has only the thread that makes it, so other threads' locks would stay locked. A copy closes files that it
    // does not know. A library that has opened one, such as GStreamer its log, would then write into another file.
    struct stat threads;
    enum { LINKS_OF_ONE_THREAD = 3 };
    if (stat("/proc/self/task", &threads) != 0) return errno;
    if (threads.st_nlink != LINKS_OF_ONE_THREAD || has_open_files()) return EBUSY;
    int *thread = NULL;
    if (prctl(PR_GET_TID_ADDRESS, &thread) != 0 || !thread) return errno ? errno : EINVAL;
    const char ready = 1;
    if (send(PARENT, &ready, sizeof ready, MSG_NOSIGNAL) < 0) return errno;
    int descriptors[GLIMPSE_CHILD_DESCRIPTORS];
    while (receive(descriptors) == 0) {
        const pid_t copy = fork_sibling(thread);
        if (copy < 0) return errno;
        if (copy > 0) {
            for (int index = 0; index < GLIMPSE_CHILD_DESCRIPTORS; index++) close(descriptors[index]);
            continue;
        }
        setpgid(0, 0);
        // The copy answers, not the zygote: if somebody kills the zygote now, the parent still learns of its child.
        const pid_t own = getpid();
        if (send(PARENT, &own, sizeof own, MSG_NOSIGNAL) < 0) return errno;
        // In ascending order: a received descriptor is at least 3.
        for (int index = 0; index < GLIMPSE_CHILD_DESCRIPTORS; index++) dup2(descriptors[index], index);
        close_range(GLIMPSE_CHILD_DESCRIPTORS, ~0U, 0);
        strncpy(argument, shown, strlen(argument));
        return 0;
    }
    return ESRCH;
}
