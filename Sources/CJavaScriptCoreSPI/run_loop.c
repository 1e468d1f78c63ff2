// For pthread_setname_np.
#define _GNU_SOURCE
#include "CJavaScriptCoreSPI.h"
#include <glib.h>
#include <pthread.h>
#include <signal.h>

// WTF::initializeMainThread().
extern void initialize_main_thread(void) __asm__("_ZN3WTF20initializeMainThreadEv") __attribute__((weak));

struct jsb_run_loop {
    GMainContext *context;
    GPollFD *descriptors;
    int capacity;
    int count;
    int priority;
    bool is_pushed;
};

jsb_run_loop *jsb_run_loop_create(void) {
    jsb_run_loop *loop = g_new0(jsb_run_loop, 1);
    loop->context = g_main_context_new();
    return loop;
}

void jsb_run_loop_destroy(jsb_run_loop *loop) {
    g_main_context_unref(loop->context);
    g_free(loop->descriptors);
    g_free(loop);
}

// Both branches acquire the context, so that the functions below may be called while it is entered.
void jsb_run_loop_enter(jsb_run_loop *loop, bool with_engine) {
    loop->is_pushed = with_engine;
    if (with_engine) {
        g_main_context_push_thread_default(loop->context);
    } else {
        g_main_context_acquire(loop->context);
    }
}

void jsb_run_loop_leave(jsb_run_loop *loop) {
    if (loop->is_pushed) {
        g_main_context_pop_thread_default(loop->context);
    } else {
        g_main_context_release(loop->context);
    }
}

// One iteration in parts, so that the caller can open a turn of the engine between waiting and dispatching.
bool jsb_run_loop_wait(jsb_run_loop *loop, bool may_block) {
    g_main_context_prepare(loop->context, &loop->priority);
    int timeout = 0;
    while ((loop->count = g_main_context_query(
                loop->context, loop->priority, &timeout, loop->descriptors, loop->capacity)) > loop->capacity) {
        loop->capacity = loop->count;
        loop->descriptors = g_renew(GPollFD, loop->descriptors, loop->capacity);
    }
    if (!may_block) timeout = 0;
    g_poll(loop->descriptors, (guint)loop->count, timeout);
    return g_main_context_check(loop->context, loop->priority, loop->descriptors, loop->count);
}

void jsb_run_loop_dispatch(jsb_run_loop *loop) { g_main_context_dispatch(loop->context); }

void jsb_run_loop_wake(jsb_run_loop *loop) { g_main_context_wakeup(loop->context); }

typedef struct {
    void (*body)(void *);
    void *argument;
    char name[16];
} thread_start;

static void *run_thread(void *pointer) {
    thread_start start = *(thread_start *)pointer;
    g_free(pointer);
    pthread_setname_np(pthread_self(), start.name);
    start.body(start.argument);
    return 0;
}

static void block_host_signals(sigset_t *former) {
    static const int own[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP, SIGABRT, SIGSYS, SIGPROF};
    sigset_t blocked;
    sigfillset(&blocked);
    for (size_t index = 0; index < sizeof own / sizeof *own; index++) sigdelset(&blocked, own[index]);
    sigdelset(&blocked, jsb_collector_signal());
    // The engine's default signal, if it could not be changed.
    sigdelset(&blocked, SIGUSR1);
    pthread_sigmask(SIG_SETMASK, &blocked, former);
}

int jsb_thread_start(size_t stack_size, const char *name, void (*body)(void *), void *argument) {
    thread_start *start = g_new0(thread_start, 1);
    start->body = body;
    start->argument = argument;
    g_strlcpy(start->name, name, sizeof start->name);
    pthread_attr_t attributes;
    pthread_attr_init(&attributes);
    pthread_attr_setstacksize(&attributes, stack_size);
    pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
    // A thread inherits its creator's signal mask, so that no signal can arrive in between.
    sigset_t former;
    block_host_signals(&former);
    pthread_t thread;
    int error = pthread_create(&thread, &attributes, run_thread, start);
    pthread_sigmask(SIG_SETMASK, &former, 0);
    pthread_attr_destroy(&attributes);
    if (error) g_free(start);
    return error;
}

static pthread_mutex_t main_mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t main_has_ended_work = PTHREAD_COND_INITIALIZER;

typedef struct {
    bool takes_main_thread;
    void (*work)(void *);
    void *argument;
    bool has_ended_work;
} main_start;

static void run_engine_main(void *pointer) {
    main_start *start = pointer;
    const bool takes_main_thread = start->takes_main_thread;
    // A context of its own, because the default one belongs to the host.
    GMainContext *context = g_main_context_new();
    g_main_context_push_thread_default(context);
    if (takes_main_thread) initialize_main_thread();
    start->work(start->argument);
    pthread_mutex_lock(&main_mutex);
    start->has_ended_work = true;
    pthread_cond_signal(&main_has_ended_work);
    pthread_mutex_unlock(&main_mutex);
    // The caller has returned: `start` was on its stack.
    while (takes_main_thread) g_main_context_iteration(context, TRUE);
    g_main_context_pop_thread_default(context);
    g_main_context_unref(context);
}

bool jsb_can_start_engine_main_thread(void) { return initialize_main_thread != 0; }

bool jsb_engine_main_thread_start(bool takes_main_thread, void (*work)(void *argument), void *argument) {
    main_start start = {takes_main_thread && initialize_main_thread, work, argument, false};
    if (jsb_thread_start(1 << 20, "JavaScriptMain", run_engine_main, &start)) return false;
    pthread_mutex_lock(&main_mutex);
    while (!start.has_ended_work) pthread_cond_wait(&main_has_ended_work, &main_mutex);
    pthread_mutex_unlock(&main_mutex);
    return true;
}
