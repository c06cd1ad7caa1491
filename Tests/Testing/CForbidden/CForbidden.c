// SPDX-License-Identifier: Apache-2.0
#define _GNU_SOURCE
#include "CForbidden.h"

#include <errno.h>
#include <fcntl.h>
#include <iconv.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/ptrace.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

static int result(long value) { return value < 0 ? errno : 0; }

static int closed(int descriptor) {
    int error = result(descriptor);
    if (descriptor >= 0) close(descriptor);
    return error;
}

static int try_open(const char *folder, const char *name, int flags) {
    char path[4096];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    return closed(open(path, flags | O_CLOEXEC, 0600));
}

// A child that ends at once.
static int waited(pid_t child) {
    if (child == 0) _exit(0);
    if (child < 0) return errno;
    waitpid(child, NULL, 0);
    return 0;
}

static void *nothing(void *argument) { return argument; }

static int try_thread(void) {
    pthread_t thread;
    int error = pthread_create(&thread, NULL, nothing, NULL);
    if (!error) pthread_join(thread, NULL);
    return error;
}

static int try_machine_code(void) {
    void *page = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (page == MAP_FAILED) return errno;
    int error = result(mprotect(page, 4096, PROT_READ | PROT_EXEC));
    munmap(page, 4096);
    return error;
}

static int try_rename(const struct forbidden_places *places) {
    char from[4096], to[4096];
    snprintf(from, sizeof from, "%s/made", places->inside);
    snprintf(to, sizeof to, "%s/renamed", places->inside);
    return result(rename(from, to)) ?: result(unlink(to));
}

static int try_truncate(const struct forbidden_places *places) {
    char path[4096];
    snprintf(path, sizeof path, "%s/secret", places->outside);
    return result(truncate(path, 0));
}

// The tables of character sets are modules that the C library loads.
static int try_character_set(void) {
    iconv_t converter = iconv_open("UTF-8", "SJIS");
    return converter == (iconv_t)-1 ? errno : result(iconv_close(converter));
}

#define ATTEMPT(name, expression) \
    static int name(const struct forbidden_places *places) { \
        (void)places; \
        return expression; \
    }

ATTEMPT(read_outside, try_open(places->outside, "secret", O_RDONLY))
ATTEMPT(list_outside, try_open(places->outside, ".", O_RDONLY | O_DIRECTORY))
ATTEMPT(write_outside, try_open(places->outside, "made", O_WRONLY | O_CREAT))
ATTEMPT(truncate_outside, try_truncate(places))
ATTEMPT(write_inside, try_open(places->inside, "made", O_WRONLY | O_CREAT))
ATTEMPT(rename_inside, try_rename(places))
ATTEMPT(read_library, closed(open("/usr/bin/env", O_RDONLY | O_CLOEXEC)))
ATTEMPT(read_configuration, closed(open("/etc/fstab", O_RDONLY | O_CLOEXEC)))
ATTEMPT(read_terminal, closed(open("/dev/ptmx", O_RDWR | O_NOCTTY | O_CLOEXEC)))
ATTEMPT(read_character_set, try_character_set())
ATTEMPT(start_thread, try_thread())
ATTEMPT(make_machine_code, try_machine_code())
ATTEMPT(start_process, waited(fork()))
// Where it is allowed, an empty name is no file.
ATTEMPT(start_program, result(syscall(SYS_execve, "", NULL, NULL)))
ATTEMPT(signal_parent, result(kill(getppid(), 0)))
ATTEMPT(socket_tcp, closed(socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)))
ATTEMPT(socket_udp6, closed(socket(AF_INET6, SOCK_DGRAM | SOCK_NONBLOCK, 0)))
ATTEMPT(socket_unix, closed(socket(AF_UNIX, SOCK_STREAM, 0)))
ATTEMPT(socket_route, closed(socket(AF_NETLINK, SOCK_RAW, 0)))
ATTEMPT(socket_audit, closed(socket(AF_NETLINK, SOCK_RAW, 9)))
ATTEMPT(socket_raw, closed(socket(AF_INET, SOCK_RAW, 1)))
ATTEMPT(socket_packet, closed(socket(AF_PACKET, SOCK_DGRAM, 0)))
ATTEMPT(socket_bluetooth, closed(socket(31, SOCK_RAW, 1)))
ATTEMPT(trace, result(ptrace(PTRACE_SEIZE, getppid(), NULL, NULL)))
ATTEMPT(read_memory, result(syscall(SYS_process_vm_readv, getppid(), NULL, 0, NULL, 0, 0)))
ATTEMPT(mount_something, result(syscall(SYS_mount, NULL, NULL, NULL, 0, NULL)))
ATTEMPT(change_root, result(syscall(SYS_chroot, NULL)))
ATTEMPT(new_namespace, result(unshare(CLONE_NEWUSER)))
ATTEMPT(clone_namespace, waited((pid_t)syscall(SYS_clone, CLONE_NEWUSER | SIGCHLD, NULL, NULL, NULL, NULL)))
ATTEMPT(clone3_call, result(syscall(SYS_clone3, NULL, 0)))
ATTEMPT(bpf_call, result(syscall(SYS_bpf, -1, NULL, 0)))
ATTEMPT(perf_call, result(syscall(SYS_perf_event_open, NULL, 0, -1, -1, 0)))
ATTEMPT(ring_call, result(syscall(SYS_io_uring_setup, 0, NULL)))
ATTEMPT(fault_call, closed((int)syscall(SYS_userfaultfd, O_CLOEXEC)))
ATTEMPT(key_call, result(syscall(SYS_keyctl, -1, 0, 0, 0, 0)))
ATTEMPT(module_call, result(syscall(SYS_init_module, NULL, 0, NULL)))
ATTEMPT(kexec_call, result(syscall(SYS_kexec_load, 0, 17, NULL, 0xFFFF)))
ATTEMPT(reboot_call, result(syscall(SYS_reboot, 0, 0, 0, NULL)))
ATTEMPT(user_call, result(syscall(SYS_setuid, getuid())))
ATTEMPT(handle_call, result(syscall(SYS_open_by_handle_at, -1, NULL, 0)))
ATTEMPT(personality_call, result(syscall(SYS_personality, 0xFFFFFFFF)))

static const struct {
    const char *name;
    int (*attempt)(const struct forbidden_places *places);
} attempts[] = {
    {"write-inside", write_inside}, {"rename-inside", rename_inside}, {"read-library", read_library},
    {"read-character-set", read_character_set},
    {"start-thread", start_thread}, {"make-machine-code", make_machine_code}, {"read-outside", read_outside},
    {"list-outside", list_outside}, {"write-outside", write_outside}, {"truncate-outside", truncate_outside},
    {"read-configuration", read_configuration}, {"read-terminal", read_terminal}, {"start-process", start_process},
    {"start-program", start_program}, {"signal-parent", signal_parent}, {"socket-tcp", socket_tcp},
    {"socket-udp6", socket_udp6}, {"socket-unix", socket_unix}, {"socket-route", socket_route},
    {"socket-audit", socket_audit}, {"socket-raw", socket_raw}, {"socket-packet", socket_packet},
    {"socket-bluetooth", socket_bluetooth}, {"ptrace", trace}, {"process_vm_readv", read_memory},
    {"mount", mount_something}, {"chroot", change_root}, {"unshare", new_namespace}, {"clone", clone_namespace},
    {"clone3", clone3_call}, {"bpf", bpf_call}, {"perf_event_open", perf_call}, {"io_uring_setup", ring_call},
    {"userfaultfd", fault_call}, {"keyctl", key_call}, {"init_module", module_call}, {"kexec_load", kexec_call},
    {"reboot", reboot_call}, {"setuid", user_call}, {"open_by_handle_at", handle_call}, {"personality", personality_call},
};

int forbidden_count(void) { return (int)(sizeof attempts / sizeof *attempts); }

const char *forbidden_name(int index) { return attempts[index].name; }

int forbidden_try(int index, const struct forbidden_places *places) {
    errno = 0;
    return attempts[index].attempt(places);
}
