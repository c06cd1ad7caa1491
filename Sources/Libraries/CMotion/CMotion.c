// SPDX-License-Identifier: Apache-2.0
#include "CMotion.h"

#include <dlfcn.h>
#include <stdio.h>
#include <string.h>

/// Looked for where the executable looks for libraries: beside itself.
static const char plugin[] = "libGlimpseMotion.so";

static bool find(void *library, const char *name, void *function) {
    void *address = dlsym(library, name);
    // POSIX lets a pointer to data carry one to a function, ISO C does not know the cast.
    memcpy(function, &address, sizeof address);
    return address != NULL;
}

bool cmot_open(cmot_functions *functions, char *error, size_t capacity) {
    void *library = dlopen(plugin, RTLD_NOW | RTLD_LOCAL);
    if (library && find(library, "cmot_create", &functions->create) &&
        find(library, "cmot_destroy", &functions->destroy) && find(library, "cmot_observe", &functions->observe))
        return true;
    if (error && capacity) snprintf(error, capacity, "%s", dlerror());
    return false;
}
