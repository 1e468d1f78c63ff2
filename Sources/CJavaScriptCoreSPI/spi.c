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

_Thread_local struct jsb_turn jsb_turn_state;

int jsb_display_width(uint32_t scalar) { return wcwidth((wchar_t)scalar); }

int jsb_collector_signal(void) { return SIGRTMIN + 5; }
