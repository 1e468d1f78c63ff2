// The conformance vectors of the protocol, embedded at compile time from Tests/Conformance/wire, so that a program
// needs no folder of them at run time. Texts are UTF-8 and not NUL-terminated.
#ifndef CCONFORMANCE_H
#define CCONFORMANCE_H

#include <stddef.h>

typedef struct {
    // The file's path in the folder, without its ending.
    const char *name;
    const unsigned char *bytes;
    size_t count;
} ConformanceText;

// The files, in the order of their names.
int conformance_count(void);
ConformanceText conformance_text(int index);

#endif
