// For RTLD_DEFAULT.
#define _GNU_SOURCE
#include "CJavaScriptCoreSPI.h"
#include "engine_library.h"
#include "engine_string.h"
#include "method_table.h"
#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

// A global object has a pointer to its inspection target (Inspector::JSGlobalObjectDebuggable), whose virtual functions
// connect a channel and take commands. The debugger (JSC::Debugger) waits at a breakpoint in one of its own virtual
// functions; it gets a copy of its table in which that function is replaced.

// The virtual functions of the target, by position.
enum {
    TARGET_CONNECT = 2, TARGET_DISCONNECT = 3, TARGET_TYPE = 4, TARGET_ALLOWED = 5, TARGET_DISPATCH = 6,
    TARGET_UNPAUSE = 15, TARGET_COUNT = 16,
};
enum { TYPE_JAVASCRIPT = 2 };
// The virtual functions of the debugger, by position.
enum { DEBUGGER_PARSED = 2, DEBUGGER_RECOMPILE = 5, DEBUGGER_HANDLE = 7, DEBUGGER_WAIT = 9, DEBUGGER_COUNT = 12 };
// The byte of the debugger that ends the wait.
enum { RESUMED_BYTE = 8 };
// The first and the last position of the target in a global object, in bytes.
enum { FIRST_POSITION = 64, LAST_POSITION = 0x4000 };
// The words of the global object before the target in which the debugger may be, and those of its controller.
enum { WORDS_BEFORE = 8, WORDS_OF_CONTROLLER = 48 };

static void *symbol(const char *name) { return dlsym(RTLD_DEFAULT, name); }
static void *allowed_symbol(void) { return symbol("_ZNK9Inspector22RemoteInspectionTarget20remoteControlAllowedEv"); }
static void *unpause_symbol(void) {
    return symbol("_ZN9Inspector22RemoteInspectionTarget37unpauseForResolvedAutomaticInspectionEv");
}
static void *parsed_symbol(void) {
    return symbol("_ZN3JSC8Debugger12sourceParsedEPNS_14JSGlobalObjectEPNS_14SourceProviderEiRKN3WTF6StringE");
}
static void *recompile_symbol(void) { return symbol("_ZN3JSC8Debugger23recompileAllJSFunctionsEv"); }
static void *handle_symbol(void) { return symbol("_ZN3JSC8Debugger11handlePauseEPNS_14JSGlobalObjectE"); }

// MARK: The target

// Reads the position of the target from the code of JSC::JSGlobalObject::inspectable() const, whose first instruction
// is `mov position(%rdi),%rdi`.
static const char *find_position(size_t *position) {
    const unsigned char *code = symbol("_ZNK3JSC14JSGlobalObject11inspectableEv");
    if (!code || !allowed_symbol() || !unpause_symbol() || !parsed_symbol() || !recompile_symbol() || !handle_symbol()
        || !make_wide_string || !destroy_string)
        return "the library lacks a symbol of the inspector";
#if defined(__x86_64__)
    static const unsigned char branch_target[] = {0xf3, 0x0f, 0x1e, 0xfa}, load[] = {0x48, 0x8b, 0xbf};
    if (!memcmp(code, branch_target, sizeof branch_target)) code += sizeof branch_target;
    if (memcmp(code, load, sizeof load)) return "the code of inspectable() is not as expected";
    int32_t value;
    memcpy(&value, code + sizeof load, sizeof value);
    if (value < FIRST_POSITION || value > LAST_POSITION || value % (int)sizeof(void *))
        return "the position of the inspection target is not as expected";
    *position = (size_t)value;
    return 0;
#else
    return "the position of the inspection target is not known on this processor";
#endif
}

static bool is_object_with_functions(
    const struct jsb_memory_reader *reader, const void *object, size_t bytes, void **functions, size_t count) {
    unsigned char copy[64];
    void **table;
    if (!object || (uintptr_t)object % sizeof(void *) || bytes > sizeof copy) return false;
    if (!jsb_read_memory(reader, (uint64_t)object, copy, bytes)) return false;
    memcpy(&table, copy, sizeof table);
    return jsb_is_in_engine(table) && jsb_read_memory(reader, (uint64_t)table, functions, count * sizeof *functions);
}

static const char *find_target(const struct jsb_memory_reader *reader, JSGlobalContextRef context, void ***target) {
    size_t position = 0;
    const char *fault = find_position(&position);
    if (fault) return fault;
    void **found;
    if (!jsb_read_memory(reader, (uint64_t)context + position, &found, sizeof found))
        return "the global object is smaller than expected";
    void *functions[TARGET_COUNT];
    if (!is_object_with_functions(reader, found, sizeof(void *), functions, TARGET_COUNT))
        return "the global object has no inspection target where one is expected";
    if (functions[TARGET_ALLOWED] != allowed_symbol() || functions[TARGET_UNPAUSE] != unpause_symbol())
        return "the inspection target has other virtual functions";
    for (int index = TARGET_CONNECT; index <= TARGET_DISPATCH; index++)
        if (!jsb_is_in_engine(functions[index])) return "a virtual function of the inspection target is not the library's";
    if (((unsigned (*)(void *))functions[TARGET_TYPE])(found) != TYPE_JAVASCRIPT)
        return "the inspection target is not one of JavaScript";
    *target = found;
    return 0;
}

// MARK: The debugger

struct channel {
    void **functions;
    jsb_inspector *inspector;
};

struct jsb_inspector {
    struct channel channel;
    struct jsb_inspector_client client;
    void **target;
    void **debugger;
    void **debugger_functions;
    // The copy of the debugger's table; two words of the type's description precede the functions.
    void *replaced[2 + DEBUGGER_COUNT];
};

static void destroy_channel(struct channel *channel) { (void)channel; }
static unsigned char channel_type(const struct channel *channel) {
    (void)channel;
    return 1;
}
static void receive(struct channel *channel, struct string *const *message) {
    const struct jsb_inspector_client client = channel->inspector->client;
    const struct string *text = *message;
    if (text) client.receive(client.info, text->characters, text->length, text->flags & IS_NARROW);
}
// Inspector::FrontendChannel: two destructors, connectionType() const, sendMessageToFrontend(const String&).
static void *channel_functions[] = {
    0, 0, (void *)destroy_channel, (void *)destroy_channel, (void *)channel_type, (void *)receive,
};

// Replaces runEventLoopWhilePaused(), which polls the main context of GLib without rest.
static void wait_while_paused(void **debugger) {
    // The table is in the record of its inspector.
    jsb_inspector *inspector =
        (jsb_inspector *)((char *)debugger[0] - 2 * sizeof(void *) - offsetof(jsb_inspector, replaced));
    inspector->client.wait(inspector->client.info);
}

static void **debugger_among(const struct jsb_memory_reader *reader, const void *words, int count) {
    for (int index = 0; index < count; index++) {
        void **object, *functions[DEBUGGER_COUNT];
        if (!jsb_read_memory(reader, (uint64_t)words + (uint64_t)index * sizeof object, &object, sizeof object)) return 0;
        if (!is_object_with_functions(reader, object, 32, functions, DEBUGGER_COUNT)) continue;
        if (functions[DEBUGGER_PARSED] == parsed_symbol() && functions[DEBUGGER_RECOMPILE] == recompile_symbol()
            && functions[DEBUGGER_HANDLE] == handle_symbol() && jsb_is_in_engine(functions[DEBUGGER_WAIT]))
            return object;
    }
    return 0;
}

static const char *replace_wait(
    jsb_inspector *inspector, const struct jsb_memory_reader *reader, JSGlobalContextRef context) {
    size_t position = 0;
    const char *fault = find_position(&position);
    if (fault) return fault;
    // 2.50 and 2.52 have the debugger in the global object, just before the controller and the target; later ones in
    // the controller.
    char *words = (char *)context + position;
    void **debugger = debugger_among(reader, words - WORDS_BEFORE * sizeof(void *), WORDS_BEFORE);
    void *controller;
    if (!debugger && jsb_read_memory(reader, (uint64_t)words - sizeof controller, &controller, sizeof controller)
        && controller && (uintptr_t)controller % sizeof(void *) == 0)
        debugger = debugger_among(reader, controller, WORDS_OF_CONTROLLER);
    if (!debugger) return "the context has no debugger where one is expected";
    if (((unsigned char *)debugger)[RESUMED_BYTE] != 1) return "the debugger's state is not where it is expected";
    inspector->debugger = debugger;
    inspector->debugger_functions = debugger[0];
    memcpy(inspector->replaced, inspector->debugger_functions - 2, sizeof inspector->replaced);
    inspector->replaced[2 + DEBUGGER_WAIT] = (void *)wait_while_paused;
    debugger[0] = inspector->replaced + 2;
    return 0;
}

// MARK: Interface

static void send_ascii(jsb_inspector *inspector, const char *text) {
    uint16_t units[128];
    size_t count = 0;
    for (; text[count]; count++) units[count] = (unsigned char)text[count];
    jsb_inspector_send(inspector, units, count);
}

static const char *open_inspector(
    jsb_inspector **result, const struct jsb_memory_reader *reader, JSGlobalContextRef context,
    struct jsb_inspector_client client) {
    void **target = 0;
    const char *fault = find_target(reader, context, &target);
    if (fault) return fault;
    jsb_inspector *inspector = calloc(1, sizeof *inspector);
    if (!inspector) return "memory is exhausted";
    inspector->channel = (struct channel){channel_functions + 2, inspector};
    inspector->client = client;
    inspector->target = target;
    ((void (*)(void *, struct channel *, bool, bool))((void **)target[0])[TARGET_CONNECT])(
        target, &inspector->channel, false, false);
    // The engine has a debugger only from here on.
    send_ascii(inspector, "{\"id\":0,\"method\":\"Debugger.enable\"}");
    fault = replace_wait(inspector, reader, context);
    if (fault) jsb_inspector_close(inspector);
    else *result = inspector;
    return fault;
}

jsb_inspector *jsb_inspector_open(JSGlobalContextRef context, struct jsb_inspector_client client, const char **fault) {
    jsb_inspector *inspector = 0;
    struct jsb_memory_reader reader;
    if (jsb_hides_private_symbols()) {
        *fault = "JSBRIDGE_PRIVATE_SYMBOLS=hidden";
    } else if (!jsb_memory_reader_open(&reader)) {
        *fault = "the process can open no pipe";
    } else {
        *fault = open_inspector(&inspector, &reader, context, client);
        jsb_memory_reader_close(&reader);
    }
    return inspector;
}

void jsb_inspector_send(jsb_inspector *inspector, const uint16_t *units, size_t count) {
    struct string *message = 0;
    make_wide_string(&message, (struct span){units, count});
    ((void (*)(void *, struct string **))((void **)inspector->target[0])[TARGET_DISPATCH])(inspector->target, &message);
    release(message);
}

bool jsb_inspector_is_resumed(const jsb_inspector *inspector) {
    return ((const volatile unsigned char *)inspector->debugger)[RESUMED_BYTE];
}

void jsb_inspector_close(jsb_inspector *inspector) {
    if (inspector->debugger) inspector->debugger[0] = inspector->debugger_functions;
    ((void (*)(void *, struct channel *))((void **)inspector->target[0])[TARGET_DISCONNECT])(
        inspector->target, &inspector->channel);
    free(inspector);
}

static void ignore_message(void *info, const void *characters, size_t count, bool is_narrow) {
    (void)info, (void)characters, (void)count, (void)is_narrow;
}
static void do_not_wait(void *info) { (void)info; }

const char *jsb_probe_inspector(JSGlobalContextRef context) {
    if (sizeof(void *) != 8) return "pointers do not have 64 bits";
    const char *fault = 0;
    jsb_inspector *inspector =
        jsb_inspector_open(context, (struct jsb_inspector_client){0, ignore_message, do_not_wait}, &fault);
    if (inspector) jsb_inspector_close(inspector);
    return fault;
}
