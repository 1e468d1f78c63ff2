#include <stddef.h>

/// Returns the bytes that malloc has allocated and not freed, of all threads, including mapped blocks.
///
/// Under a sanitizer, which replaces malloc, the result is 0.
size_t memory_figures_allocated(void);
