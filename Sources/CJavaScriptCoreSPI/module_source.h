// Shared by the files of the module loader.
#ifndef JSB_MODULE_SOURCE_H
#define JSB_MODULE_SOURCE_H

#include <stdint.h>

// WTF::StringImpl. The count of references is in steps of 2.
struct string {
    uint32_t reference_count;
    uint32_t length;
    const void *characters;
    uint32_t flags;
};
enum { IS_NARROW = 4 };

// Compares the layout of the library's source providers with the expected one. Returns NULL, or the first difference.
const char *jsb_probe_module_sources(void);

#endif
