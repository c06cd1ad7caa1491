#pragma once
#include <stddef.h>

/// Bytes that this process has of malloc, over all arenas, mapped blocks too. What its threads' caches keep counts.
size_t heap_in_use(void);
