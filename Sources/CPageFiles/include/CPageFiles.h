// The files of a page, embedded at compile time from JS/page and JS/bundles. They are apart from CBridgeScript, so that
// a program without pages does not carry them. Texts are UTF-8 and not NUL-terminated.
#ifndef CPAGEFILES_H
#define CPAGEFILES_H

#include <stddef.h>

typedef struct {
    // The path in the address, such as `/page.css`.
    const char *path;
    const char *contentType;
    const unsigned char *bytes;
    size_t count;
} PageFileText;

int page_file_count(void);
PageFileText page_file(int index);

#endif
