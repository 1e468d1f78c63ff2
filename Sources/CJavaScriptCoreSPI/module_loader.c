#include "CJavaScriptCoreSPI.h"
#include "engine_string.h"
#include "method_table.h"
#include "module_source.h"
#include <stdlib.h>

static struct jsb_module_hooks module_hooks;

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

const char *jsb_probe_modules(JSGlobalContextRef context, struct jsb_module_hooks hooks) {
    if (sizeof(void *) != 8) return "pointers do not have 64 bits";
    if (jsb_hides_private_symbols()) return "JSBRIDGE_PRIVATE_SYMBOLS=hidden";
    const char *fault = jsb_probe_module_sources();
    if (!fault) fault = jsb_find_method_table(context);
    if (fault) return fault;
    module_hooks = hooks;
    jsb_set_method(JSB_MODULE_METHODS, JSB_METHOD_IMPORT, (void *)import_hook);
    jsb_set_method(JSB_MODULE_METHODS, JSB_METHOD_META, (void *)meta_hook);
    return 0;
}

bool jsb_hook_modules(JSGlobalContextRef context) { return jsb_give_methods(context, JSB_MODULE_METHODS); }
