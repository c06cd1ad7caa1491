// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <stddef.h>

/// Bytes of malloc that this process holds, over all arenas and mapped blocks. Blocks in the caches of its threads
/// count.
size_t heap_in_use(void);
