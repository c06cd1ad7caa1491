// SPDX-License-Identifier: Apache-2.0
#include "COneHeap.h"

#include <malloc.h>

// By default malloc has up to eight heaps for each processor, one for each of the first threads. Each keeps the pages
// between its blocks, so the memory of threads that come and go grows for hours. The limit must stand before the first
// thread: malloc never gives up a heap that exists. An asynchronous program of Swift runs even `main` in a thread of
// its own, so a constructor sets the limit (mallopt(3)).
__attribute__((constructor)) static void have_one_heap(void) { mallopt(M_ARENA_MAX, 1); }
