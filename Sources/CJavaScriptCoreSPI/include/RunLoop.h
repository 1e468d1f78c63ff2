// The run loop of one thread. The engine uses it to deliver its own work, such as the callbacks of a
// FinalizationRegistry and the timers of its collector. The engine binds a virtual machine to the loop of the
// thread that creates it, so a thread enters its loop before its first call of the engine.
//
// The type is opaque: the headers of GLib stay out of Swift.
#ifndef JSB_RUN_LOOP_H
#define JSB_RUN_LOOP_H

#include <stdbool.h>
#include <stddef.h>

typedef struct jsb_run_loop jsb_run_loop;

// Starts a thread that becomes the engine's main thread, runs the work on it, and returns when the work has ended. It
// must be called once in a process, before its first virtual machine. Otherwise some versions of the engine end the
// process. A virtual machine that is created on another thread binds that thread to a run loop of the engine.
//
// The engine's own timers need the main thread's run loop (its memory pressure handler uses it) and crash without one.
// A library cannot provide the real main thread, and a thread that ends would leave a dangling run loop.
//
// If the thread must not or cannot become the engine's main thread, it ends with the work; run loops must then not be
// dispatched. Returns whether the work was run: false if the system creates no thread.
bool jsb_engine_main_thread_start(bool takes_main_thread, void (*work)(void *argument), void *argument);
// Returns whether the loaded library has the function for it.
bool jsb_can_start_engine_main_thread(void);

jsb_run_loop *jsb_run_loop_create(void);
void jsb_run_loop_destroy(jsb_run_loop *loop);

// Makes it the loop of the calling thread, which the engine finds too. Leaving restores the thread's previous loop.
// Without the engine, the loop runs only the jobs of its owner, and waiting never finds work.
void jsb_run_loop_enter(jsb_run_loop *loop, bool with_engine);
void jsb_run_loop_leave(jsb_run_loop *loop);

// Waits for work, or only checks for it. Returns true if there is work: jsb_run_loop_dispatch must follow.
// It must be called on the loop's thread.
bool jsb_run_loop_wait(jsb_run_loop *loop, bool may_block);
void jsb_run_loop_dispatch(jsb_run_loop *loop);

// Starts a detached thread with a name for debuggers. The thread blocks signals that others may send to the process, so
// that the host's handlers run on the host's threads. The collector's signal and those that a thread raises by itself
// still reach it. Returns an error number, 0 for success.
int jsb_thread_start(size_t stack_size, const char *name, void (*body)(void *argument), void *argument);

// Ends a wait, or the next one if no wait is in progress. Any thread may call it.
void jsb_run_loop_wake(jsb_run_loop *loop);

#endif
