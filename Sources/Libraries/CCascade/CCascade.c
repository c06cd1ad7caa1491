// SPDX-License-Identifier: Apache-2.0
#include "CCascade.h"

#include <dlfcn.h>
#include <stdio.h>
#include <string.h>

/// Looked for where the executable looks for libraries: beside itself.
static const char plugin[] = "libGlimpseCascade.so";

static bool find(void *library, const char *name, void *function) {
    void *address = dlsym(library, name);
    // POSIX lets a pointer to data carry one to a function, ISO C does not know the cast.
    memcpy(function, &address, sizeof address);
    return address != NULL;
}

bool cocv_open(cocv_functions *functions, char *error, size_t capacity) {
    void *library = dlopen(plugin, RTLD_NOW | RTLD_LOCAL);
    if (library && find(library, "cocv_cascade_load", &functions->load) &&
        find(library, "cocv_cascade_destroy", &functions->destroy) &&
        find(library, "cocv_cascade_detect", &functions->detect))
        return true;
    if (error && capacity) snprintf(error, capacity, "%s", dlerror());
    return false;
}
