// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <stdint.h>

/// Calls of malloc, calloc, realloc, aligned_alloc and posix_memalign that this process has made so far.
int64_t allocations_count(void);
