// SPDX-License-Identifier: Apache-2.0
#include "CHeap.h"

#include <malloc.h>

size_t heap_in_use(void) {
    struct mallinfo2 info = mallinfo2();
    return info.uordblks + info.hblkhd;
}
