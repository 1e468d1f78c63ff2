// The engine's library in the memory of this process.
#ifndef JSB_ENGINE_LIBRARY_H
#define JSB_ENGINE_LIBRARY_H

#include <stdbool.h>

struct dl_phdr_info;

// Returns the headers of the library, which has none if it was not found. They stay in memory.
const struct dl_phdr_info *jsb_engine_library(void);
// Returns whether an address is in the library.
bool jsb_is_in_engine(const void *address);

#endif
