#include <stddef.h>

/// The bytes that malloc has handed out and not got back, of all threads, mapped blocks too.
///
/// Where a sanitizer stands in malloc's place there are no such figures: 0.
size_t memory_figures_allocated(void);
