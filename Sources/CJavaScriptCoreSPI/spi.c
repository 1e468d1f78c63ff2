// For wcwidth.
#define _GNU_SOURCE
#include "CJavaScriptCoreSPI.h"
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <wchar.h>

bool jsb_hides_private_symbols(void) {
    // Threads that run this in parallel find the same answer.
    static _Atomic int known;
    int answer = known;
    if (answer == 0) {
        const char *setting = getenv("JSBRIDGE_PRIVATE_SYMBOLS");
        answer = setting && strcmp(setting, "hidden") == 0 ? 2 : 1;
        known = answer;
    }
    return answer == 2;
}

// JSC::VM::drainMicrotasks(). A JSContextGroupRef is the VM's address.
extern void drain_microtasks(void *vm) __asm__("_ZN3JSC2VM15drainMicrotasksEv") __attribute__((weak));

bool jsb_can_drain_microtasks(void) { return drain_microtasks != 0 && !jsb_hides_private_symbols(); }

void jsb_drain_microtasks(JSContextGroupRef group) {
    if (jsb_can_drain_microtasks()) drain_microtasks((void *)group);
}

// WTF::releaseFastMallocFreeMemory().
extern void release_free_memory(void) __asm__("_ZN3WTF27releaseFastMallocFreeMemoryEv") __attribute__((weak));

bool jsb_can_release_free_memory(void) { return release_free_memory != 0 && !jsb_hides_private_symbols(); }

void jsb_release_free_memory(void) {
    if (jsb_can_release_free_memory()) release_free_memory();
}

_Thread_local struct jsb_turn jsb_turn_state;

_Atomic int jsb_leak_tracker_count;
void jsb_add_leak_tracker(int change) { __c11_atomic_fetch_add(&jsb_leak_tracker_count, change, __ATOMIC_RELAXED); }

int jsb_display_width(uint32_t scalar) { return wcwidth((wchar_t)scalar); }

bool jsb_has_weak_references(void) {
    return !jsb_hides_private_symbols() && JSWeakCreate != 0 && JSWeakRelease != 0 && JSWeakGetObject != 0 && JSContextGroupAddMarkingConstraint != 0;
}

bool jsb_can_read_options(void) { return jsc_options_get_boolean != 0; }

// Written at the start, and read by each thread that is started for a runtime.
static _Atomic int collector_signal;

int jsb_collector_signal(void) {
    const int number = collector_signal;
    return number ? number : SIGUSR1;
}

int jsb_free_collector_signal(void) {
    for (int number = SIGRTMIN + 5; number < SIGRTMAX; number++) {
        struct sigaction current;
        if (sigaction(number, 0, &current) == 0 && !(current.sa_flags & SA_SIGINFO) && current.sa_handler == SIG_DFL)
            return collector_signal = number;
    }
    return 0;
}

// JSC::JSPromise::status(JSC::VM&) const.
extern unsigned promise_status(JSObjectRef promise, void *vm) __asm__("_ZNK3JSC9JSPromise6statusERNS_2VME")
    __attribute__((weak));

// The position of a promise's state, if it is known: it is never word 0.
static unsigned promise_word, promise_shift;

void jsb_set_promise_bits(unsigned word, unsigned shift) {
    promise_word = word;
    promise_shift = shift;
}

bool jsb_has_promise_status(void) { return promise_status != 0 && !jsb_hides_private_symbols(); }

bool jsb_knows_promise_status(void) {
    return !jsb_hides_private_symbols() && (promise_status != 0 || promise_word != 0);
}

unsigned jsb_promise_status(JSContextGroupRef group, JSObjectRef promise) {
    if (!jsb_knows_promise_status()) return 0;
    if (promise_status) return promise_status(promise, (void *)group);
    return ((const uint64_t *)promise)[promise_word] >> promise_shift & 3;
}

JSObjectRef JSObjectGetProxyTarget(JSObjectRef object) __attribute__((weak));

JSValueRef jsb_proxy_target(JSObjectRef object) {
    return JSObjectGetProxyTarget != 0 ? JSObjectGetProxyTarget(object) : 0;
}

// JSC::JSPromise::result(JSC::VM&) const, which returns a JSValue in the encoding of the C API.
extern JSValueRef promise_result(JSObjectRef promise, void *vm) __asm__("_ZNK3JSC9JSPromise6resultERNS_2VME")
    __attribute__((weak));

// The word of a promise's result, if it is known: it is never word 0.
static unsigned promise_result_word;

void jsb_set_promise_result(unsigned word) { promise_result_word = word; }

bool jsb_knows_promise_result(void) {
    return jsb_knows_promise_status() && (promise_result != 0 || promise_result_word != 0);
}

JSValueRef jsb_promise_result(JSContextGroupRef group, JSObjectRef promise) {
    if (!jsb_knows_promise_result()) return 0;
    if (promise_result) return promise_result(promise, (void *)group);
    // In a pending promise the same word has its reactions.
    if (jsb_promise_status(group, promise) == 0) return 0;
    return ((const JSValueRef *)promise)[promise_result_word];
}

// The header of each cell of the heap: the id of its structure, then one byte each for its indexing type, its own type
// (JSType), flags and the collector.
bool jsb_is_same_kind(JSObjectRef left, JSObjectRef right) {
    return ((const unsigned char *)left)[5] == ((const unsigned char *)right)[5];
}
