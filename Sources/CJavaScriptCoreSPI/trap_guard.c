// For RTLD_NEXT.
#define _GNU_SOURCE
#include "CJavaScriptCoreSPI.h"

#ifdef __linux__
#include <dlfcn.h>

// JSC::VMTraps::requestThreadStopIfNeeded(unsigned) and cancelThreadStopIfNeeded(): the engine calls both through its
// table of dynamic symbols, where the program's definitions take precedence, so these replace them.
//
// The engine's timer first sets a trap and then requests the stop. If the script takes the trap between the two, an
// assertion in either function ends the process (2.50.6, two timers of 1 ms in parallel on a busy machine: 4 of 6
// runs of 30 s). A stop is only needed where traps are signals. Where the engine polls for traps, the two functions
// only maintain the flag that the assertions compare, and the notice that ends a wait in `Atomics.wait`, which this
// package never requests.
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
