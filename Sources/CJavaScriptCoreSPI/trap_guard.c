// For RTLD_NEXT.
#define _GNU_SOURCE
#include "CJavaScriptCoreSPI.h"

#ifdef __linux__
#include <dlfcn.h>

// JSC::VMTraps::requestThreadStopIfNeeded(unsigned) and cancelThreadStopIfNeeded(): the engine calls both through its
// table of dynamic symbols, where the definitions of the program come before its own, so these stand in for them.
//
// The engine's timer sets a trap first and asks for the stop afterwards; where the script takes the trap between the
// two, an assertion in either function ends the process (2.50.6, two timers of 1 ms at once on a busy machine: 4 of 6
// runs of 30 s). A stop is only needed where traps come by signals. Where the engine polls for them, the two functions
// keep nothing but the flag that the assertions compare, and the notice that ends a wait in `Atomics.wait`, for which
// this package never asks.
#define EXPORTED __attribute__((visibility("default"), used))
EXPORTED void request_thread_stop(void *traps, unsigned event) __asm__("_ZN3JSC7VMTraps25requestThreadStopIfNeededEj");
EXPORTED void cancel_thread_stop(void *traps) __asm__("_ZN3JSC7VMTraps24cancelThreadStopIfNeededEv");

static _Atomic bool is_guarding;
static _Atomic long guarded_count;

void request_thread_stop(void *traps, unsigned event) {
    if (is_guarding) {
        guarded_count++;
        return;
    }
    void (*original)(void *, unsigned) = dlsym(RTLD_NEXT, "_ZN3JSC7VMTraps25requestThreadStopIfNeededEj");
    if (original) original(traps, event);
}

void cancel_thread_stop(void *traps) {
    if (is_guarding) return;
    void (*original)(void *) = dlsym(RTLD_NEXT, "_ZN3JSC7VMTraps24cancelThreadStopIfNeededEv");
    if (original) original(traps);
}

bool jsb_guard_traps(void) {
    if (jsb_hides_private_symbols()) return false;
    // Whether the process finds these before the engine's own, and whether the engine has them at all.
    is_guarding = dlsym(RTLD_DEFAULT, "_ZN3JSC7VMTraps25requestThreadStopIfNeededEj") == (void *)request_thread_stop
        && dlsym(RTLD_DEFAULT, "_ZN3JSC7VMTraps24cancelThreadStopIfNeededEv") == (void *)cancel_thread_stop
        && dlsym(RTLD_NEXT, "_ZN3JSC7VMTraps25requestThreadStopIfNeededEj")
        && dlsym(RTLD_NEXT, "_ZN3JSC7VMTraps24cancelThreadStopIfNeededEv");
    return is_guarding;
}

bool jsb_has_locked_traps(void) {
    return !jsb_hides_private_symbols()
        && dlsym(RTLD_DEFAULT, "_ZN3JSC7VMTraps31updateThreadStopRequestIfNeededEv") != 0
        && dlsym(RTLD_NEXT, "_ZN3JSC7VMTraps25requestThreadStopIfNeededEj") == 0;
}

long jsb_guarded_trap_count(void) { return guarded_count; }
#else
bool jsb_guard_traps(void) { return false; }
bool jsb_has_locked_traps(void) { return false; }
long jsb_guarded_trap_count(void) { return 0; }
#endif
