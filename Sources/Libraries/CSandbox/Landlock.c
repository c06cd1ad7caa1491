// SPDX-License-Identifier: Apache-2.0
#define _GNU_SOURCE
#include "CSandbox.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

// From the kernel's include/uapi/linux/landlock.h. Debian 12's copy ends with version 2; the running kernel may be
// newer.
enum { CREATE_RULESET = 444, ADD_RULE = 445, RESTRICT_SELF = 446 };
enum { ASK_VERSION = 1, RULE_PATH_BENEATH = 1, SCOPE_SIGNAL = 1 << 1 };
enum {
    EXECUTE = 1 << 0,
    WRITE_FILE = 1 << 1,
    READ_FILE = 1 << 2,
    READ_DIR = 1 << 3,
    REMOVE_DIR = 1 << 4,
    REMOVE_FILE = 1 << 5,
    MAKE_DIR = 1 << 7,
    MAKE_REG = 1 << 8,
    ALL_OF_VERSION_1 = (1 << 13) - 1,
    REFER = 1 << 13,
    TRUNCATE = 1 << 14,
    IOCTL_DEV = 1 << 15,
    // The rights that a rule for a file may have.
    OF_FILES = EXECUTE | WRITE_FILE | READ_FILE | TRUNCATE | IOCTL_DEV,
};

struct ruleset {
    uint64_t files;
    uint64_t ports;
    uint64_t scopes;
};

struct path_beneath {
    uint64_t allowed;
    int32_t parent;
} __attribute__((packed));

int glimpse_landlock_version(void) {
    long version = syscall(CREATE_RULESET, NULL, 0, ASK_VERSION);
    return version > 0 ? (int)version : 0;
}

// A kernel refuses what it does not know.
static uint64_t known(int version) {
    return ALL_OF_VERSION_1 | (version >= 2 ? REFER : 0) | (version >= 3 ? TRUNCATE : 0) | (version >= 5 ? IOCTL_DEV : 0);
}

static uint64_t rights(uint32_t access) {
    uint64_t rights = 0;
    if (access & GLIMPSE_PROGRAM) rights |= EXECUTE | READ_FILE | READ_DIR;
    if (access & GLIMPSE_READ) rights |= READ_FILE | READ_DIR;
    if (access & GLIMPSE_DEVICE) rights |= READ_FILE | READ_DIR | WRITE_FILE | TRUNCATE | IOCTL_DEV;
    if (access & GLIMPSE_WRITE)
        rights |= READ_FILE | READ_DIR | WRITE_FILE | TRUNCATE | MAKE_REG | MAKE_DIR | REMOVE_FILE | REMOVE_DIR;
    return rights;
}

static int fail(char *message, size_t capacity, const char *step) {
    int error = errno;
    snprintf(message, capacity, "%s: %s", step, strerror(error));
    return error;
}

static int add(int ruleset, const struct glimpse_path_rule *rule, uint64_t handled) {
    struct path_beneath beneath = {.parent = open(rule->path, O_PATH | O_CLOEXEC)};
    // Not there, or not ours to reach: there is nothing to allow.
    if (beneath.parent < 0) return 0;
    struct stat status;
    int result = fstat(beneath.parent, &status);
    beneath.allowed = rights(rule->access) & handled;
    if (!S_ISDIR(status.st_mode)) beneath.allowed &= OF_FILES;
    if (result == 0) result = (int)syscall(ADD_RULE, ruleset, RULE_PATH_BENEATH, &beneath, 0);
    int error = errno;
    close(beneath.parent);
    errno = error;
    return result;
}

int glimpse_restrict_files(const struct glimpse_path_rule *rules, size_t count, char *message, size_t capacity) {
    int version = glimpse_landlock_version();
    struct ruleset attributes = {.files = known(version), .scopes = version >= 6 ? SCOPE_SIGNAL : 0};
    // Older kernels take the structure if the rest of it is zero.
    int ruleset = (int)syscall(CREATE_RULESET, &attributes, sizeof attributes, 0);
    if (ruleset < 0) return fail(message, capacity, "landlock_create_ruleset");
    for (size_t index = 0; index < count; index++) {
        if (add(ruleset, &rules[index], attributes.files) == 0) continue;
        int error = fail(message, capacity, rules[index].path);
        close(ruleset);
        return error;
    }
    int error = syscall(RESTRICT_SELF, ruleset, 0) == 0 ? 0 : fail(message, capacity, "landlock_restrict_self");
    close(ruleset);
    return error;
}

int glimpse_forbid_new_privileges(char *message, size_t capacity) {
    struct stat tasks;
    // Two of a folder's links are not for folders in it.
    if (stat("/proc/self/task", &tasks) == 0 && tasks.st_nlink != 3) {
        snprintf(message, capacity, "the process has %d threads already", (int)tasks.st_nlink - 2);
        return EBUSY;
    }
    return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 ? 0 : fail(message, capacity, "PR_SET_NO_NEW_PRIVS");
}
