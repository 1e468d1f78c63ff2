// For dladdr and RTLD_DEFAULT.
#define _GNU_SOURCE
#include "CJavaScriptCoreSPI.h"
#include "engine_string.h"
#include "module_source.h"
#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

// The table of functions that a global object gives to the engine (JSC::GlobalObjectMethodTable). It is a constant of the
// library, to which each global object has a pointer. The pointer is replaced by one to a copy, with two entries changed.
// The copy is never freed, because a script of another context may call a function of a released one.
enum { ENTRY_COUNT = 22, ENTRY_IMPORT = 5, ENTRY_META = 8 };
// The entries of the library's own table: 1 for a function, 0 for none, ? for either.
static const char expected_entries[ENTRY_COUNT + 1] = "111?100000?1111?????1?";
// The first and the last position in a global object where the pointer may be, in bytes.
enum { FIRST_POSITION = 0x100, LAST_POSITION = 0x1800 };

static void *hooked_table[ENTRY_COUNT];
static void **original_table;
static size_t table_position;
static struct jsb_module_hooks module_hooks;

// Returns whether an address is in the engine's library.
static bool is_in_engine(const void *address) {
    static _Atomic(void *) base;
    Dl_info info;
    if (!base) {
        if (!dladdr(dlsym(RTLD_DEFAULT, "JSGlobalContextCreate"), &info)) return false;
        base = info.dli_fbase;
    }
    return address && dladdr(address, &info) && info.dli_fbase == base;
}

// MARK: Hooks

// The engine takes what a hook returns for an object, and ends the process if it is NULL.
static JSObjectRef rejection(JSGlobalContextRef context) {
    JSObjectRef resolve = 0, reject = 0;
    JSValueRef exception = 0;
    JSObjectRef promise = JSObjectMakeDeferredPromise(context, &resolve, &reject, &exception);
    if (!promise) return JSContextGetGlobalObject(context);
    JSStringRef text = JSStringCreateWithUTF8CString("the import was ended");
    const JSValueRef message = JSValueMakeString(context, text);
    JSStringRelease(text);
    const JSValueRef error = JSObjectMakeError(context, 1, &message, &exception);
    if (error) JSObjectCallAsFunction(context, reject, 0, 1, &error, &exception);
    return promise;
}

// JSC::JSInternalPromise *moduleLoaderImportModule(JSGlobalObject *, JSModuleLoader *, JSString *, JSValue,
// const SourceOrigin &)
static JSObjectRef import_hook(
    JSGlobalContextRef context, JSObjectRef loader, JSValueRef specifier, JSValueRef options,
    const struct string *const *origin) {
    JSValueRef referrer = JSValueMakeUndefined(context);
    // A JSC::SourceOrigin begins with the WTF::String of its URL.
    const struct string *url = origin ? *origin : 0;
    if (url && url->length) {
        JSStringRef string;
        if (url->flags & IS_NARROW) {
            uint16_t *units = malloc(url->length * sizeof *units);
            if (!units) return rejection(context);
            for (uint32_t index = 0; index < url->length; index++) units[index] = ((const uint8_t *)url->characters)[index];
            string = JSStringCreateWithCharacters(units, url->length);
            free(units);
        } else {
            string = JSStringCreateWithCharacters(url->characters, url->length);
        }
        referrer = JSValueMakeString(context, string);
        JSStringRelease(string);
    }
    const JSObjectRef result = module_hooks.import(context, loader, specifier, referrer, options);
    return result ? result : rejection(context);
}

// JSC::JSObject *moduleLoaderCreateImportMetaProperties(JSGlobalObject *, JSModuleLoader *, JSValue key,
// JSModuleRecord *, JSValue fetcher)
static JSObjectRef meta_hook(
    JSGlobalContextRef context, JSObjectRef loader, JSValueRef key, const void *record, JSValueRef fetcher) {
    (void)loader;
    (void)record;
    (void)fetcher;
    JSObjectRef result = module_hooks.meta(context, key);
    if (!result) result = JSObjectMake(context, 0, 0);
    return result ? result : JSContextGetGlobalObject(context);
}

// MARK: Probing

static bool is_expected_table(void **table) {
    for (int entry = 0; entry < ENTRY_COUNT; entry++) {
        const bool is_function = is_in_engine(table[entry]);
        if (expected_entries[entry] == '1' ? !is_function
            : expected_entries[entry] == '0' ? table[entry] != 0
                                             : table[entry] != 0 && !is_function)
            return false;
    }
    return true;
}

// Returns the position of the pointer in a global object; 0 if there is not exactly one.
static size_t find_table(const struct jsb_memory_reader *reader, JSGlobalContextRef context, void **table) {
    size_t found = 0;
    for (size_t position = FIRST_POSITION; position <= LAST_POSITION; position += sizeof(void *)) {
        void *pointer;
        if (!jsb_read_memory(reader, (uint64_t)context + position, &pointer, sizeof pointer)) break;
        if (!pointer || (uintptr_t)pointer % sizeof(void *) || !is_in_engine(pointer)) continue;
        void *entries[ENTRY_COUNT];
        if (!jsb_read_memory(reader, (uint64_t)pointer, entries, sizeof entries) || !is_expected_table(entries)) continue;
        if (found) return 0;
        found = position;
        memcpy(table, entries, sizeof entries);
    }
    return found;
}

static void **table_slot(JSGlobalContextRef context) { return (void **)((char *)context + table_position); }

const char *jsb_probe_modules(JSGlobalContextRef context, struct jsb_module_hooks hooks) {
    if (sizeof(void *) != 8) return "pointers do not have 64 bits";
    if (jsb_hides_private_symbols()) return "JSBRIDGE_PRIVATE_SYMBOLS=hidden";
    const char *fault = jsb_probe_module_sources();
    if (fault) return fault;
    struct jsb_memory_reader reader;
    if (!jsb_memory_reader_open(&reader)) return "the process can open no pipe";
    void *table[ENTRY_COUNT];
    table_position = find_table(&reader, context, table);
    jsb_memory_reader_close(&reader);
    if (!table_position) return "the global object has no table of functions where one is expected";
    memcpy(hooked_table, table, sizeof table);
    hooked_table[ENTRY_IMPORT] = (void *)import_hook;
    hooked_table[ENTRY_META] = (void *)meta_hook;
    original_table = *table_slot(context);
    module_hooks = hooks;
    return 0;
}

bool jsb_hook_modules(JSGlobalContextRef context) {
    if (!table_position) return false;
    void **slot = table_slot(context);
    if (*slot != (void *)original_table && *slot != (void *)hooked_table) return false;
    *slot = hooked_table;
    return true;
}
