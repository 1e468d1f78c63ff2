// The engine's own loader of ES modules: a hook for `import()` and `import.meta`, and the source texts of modules.
// Decision 0029 describes the private layout behind it, and its guards.
#ifndef JSB_MODULE_LOADER_H
#define JSB_MODULE_LOADER_H

#include <JavaScriptCore/JavaScript.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// The functions that the engine calls through the hooks, with its lock held. `loader` and all that it returns must
// never reach a user's script. A result of NULL is replaced: the engine would end the process.
struct jsb_module_hooks {
    // `referrer` is the URL of the script or module that calls `import()`, `options` its second argument.
    JSObjectRef (*import)(
        JSGlobalContextRef context, JSObjectRef loader, JSValueRef specifier, JSValueRef referrer, JSValueRef options);
    // Returns the object `import.meta` of the module with this key.
    JSObjectRef (*meta)(JSGlobalContextRef context, JSValueRef key);
};

// Compares the layout of the loaded library with the expected one, in a new context that has run nothing. Reads that
// cannot fail come first. Returns NULL and keeps the positions if all is as expected, else the first difference. The
// lock must be held.
const char *jsb_probe_modules(JSGlobalContextRef context, struct jsb_module_hooks hooks);
// Directs `import()` and `import.meta` of a context to the hooks, after a successful probe. Returns false if the
// context has another table of functions than the probed one.
bool jsb_hook_modules(JSGlobalContextRef context);

// The kinds of source texts.
enum { JSB_MODULE_JAVASCRIPT = 1, JSB_MODULE_JSON = 3 };
// Creates the engine's object for a source text of Latin-1 bytes or of UTF-16 units, and hands it to the function
// `provideFetch` of the context's loader, as its second argument; then calls `loadModule`. Both must have been replaced.
// Stacks have the name instead of the URL.
void jsb_provide_module(
    JSGlobalContextRef context, JSStringRef url, JSStringRef name, const void *characters, size_t count, bool is_narrow,
    int kind);
// Returns the kind that `with { type }` of a static import requests, of the loader's object for it; 0 without one.
int jsb_requested_module_kind(JSValueRef parameters);
// Returns the number of source texts that the engine holds.
long jsb_module_source_count(void);

#endif
