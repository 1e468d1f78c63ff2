// The run loop of one thread: what the engine delivers its own work by, such as the callbacks of a
// FinalizationRegistry and the timers of its collector. The engine binds a virtual machine to the loop of the
// thread that makes it, so a thread enters its loop before its first call of the engine.
//
// The type is opaque: the headers of GLib stay out of Swift.
#ifndef JSB_RUN_LOOP_H
#define JSB_RUN_LOOP_H

#include <stdbool.h>
#include <stddef.h>

typedef struct jsb_run_loop jsb_run_loop;

// Starts, once per process, the thread that the engine takes for the application's main one, and waits for it. The
// engine's own timers ask for that thread's run loop (its memory pressure handler lives there) and crash where there is
// none; a library cannot offer the real main thread, and one that ends would leave a dangling run loop. False if the
// library that is loaded has no such function: run loops must then not be dispatched.
bool jsb_engine_main_thread_start(void);

jsb_run_loop *jsb_run_loop_create(void);
void jsb_run_loop_destroy(jsb_run_loop *loop);

// Makes it the loop of the calling thread, the one that the engine finds too; leaving gives the thread its former one
// back. Without the engine it serves the jobs of its owner only, and waiting never finds work.
void jsb_run_loop_enter(jsb_run_loop *loop, bool with_engine);
void jsb_run_loop_leave(jsb_run_loop *loop);

// Waits for work, or only looks whether there is any. True if there is: jsb_run_loop_dispatch must follow.
// Only on the loop's thread.
bool jsb_run_loop_wait(jsb_run_loop *loop, bool may_block);
void jsb_run_loop_dispatch(jsb_run_loop *loop);

// Starts a thread that nobody joins, with a name for debuggers. It takes no signal that others may send to the process:
// the host's handlers run on the host's threads; the collector's signal and those that a thread raises by itself still
// reach it. Returns an error number, 0 for none.
int jsb_thread_start(size_t stack_size, const char *name, void (*body)(void *argument), void *argument);

// Ends a wait, or the next one if none is under way. On any thread.
void jsb_run_loop_wake(jsb_run_loop *loop);

#endif
