#pragma once

#include <stddef.h>

// The bytes that malloc has handed out and that were not freed, of all threads.
size_t BenchMemory_allocated(void);
