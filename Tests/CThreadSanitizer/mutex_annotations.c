// Informs the thread sanitizer about contended accesses to Swift's Mutex.
//
// A free Mutex is locked and unlocked by atomic operations inlined into instrumented code, which the sanitizer sees. A
// Mutex that another thread holds is locked and unlocked in the library, which is built without the sanitizer. The
// sanitizer then misses the order between the two threads, and reports everything that the Mutex guards as a race.
// These two functions replace the library's, do the same, and report it to the sanitizer.
//
// A build without the sanitizer contains nothing of this.

#if __has_feature(thread_sanitizer)

#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdint.h>
#include <stdlib.h>

void __tsan_acquire(void *address);
void __tsan_release(void *address);

// Methods of a Swift structure receive it in the context register.
#define SWIFT_SELF __attribute__((swift_context)) void *mutex
#define SWIFT_METHOD __attribute__((swiftcall, visibility("default")))
#define LOCK_SLOW "$s15Synchronization12_MutexHandleV9_lockSlowyys6UInt32VF"
#define UNLOCK_SLOW "$s15Synchronization12_MutexHandleV11_unlockSlowyyF"

typedef __attribute__((swiftcall)) void (*LockSlow)(uint32_t, SWIFT_SELF);
typedef __attribute__((swiftcall)) void (*UnlockSlow)(SWIFT_SELF);

static LockSlow libraryLock;
static UnlockSlow libraryUnlock;

__attribute__((constructor)) static void findLibrary(void) {
    libraryLock = (LockSlow)dlsym(RTLD_NEXT, LOCK_SLOW);
    libraryUnlock = (UnlockSlow)dlsym(RTLD_NEXT, UNLOCK_SLOW);
    // If a library has other names, change them here.
    if (!libraryLock || !libraryUnlock) abort();
}

SWIFT_METHOD void lockSlow(uint32_t thread, SWIFT_SELF) __asm__(LOCK_SLOW);
SWIFT_METHOD void lockSlow(uint32_t thread, SWIFT_SELF) {
    libraryLock(thread, mutex);
    __tsan_acquire(mutex);
}

SWIFT_METHOD void unlockSlow(SWIFT_SELF) __asm__(UNLOCK_SLOW);
SWIFT_METHOD void unlockSlow(SWIFT_SELF) {
    __tsan_release(mutex);
    libraryUnlock(mutex);
}

#endif
