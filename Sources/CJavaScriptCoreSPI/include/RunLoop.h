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

// Starts the thread that the engine takes for the application's main one, runs the work on it, and returns when that has
// ended. To be called once in a process, before its first virtual machine: some versions of the engine end the process
// where one exists, and a virtual machine that is made on another thread binds that thread to a run loop of the engine's.
//
// The engine's own timers ask for the main thread's run loop (its memory pressure handler lives there) and crash where
// there is none; a library cannot offer the real main thread, and one that ends would leave a dangling run loop.
//
// Where the thread shall not, or cannot, become the engine's main one, it ends with the work; run loops must then not be
// dispatched. Returns whether the work was run: false where the system makes no thread.
bool jsb_engine_main_thread_start(bool takes_main_thread, void (*work)(void *argument), void *argument);
// Whether the library that is loaded has the function for it.
bool jsb_can_start_engine_main_thread(void);

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
