#include "memory_figures.h"
#include <malloc.h>

size_t memory_figures_allocated(void) {
    struct mallinfo2 figures = mallinfo2();
    return figures.uordblks + figures.hblkhd;
}
