// Functions that the engine's library exports without a header. The C functions have been stable for years and
// are linked as usual; the C++ symbols may vanish with an update of the library, so they are weak and tested for.
#ifndef CJAVASCRIPTCORESPI_H
#define CJAVASCRIPTCORESPI_H

#include "EngineStart.h"
#include "RunLoop.h"
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

// Whether text may become code: `eval`, `Function` and its kin. The message is that of the EvalError.
void JSGlobalContextSetEvalEnabled(JSGlobalContextRef context, bool enabled, JSStringRef message);

// An object with heapSize, extraMemorySize and counts, as of the last collection. Walks the heap.
JSObjectRef JSGetMemoryUsageStatistics(JSContextRef context);

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

// Weak references to objects, and what a collection asks about them. Weak symbols: see jsb_has_weak_references.
typedef struct OpaqueJSWeak *JSWeakRef;
JSWeakRef JSWeakCreate(JSContextGroupRef group, JSObjectRef object) __attribute__((weak));
void JSWeakRelease(JSContextGroupRef group, JSWeakRef weak) __attribute__((weak));
// Null once the object was found unreachable. It may be called from a marking constraint.
JSObjectRef JSWeakGetObject(JSWeakRef weak) __attribute__((weak));

typedef struct JSMarker JSMarker;
typedef JSMarker *JSMarkerRef;
struct JSMarker {
    bool (*IsMarked)(JSMarkerRef marker, JSObjectRef object);
    void (*Mark)(JSMarkerRef marker, JSObjectRef object);
};
// Called in every collection, several times, on any thread and while scripts stand still, until nothing new is
// marked. It may call the marker's functions and JSWeakGetObject, nothing else of the engine. Never removed.
typedef void (*JSMarkingConstraint)(JSMarkerRef marker, void *info);
void JSContextGroupAddMarkingConstraint(
    JSContextGroupRef group, JSMarkingConstraint constraint, void *info) __attribute__((weak));
bool jsb_has_weak_references(void);

// Reads an option of the engine, from jsc/JSCOptions.h; both give false for a name that the library does not know.
int jsc_options_get_boolean(const char *option, int *value) __attribute__((weak));
bool jsb_can_read_options(void);

// Moves the signal that stops threads for the collector; only before the first call of the engine.
bool JSConfigureSignalForGC(int signal);

// The version of the library that is loaded. These have a header, which would pull in all of GLib.
unsigned jsc_get_major_version(void);
unsigned jsc_get_minor_version(void);
unsigned jsc_get_micro_version(void);

// Whether JSBRIDGE_PRIVATE_SYMBOLS=hidden: the library is then used as if every symbol that may vanish had, to test what
// is left.
bool jsb_hides_private_symbols(void);

// Whether the symbol behind jsb_drain_microtasks is in the library that is loaded.
bool jsb_can_drain_microtasks(void);
// Runs the group's microtasks now, inside the current entry, where the time limit counts. The lock must be held.
void jsb_drain_microtasks(JSContextGroupRef group);

// Gives the pages back to the system that the engine's allocator holds free, where the library can; it does so by
// itself within a second.
void jsb_release_free_memory(void);
// Whether the symbol behind it is in the library that is loaded.
bool jsb_can_release_free_memory(void);

// What the current thread's innermost turn belongs to: set by Swift, read by its callbacks. The engine hands
// callbacks no pointer of ours, and a turn is the only place where callbacks can run.
struct jsb_turn {
    void *machine;
    // The context whose turn it is: the engine's address, and ours.
    JSGlobalContextRef global;
    void *context;
    // How many calls from JavaScript into Swift are under way, and how many may be.
    int32_t nested_calls;
    int32_t maximum_nested_calls;
    // Whether the turn was ended: what JavaScript catches of that must not run on.
    bool is_stopped;
};
extern _Thread_local struct jsb_turn jsb_turn_state;
static inline struct jsb_turn jsb_current_turn(void) { return jsb_turn_state; }
static inline void jsb_set_current_turn(struct jsb_turn turn) { jsb_turn_state = turn; }
// Begins a call from JavaScript into Swift; false where it may not be.
static inline bool jsb_begin_call(int32_t reserve) {
    if (jsb_turn_state.is_stopped || jsb_turn_state.nested_calls - reserve >= jsb_turn_state.maximum_nested_calls)
        return false;
    jsb_turn_state.nested_calls++;
    return true;
}
static inline void jsb_end_call(void) { jsb_turn_state.nested_calls--; }
static inline bool jsb_is_turn_stopped(void) { return jsb_turn_state.is_stopped; }
static inline void jsb_stop_turn(void) { jsb_turn_state.is_stopped = true; }
// A thread's mark: of those that live no two have the same, and none has 0.
static inline uintptr_t jsb_thread_mark(void) { return (uintptr_t)&jsb_turn_state; }
// The mark of the thread that something belongs to, which another thread may read at any time.
static inline uintptr_t jsb_load_mark(const uintptr_t *mark) { return __atomic_load_n(mark, __ATOMIC_RELAXED); }
static inline void jsb_store_mark(uintptr_t *mark, uintptr_t thread) {
    __atomic_store_n(mark, thread, __ATOMIC_RELAXED);
}
static inline void *jsb_current_machine(void) { return jsb_turn_state.machine; }
// The context of the open turn, if it is the one at that address.
static inline void *jsb_open_context(JSGlobalContextRef global) {
    return jsb_turn_state.global == global ? jsb_turn_state.context : 0;
}

// The fast lane: a function that the engine calls without giving its lock away and without copying arguments. It gets
// the global object and the call frame, and returns an encoded value. Decision 0004 has the layout and its guards.
typedef uint64_t (*jsb_host_function)(void *global, const uint64_t *frame);
// Whether the symbol behind jsb_make_host_function is in the library that is loaded, and pointers are as it needs them.
bool jsb_can_make_host_functions(void);
// Makes such a function; NULL where the symbol is missing. The lock must be held, and nothing in it may throw.
JSObjectRef jsb_make_host_function(JSGlobalContextRef context, jsb_host_function function);

// Strings of one byte a character, U+0000 to U+00FF, which the C API makes of UTF-8 only, cut at NUL. Off until they are
// enabled, which a test of them comes before.
bool jsb_can_make_narrow_strings(void);
void jsb_enable_narrow_strings(bool is_wanted);
bool jsb_makes_narrow_strings(void);
// Makes a string, which the caller releases, of Latin-1 or of UTF-16 units below U+0100; NULL where it cannot.
JSStringRef jsb_make_narrow_string(const uint8_t *bytes, size_t count);
JSStringRef jsb_make_narrow_string_of_units(const uint16_t *units, size_t count);

// How many censuses count what is alive: read wherever a value is made, so as plain as can be.
extern _Atomic int jsb_census_count;
static inline bool jsb_is_census_taken(void) {
    return __c11_atomic_load(&jsb_census_count, __ATOMIC_RELAXED) != 0;
}
void jsb_add_census(int change);

// The C library's wcwidth, which Swift's module of it leaves out: columns of a scalar in the current locale, -1 for a control.
int jsb_display_width(uint32_t scalar);

// A real-time signal that nobody handles in this process yet, from the middle of their range: GNU's C library keeps
// the first two for itself, and debuggers and profilers begin at either end. 0 if all have handlers.
int jsb_free_collector_signal(void);
// The signal that the collector uses in this process.
int jsb_collector_signal(void);

// Whether the library that is loaded has its own function for jsb_promise_status. Others have it inlined, and it is read
// where a promise keeps it, once that is known: before the first context.
bool jsb_has_promise_status(void);
void jsb_set_promise_bits(unsigned word, unsigned shift);
// Whether one of the two is there.
bool jsb_knows_promise_status(void);
// The state of an object that is a promise of the engine's own: 0 pending, 1 fulfilled, 2 rejected. It must be one.
unsigned jsb_promise_status(JSContextGroupRef group, JSObjectRef promise);
// What a proxy stands before, without asking its traps; NULL for another object. Of a revoked one it is the engine's null.
JSValueRef jsb_proxy_target(JSObjectRef object);

// Whether the symbols behind the two are in the library that is loaded.
bool jsb_knows_promise_result(void);
// Whether two objects are of one kind to the engine, such as a promise, a map or a plain object.
bool jsb_is_same_kind(JSObjectRef left, JSObjectRef right);
// What a settled promise of the engine's own has come to. It must be one.
JSValueRef jsb_promise_result(JSContextGroupRef group, JSObjectRef promise);

// Sets the locale that scripts have by default, such as "de_DE": once, before the first call of the engine, by the program
// alone. False for a name that is too long.
bool jsb_set_default_locale(const char *name);

// Lets the engine's time limit no longer end the process by a race of its own: see trap_guard.c. Only where the engine
// polls for traps; false where its functions cannot be stood in for.
bool jsb_guard_traps(void);
// Whether the engine has one function for both, which reads and writes its state under one lock, and so has no such race.
bool jsb_has_locked_traps(void);
// How many stops the engine has asked for since then.
long jsb_guarded_trap_count(void);

// The engine's own readings of the thread's processor time: see entry_time.c.
extern _Thread_local uint64_t jsb_entry_time_state;
// Forgets the readings before a turn.
static inline void jsb_forget_entry_time(void) { jsb_entry_time_state = 0; }
// The first reading on this thread since then, in nanoseconds; 0 where there was none that is seen.
static inline uint64_t jsb_entry_time(void) { return jsb_entry_time_state; }

#endif
