// Source texts for the engine, shared by the files that hand it some: objects of JSC::SourceProvider, made by its own
// constructor in memory of the package, with a copy of its table of virtual functions in which some are implemented.
#ifndef JSB_SOURCE_PROVIDER_H
#define JSB_SOURCE_PROVIDER_H

#include "engine_string.h"
#include <JavaScriptCore/JavaScript.h>
#include <stdbool.h>

// The engine's part of a provider, with room for a larger one; and what the package's functions read.
enum { MEASURED_PROVIDER_BYTES = 200, ENGINE_PROVIDER_BYTES = 256 };
struct provider {
    void **functions;
    uint32_t reference_count;
    char rest[ENGINE_PROVIDER_BYTES - sizeof(void *) - sizeof(uint32_t)];
    struct string *text;
    uint32_t hash;
    // The data of functions that another file has put into the table.
    const void *context;
};

// JSC::SourceCode. The line and the column count from 0.
struct source_code {
    void *provider;
    int32_t start, end, line, column;
};

// The virtual functions, by position. Two words before the first belong to the type's description.
enum { COMPLETE_DESTRUCTOR, DELETING_DESTRUCTOR, HASH, SOURCE, CACHED_BYTECODE, CODE_BLOCK_HASH = 8, MAXIMUM_FUNCTIONS = 16 };
struct provider_functions {
    void *words[2 + MAXIMUM_FUNCTIONS];
};

// Compares the layout of the library's source providers with the expected one, once per process. Returns NULL, or the
// first difference.
const char *probe_providers(void);

// Copies the table of virtual functions, with the package's destructors and text, after a successful probe.
// `deleting_destructor` replaces the package's one, and ends with destroy_provider().
void copy_provider_functions(struct provider_functions *functions, void (*deleting_destructor)(struct provider *));

// Creates a provider of a text, which it retains. `kind` is the engine's: 0 for a script, or that of a module.
struct provider *make_provider(JSStringRef url, JSStringRef name, struct string *text, int kind,
                               struct provider_functions *functions);
void release_provider(struct provider *provider);
// Ends and frees a provider without references. The engine may call it on any thread.
void destroy_provider(struct provider *provider);

#endif
