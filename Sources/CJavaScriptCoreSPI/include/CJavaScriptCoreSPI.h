// Functions that the engine's library exports without a header. The C functions have been stable for years and
// are linked as usual; the one C++ symbol may vanish with an update of the library, so it is weak and tested for.
#ifndef CJAVASCRIPTCORESPI_H
#define CJAVASCRIPTCORESPI_H

#include <JavaScriptCore/JavaScript.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef bool (*JSShouldTerminateCallback)(JSContextRef context, void *info);

// CPU time of the running thread, per context group, counted from the outermost entry. A callback that returns
// false must set the limit again first, or it never fires any more.
void JSContextGroupSetExecutionTimeLimit(
    JSContextGroupRef group, double limit, JSShouldTerminateCallback callback, void *info);
void JSContextGroupClearExecutionTimeLimit(JSContextGroupRef group);

// The function is called with (promise, reason) when the microtasks are done. `exception` must not be NULL.
void JSGlobalContextSetUnhandledRejectionCallback(
    JSGlobalContextRef context, JSObjectRef function, JSValueRef *exception);

// Off makes an exception that reaches C 14 times cheaper (22 us to 1.6 us, measured on 2.50.6).
void JSGlobalContextSetIncludesNativeCallStackWhenReportingExceptions(JSGlobalContextRef context, bool includes);

// A source that is parsed once for a group and run in any of its contexts. To be released before the group.
typedef struct OpaqueJSScript *JSScriptRef;
JSScriptRef JSScriptCreateFromString(
    JSContextGroupRef group, JSStringRef url, int startingLine, JSStringRef source, JSStringRef *errorMessage,
    int *errorLine);
JSValueRef JSScriptEvaluate(JSContextRef context, JSScriptRef script, JSValueRef thisValue, JSValueRef *exception);
void JSScriptRelease(JSScriptRef script);

JSStringRef JSContextCreateBacktrace(JSContextRef context, unsigned maximumFrames);
void JSLock(JSContextRef context);
void JSUnlock(JSContextRef context);
void JSSynchronousGarbageCollectForDebugging(JSContextRef context);

// Moves the signal that stops threads for the collector; only before the first call of the engine.
bool JSConfigureSignalForGC(int signal);

// The version of the library that is loaded. These have a header, which would pull in all of GLib.
unsigned jsc_get_major_version(void);
unsigned jsc_get_minor_version(void);
unsigned jsc_get_micro_version(void);

// Whether the symbol behind jsb_drain_microtasks is in the library that is loaded.
bool jsb_can_drain_microtasks(void);
// Runs the group's microtasks now, inside the current entry, where the time limit counts. The lock must be held.
void jsb_drain_microtasks(JSContextGroupRef group);

// What the current thread's innermost turn belongs to: set by Swift, read by its callbacks. The engine hands
// callbacks no pointer of ours, and a turn is the only place where callbacks can run.
void *jsb_current_machine(void);
void jsb_set_current_machine(void *machine);

// The C library's wcwidth, which Swift's module of it leaves out: columns of a scalar in the current locale, -1 for a control.
int jsb_display_width(uint32_t scalar);

// A signal that no common library takes: GNU's C library keeps the first two real-time signals for itself.
int jsb_collector_signal(void);

#endif
