// SPDX-License-Identifier: Apache-2.0
#define _GNU_SOURCE
#include "CSandbox.h"

#include <errno.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/netlink.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

#if defined(__x86_64__)
#define ARCHITECTURE AUDIT_ARCH_X86_64
#elif defined(__aarch64__)
#define ARCHITECTURE AUDIT_ARCH_AARCH64
#else
#define ARCHITECTURE 0
#endif

// Calls that a process with a camera, decoders and computation does not need. The call mprotect is not among them:
// compiled networks and colour conversions are machine code made here.
static const uint32_t refused[] = {
    // Other processes.
    SYS_ptrace, SYS_process_vm_readv, SYS_process_vm_writev, SYS_process_madvise, SYS_pidfd_getfd, SYS_kcmp,
    // Mounts, roots, namespaces.
    SYS_mount, SYS_umount2, SYS_pivot_root, SYS_chroot, SYS_move_mount, SYS_open_tree, SYS_mount_setattr, SYS_fsopen, SYS_fsconfig,
    SYS_fsmount, SYS_fspick, SYS_unshare, SYS_setns, SYS_open_by_handle_at, SYS_name_to_handle_at,
    // The process's identity.
    SYS_setuid, SYS_setgid, SYS_setreuid, SYS_setregid, SYS_setresuid, SYS_setresgid, SYS_setfsuid, SYS_setfsgid, SYS_setgroups,
    SYS_capset, SYS_keyctl, SYS_add_key, SYS_request_key,
    // Large surfaces of the kernel.
    SYS_bpf, SYS_perf_event_open, SYS_io_uring_setup, SYS_io_uring_enter, SYS_io_uring_register, SYS_userfaultfd, SYS_fanotify_init,
    // The machine.
    SYS_kexec_load, SYS_kexec_file_load, SYS_init_module, SYS_finit_module, SYS_delete_module, SYS_reboot, SYS_swapon, SYS_swapoff,
    SYS_acct, SYS_quotactl, SYS_syslog, SYS_vhangup, SYS_personality, SYS_sethostname, SYS_setdomainname, SYS_settimeofday,
    SYS_clock_settime, SYS_clock_adjtime, SYS_adjtimex, SYS_mknodat,
#if defined(__x86_64__)
    SYS_fork, SYS_vfork, SYS_mknod, SYS_iopl, SYS_ioperm, SYS_modify_ldt,
#endif
};

struct program {
    struct sock_filter code[256];
    unsigned short length;
};

static void append(struct program *program, uint16_t code, uint8_t yes, uint8_t no, uint32_t operand) {
    if (program->length < sizeof program->code / sizeof *program->code)
        program->code[program->length] = (struct sock_filter){code, yes, no, operand};
    program->length++;
}

#define FIELD(name) ((uint32_t)offsetof(struct seccomp_data, name))
// The lower half: every argument that is looked at is an int or flags of the lower half. Both processors are
// little-endian.
#define ARGUMENT(index) (FIELD(args) + 8 * (index))

static void load(struct program *program, uint32_t offset) { append(program, BPF_LD | BPF_W | BPF_ABS, 0, 0, offset); }
static void answer(struct program *program, uint32_t action) { append(program, BPF_RET | BPF_K, 0, 0, action); }
static const uint32_t refusal = SECCOMP_RET_ERRNO | EPERM;

static void answer_if_equal(struct program *program, uint32_t value, uint32_t action) {
    append(program, BPF_JMP | BPF_JEQ | BPF_K, 0, 1, value);
    answer(program, action);
}

static void answer_if_any_bit(struct program *program, uint32_t bits, uint32_t action) {
    append(program, BPF_JMP | BPF_JSET | BPF_K, 0, 1, bits);
    answer(program, action);
}

// Appends a jump over what follows up to `land`, for calls of another number.
static unsigned short skip_unless(struct program *program, uint32_t call) {
    append(program, BPF_JMP | BPF_JEQ | BPF_K, 0, 0, call);
    return program->length;
}

static void land(struct program *program, unsigned short start) {
    program->code[start - 1].jf = (uint8_t)(program->length - start);
}

// Threads only. The arguments of clone3 stand in memory, which a filter cannot see. The C library falls back to clone.
static void check_clone(struct program *program) {
    answer_if_equal(program, SYS_clone3, SECCOMP_RET_ERRNO | ENOSYS);
    unsigned short start = skip_unless(program, SYS_clone);
    load(program, ARGUMENT(0));
    answer_if_any_bit(
        program, CLONE_NEWNS | CLONE_NEWCGROUP | CLONE_NEWUTS | CLONE_NEWIPC | CLONE_NEWUSER | CLONE_NEWPID | CLONE_NEWNET, refusal);
    answer_if_any_bit(program, CLONE_THREAD, SECCOMP_RET_ALLOW);
    answer(program, refusal);
    land(program, start);
}

// Raw sockets and the other families never.
static void check_socket(struct program *program, int sockets) {
    unsigned short start = skip_unless(program, SYS_socket);
    if (sockets >= GLIMPSE_ANY_SOCKET) {
        load(program, ARGUMENT(0));
        answer_if_equal(program, AF_UNIX, SECCOMP_RET_ALLOW);
    }
    if (sockets >= GLIMPSE_INTERNET) {
        load(program, ARGUMENT(0));
        // The C library asks the kernel for its addresses.
        append(program, BPF_JMP | BPF_JEQ | BPF_K, 0, 3, AF_NETLINK);
        load(program, ARGUMENT(2));
        answer_if_equal(program, NETLINK_ROUTE, SECCOMP_RET_ALLOW);
        load(program, ARGUMENT(0));
        append(program, BPF_JMP | BPF_JEQ | BPF_K, 2, 0, AF_INET);
        append(program, BPF_JMP | BPF_JEQ | BPF_K, 1, 0, AF_INET6);
        answer(program, refusal);
        load(program, ARGUMENT(1));
        // SOCK_CLOEXEC and SOCK_NONBLOCK stand above.
        append(program, BPF_ALU | BPF_AND | BPF_K, 0, 0, 0xF);
        answer_if_equal(program, SOCK_STREAM, SECCOMP_RET_ALLOW);
        answer_if_equal(program, SOCK_DGRAM, SECCOMP_RET_ALLOW);
    }
    answer(program, refusal);
    land(program, start);
}

static void write_filter(struct program *program, int sockets, int may_become) {
    // Another processor's numbers mean other calls.
    load(program, FIELD(arch));
    append(program, BPF_JMP | BPF_JEQ | BPF_K, 1, 0, ARCHITECTURE);
    answer(program, refusal);
    load(program, FIELD(nr));
#if defined(__x86_64__)
    // The calls of x32 end the process too.
    append(program, BPF_JMP | BPF_JGE | BPF_K, 0, 1, 0x40000000);
    answer(program, refusal);
#endif
    for (size_t index = 0; index < sizeof refused / sizeof *refused; index++)
        answer_if_equal(program, refused[index], refusal);
    // Processes are refused by `clone`.
    if (!may_become) {
        answer_if_equal(program, SYS_execve, refusal);
        answer_if_equal(program, SYS_execveat, refusal);
    }
    check_clone(program);
    check_socket(program, sockets);
    answer(program, SECCOMP_RET_ALLOW);
}

int glimpse_has_seccomp(void) {
    uint32_t action = SECCOMP_RET_ERRNO;
    return ARCHITECTURE != 0 && syscall(SYS_seccomp, SECCOMP_GET_ACTION_AVAIL, 0, &action) == 0;
}

int glimpse_restrict_calls(int sockets, int may_become, char *message, size_t capacity) {
    struct program program = {.length = 0};
    write_filter(&program, sockets, may_become);
    if (program.length > sizeof program.code / sizeof *program.code) {
        snprintf(message, capacity, "the filter has %d steps", program.length);
        return E2BIG;
    }
    struct sock_fprog filter = {.len = program.length, .filter = program.code};
    if (syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, 0, &filter) == 0) return 0;
    int error = errno;
    snprintf(message, capacity, "seccomp: %s", strerror(error));
    return error;
}
