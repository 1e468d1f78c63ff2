// What the globals of the web need: the prototype of the global object, promises that are rejected and handled, and random
// bytes.
#ifndef JSB_GLOBAL_OBJECT_H
#define JSB_GLOBAL_OBJECT_H

#include <JavaScriptCore/JavaScript.h>
#include <stdbool.h>
#include <stddef.h>

// Sets the prototype of a context's global object, which scripts and the C API cannot change. Returns false if the
// library has no function for it. The lock must be held.
bool jsb_set_global_prototype(JSGlobalContextRef context, JSObjectRef prototype);

// Called for each promise of a context that is rejected without a handler (0), and for each that gets its first handler
// after that (1). It runs inside the promise's operation, with the lock held, and may only take notes.
typedef void (*jsb_rejection_hook)(JSGlobalContextRef context, JSObjectRef promise, int operation);

// Compares the layout of the loaded library with the expected one, in a new context that has run nothing. Returns NULL
// if all is as expected, else the first difference. The lock must be held.
const char *jsb_probe_rejections(JSGlobalContextRef context, jsb_rejection_hook hook);
// Directs the rejections of a context to the hook, after a successful probe. The engine's own callback for unhandled
// rejections is not called any more, unless `jsb_keeps_rejection_callback`. Returns false if the context has another
// table of functions than the probed one.
bool jsb_hook_rejections(JSGlobalContextRef context);
// Returns whether the library's own function is called after the hook.
bool jsb_keeps_rejection_callback(void);

// Fills memory with random bytes of the system, getrandom(2), which Swift's module of the C library lacks. Returns 0 or
// the number of the error.
int jsb_fill_random(void *bytes, size_t count);

#endif
