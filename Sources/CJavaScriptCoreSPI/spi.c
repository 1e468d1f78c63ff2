// For wcwidth.
#define _GNU_SOURCE
#include "CJavaScriptCoreSPI.h"
#include <signal.h>
#include <wchar.h>

// JSC::VM::drainMicrotasks(). A JSContextGroupRef is the VM's address.
extern void drain_microtasks(void *vm) __asm__("_ZN3JSC2VM15drainMicrotasksEv") __attribute__((weak));

bool jsb_can_drain_microtasks(void) { return drain_microtasks != 0; }

void jsb_drain_microtasks(JSContextGroupRef group) {
    if (drain_microtasks) drain_microtasks((void *)group);
}

// WTF::releaseFastMallocFreeMemory().
extern void release_free_memory(void) __asm__("_ZN3WTF27releaseFastMallocFreeMemoryEv") __attribute__((weak));

void jsb_release_free_memory(void) {
    if (release_free_memory) release_free_memory();
}

static _Thread_local void *current_machine;

void *jsb_current_machine(void) { return current_machine; }
void jsb_set_current_machine(void *machine) { current_machine = machine; }

int jsb_display_width(uint32_t scalar) { return wcwidth((wchar_t)scalar); }

int jsb_collector_signal(void) { return SIGRTMIN + 5; }

// JSC::JSPromise::status(JSC::VM&) const.
extern unsigned promise_status(JSObjectRef promise, void *vm) __asm__("_ZNK3JSC9JSPromise6statusERNS_2VME")
    __attribute__((weak));

bool jsb_knows_promise_status(void) { return promise_status != 0; }

unsigned jsb_promise_status(JSContextGroupRef group, JSObjectRef promise) {
    return promise_status ? promise_status(promise, (void *)group) : 0;
}
