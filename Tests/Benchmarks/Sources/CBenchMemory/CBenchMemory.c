#include "CBenchMemory.h"

#include <malloc.h>

size_t BenchMemory_allocated(void) {
    struct mallinfo2 figures = mallinfo2();
    return figures.uordblks + figures.hblkhd;
}
