#include "CJavaScriptCoreSPI.h"
#include "module_source.h"
#include "source_provider.h"

// The source text of a module, as the engine's loader takes it.

// JSC::loadModule(JSGlobalObject*, const SourceCode&, JSValue)
extern void *load_module(JSGlobalContextRef context, const struct source_code *source, uint64_t fetcher)
    __asm__("_ZN3JSC10loadModuleEPNS_14JSGlobalObjectERKNS_10SourceCodeENS_7JSValueE") __attribute__((weak));
// The engine's `undefined`.
static const uint64_t encoded_undefined = 0xa;

static struct provider_functions functions;
static _Atomic long source_count;
long jsb_module_source_count(void) { return source_count; }

static void destroy(struct provider *provider) {
    destroy_provider(provider);
    source_count--;
}

const char *jsb_probe_module_sources(void) {
    const char *difference = probe_providers();
    if (difference) return difference;
    if (!load_module) return "the library lacks a symbol of the module loader";
    copy_provider_functions(&functions, destroy);
    return 0;
}

void jsb_provide_module(
    JSGlobalContextRef context, JSStringRef url, JSStringRef name, const void *characters, size_t count, bool is_narrow,
    int kind) {
    // The engine's strings have at most this length; it would end the process.
    if (count > INT32_MAX) return;
    struct string *text = 0;
    if (is_narrow) make_narrow_string(&text, (struct span){characters, count});
    else make_wide_string(&text, (struct span){characters, count});
    struct provider *provider = make_provider(url, name, text, kind, &functions);
    release(text);
    if (!provider) return;
    source_count++;
    const struct source_code source = {provider, 0, (int32_t)count, 0, 0};
    load_module(context, &source, encoded_undefined);
    release_provider(provider);
}

int jsb_requested_module_kind(JSValueRef parameters) {
    const uint64_t bits = (uint64_t)parameters;
    // `undefined` and other constants.
    if (bits < 16 || bits >> 48) return 0;
    // JSC::JSScriptFetchParameters: the word after the header refers to the object, after whose count is the kind.
    const unsigned char *object = ((const unsigned char *const *)parameters)[1];
    return object ? object[12] : 0;
}
