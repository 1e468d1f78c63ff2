// Functions that the engine's library exports without a header. The C functions have been stable for years and
// are linked as usual. The C++ symbols may disappear with an update of the library, so they are weak and tested for.
#ifndef CJAVASCRIPTCORESPI_H
#define CJAVASCRIPTCORESPI_H

#include "EngineStart.h"
#include "GlobalObject.h"
#include "Inspector.h"
#include "ModuleLoader.h"
#include "RunLoop.h"
#include "ScriptBytecode.h"
#include "URLParser.h"
#include <JavaScriptCore/JavaScript.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef bool (*JSShouldTerminateCallback)(JSContextRef context, void *info);

// Limits the CPU time of the running thread, per context group, counted from the outermost entry. A callback that
// returns false must first set the limit again; otherwise it is never called again.
void JSContextGroupSetExecutionTimeLimit(
    JSContextGroupRef group, double limit, JSShouldTerminateCallback callback, void *info);
void JSContextGroupClearExecutionTimeLimit(JSContextGroupRef group);

// The function is called with (promise, reason) after the microtask checkpoint. `exception` must not be NULL.
void JSGlobalContextSetUnhandledRejectionCallback(
    JSGlobalContextRef context, JSObjectRef function, JSValueRef *exception);

// If off, an exception that reaches C is 14 times cheaper (22 us to 1.6 us, measured on 2.50.6).
void JSGlobalContextSetIncludesNativeCallStackWhenReportingExceptions(JSGlobalContextRef context, bool includes);

// Allows or forbids the evaluation of strings as code by `eval`, `Function` and similar functions. The message is that
// of the EvalError.
void JSGlobalContextSetEvalEnabled(JSGlobalContextRef context, bool enabled, JSStringRef message);

// Returns an object with heapSize, extraMemorySize and counts, as of the last collection. It walks the heap.
JSObjectRef JSGetMemoryUsageStatistics(JSContextRef context);

// A source that was parsed for a group and is run in any of its contexts. It must be released before the group.
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

// Weak references to objects, and marking during a collection. Weak symbols: see jsb_has_weak_references.
typedef struct OpaqueJSWeak *JSWeakRef;
JSWeakRef JSWeakCreate(JSContextGroupRef group, JSObjectRef object) __attribute__((weak));
void JSWeakRelease(JSContextGroupRef group, JSWeakRef weak) __attribute__((weak));
// Null once the object was found unreachable. A marking constraint may call it.
JSObjectRef JSWeakGetObject(JSWeakRef weak) __attribute__((weak));

typedef struct JSMarker JSMarker;
typedef JSMarker *JSMarkerRef;
struct JSMarker {
    bool (*IsMarked)(JSMarkerRef marker, JSObjectRef object);
    void (*Mark)(JSMarkerRef marker, JSObjectRef object);
};
// Called several times in every collection, on any thread while scripts are suspended, until it marks nothing new. It
// may call the marker's functions and JSWeakGetObject, and no other function of the engine. It is never removed.
typedef void (*JSMarkingConstraint)(JSMarkerRef marker, void *info);
void JSContextGroupAddMarkingConstraint(
    JSContextGroupRef group, JSMarkingConstraint constraint, void *info) __attribute__((weak));
bool jsb_has_weak_references(void);

// Reads an option of the engine, from jsc/JSCOptions.h. Returns false for a name that the library does not know.
int jsc_options_get_boolean(const char *option, int *value) __attribute__((weak));
bool jsb_can_read_options(void);

// Changes the signal by which the collector stops threads; allowed only before the first call of the engine.
bool JSConfigureSignalForGC(int signal);

// The version of the loaded library. These functions have a header, but it would include all of GLib.
unsigned jsc_get_major_version(void);
unsigned jsc_get_minor_version(void);
unsigned jsc_get_micro_version(void);

// Whether JSBRIDGE_PRIVATE_SYMBOLS=hidden is set. The library is then used as if all optional symbols were missing, to
// test the fallbacks.
bool jsb_hides_private_symbols(void);

// Returns whether the loaded library has the symbol behind jsb_drain_microtasks.
bool jsb_can_drain_microtasks(void);
// Drains the group's microtasks now, inside the current entry, where the time limit applies. The lock must be held.
void jsb_drain_microtasks(JSContextGroupRef group);

// Returns the free pages of the engine's allocator to the system, if the library can; otherwise the allocator does so
// within a second.
void jsb_release_free_memory(void);
// Returns whether the loaded library has the symbol for it.
bool jsb_can_release_free_memory(void);

// The current thread's innermost turn: set by Swift, read by its callbacks. The engine passes no pointer of the package
// to callbacks, and callbacks run only in a turn.
struct jsb_turn {
    void *machine;
    // The context of the turn: the engine's address and the package's.
    JSGlobalContextRef global;
    void *context;
    // The number of active calls from JavaScript into Swift, and its limit.
    int32_t nested_calls;
    int32_t maximum_nested_calls;
    // Whether the turn was ended: a script that catches the error must not continue.
    bool is_stopped;
};
extern _Thread_local struct jsb_turn jsb_turn_state;
static inline struct jsb_turn jsb_current_turn(void) { return jsb_turn_state; }
static inline void jsb_set_current_turn(struct jsb_turn turn) { jsb_turn_state = turn; }
// Begins a call from JavaScript into Swift; returns false if the call is not allowed.
static inline bool jsb_begin_call(int32_t reserve) {
    if (jsb_turn_state.is_stopped || jsb_turn_state.nested_calls - reserve >= jsb_turn_state.maximum_nested_calls)
        return false;
    jsb_turn_state.nested_calls++;
    return true;
}
static inline void jsb_end_call(void) { jsb_turn_state.nested_calls--; }
static inline bool jsb_is_turn_stopped(void) { return jsb_turn_state.is_stopped; }
static inline void jsb_stop_turn(void) { jsb_turn_state.is_stopped = true; }
// Returns a thread's mark: it is unique among the living threads, and never 0.
static inline uintptr_t jsb_thread_mark(void) { return (uintptr_t)&jsb_turn_state; }
// Reads the mark of the owning thread; any thread may do so at any time.
static inline uintptr_t jsb_load_mark(const uintptr_t *mark) { return __atomic_load_n(mark, __ATOMIC_RELAXED); }
static inline void jsb_store_mark(uintptr_t *mark, uintptr_t thread) {
    __atomic_store_n(mark, thread, __ATOMIC_RELAXED);
}
static inline void *jsb_current_machine(void) { return jsb_turn_state.machine; }
// Returns the context of the open turn, if its address is the given one.
static inline void *jsb_open_context(JSGlobalContextRef global) {
    return jsb_turn_state.global == global ? jsb_turn_state.context : 0;
}

// The fast path: a function that the engine calls without releasing its lock and without copying arguments. It receives
// the global object and the call frame, and returns an encoded value. Decision 0004 describes the layout and its
// guards.
typedef uint64_t (*jsb_host_function)(void *global, const uint64_t *frame);
// Returns whether the loaded library has the symbol behind jsb_make_host_function, and pointers have the needed size.
bool jsb_can_make_host_functions(void);
// Creates such a function; NULL if the symbol is missing. The lock must be held, and the function must not throw.
JSObjectRef jsb_make_host_function(JSGlobalContextRef context, jsb_host_function function);

// Strings with one byte for each character, U+0000 to U+00FF. The C API creates them only from UTF-8, cut at NUL. They
// are off until they are enabled, which requires a self-test first.
bool jsb_can_make_narrow_strings(void);
void jsb_enable_narrow_strings(bool is_wanted);
bool jsb_makes_narrow_strings(void);
// Creates a string, which the caller releases, from Latin-1 or from UTF-16 units below U+0100; NULL if it cannot.
JSStringRef jsb_make_narrow_string(const uint8_t *bytes, size_t count);
JSStringRef jsb_make_narrow_string_of_units(const uint16_t *units, size_t count);

// The number of active leak trackers. It is read wherever a value is created, and must be cheap.
extern _Atomic int jsb_leak_tracker_count;
static inline bool jsb_tracks_leaks(void) {
    return __c11_atomic_load(&jsb_leak_tracker_count, __ATOMIC_RELAXED) != 0;
}
void jsb_add_leak_tracker(int change);

// The C library's wcwidth, which Swift's module of it omits: columns of a scalar in the current locale, -1 for a
// control.
int jsb_display_width(uint32_t scalar);

// Returns a real-time signal without a handler in this process, from the middle of their range; 0 if all have handlers.
// GNU's C library reserves the first two signals, and debuggers and profilers begin at either end.
int jsb_free_collector_signal(void);
// Returns the signal that the collector uses in this process.
int jsb_collector_signal(void);

// Returns whether the loaded library has its own function for jsb_promise_status. Other versions have it inlined. The
// status is then read from the promise's memory, once its position is known: before the first context.
bool jsb_has_promise_status(void);
void jsb_set_promise_bits(unsigned word, unsigned shift);
// Returns whether one of the two is available.
bool jsb_knows_promise_status(void);
// Returns the state of a promise of the engine's own class: 0 pending, 1 fulfilled, 2 rejected. It must be a promise.
unsigned jsb_promise_status(JSContextGroupRef group, JSObjectRef promise);
// Returns a proxy's target without running its traps; NULL for another object, and the engine's null for a revoked
// proxy.
JSValueRef jsb_proxy_target(JSObjectRef object);

// Sets the word of a promise that has its result, where the library has no function for it: before the first context.
void jsb_set_promise_result(unsigned word);
// Returns whether the result of a promise is known, by a function of the library or by its position.
bool jsb_knows_promise_result(void);
// Returns whether two objects have the same kind in the engine, such as promise, map or plain object.
bool jsb_is_same_kind(JSObjectRef left, JSObjectRef right);
// Returns the result of a settled promise of the engine's own class. It must be such a promise.
JSValueRef jsb_promise_result(JSContextGroupRef group, JSObjectRef promise);

// Sets the scripts' default locale, such as "de_DE": once, before the first call of the engine, and only by the
// program. Returns false for a name that is too long.
bool jsb_set_default_locale(const char *name);

// Prevents a race in the engine's time limit from ending the process: see trap_guard.c. Only where the engine
// polls for traps. Returns false if the engine's functions cannot be replaced.
bool jsb_guard_traps(void);
// Returns whether the engine has one function for both, which uses its state under one lock and has no such race.
bool jsb_has_locked_traps(void);
// Returns the number of stops that the engine has requested since then.
long jsb_guarded_trap_count(void);

// The engine's own readings of the thread's processor time: see entry_time.c.
extern _Thread_local uint64_t jsb_entry_time_state;
// Forgets the readings before a turn.
static inline void jsb_forget_entry_time(void) { jsb_entry_time_state = 0; }
// Returns the first reading on this thread since then, in nanoseconds; 0 if no reading was seen.
static inline uint64_t jsb_entry_time(void) { return jsb_entry_time_state; }

#endif
