// For RTLD_DEFAULT.
#define _GNU_SOURCE
#include "CJavaScriptCoreSPI.h"
#include "engine_string.h"
#include "module_source.h"
#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

// The source text of a module: an object of JSC::SourceProvider, made by its own constructor in memory of this file, with
// a copy of its table of virtual functions in which the pure ones are implemented.

#define SYMBOL(name) __asm__(name) __attribute__((weak))
// WTF::URL, and JSC::SourceOrigin, which adds a fetcher.
struct origin {
    struct string *url;
    uint32_t parts[8];
    void *fetcher;
};

// JSC::SourceProvider::SourceProvider(const SourceOrigin&, String&& url, String&& urlBeforeRedirects, SourceTaintedOrigin,
// const TextPosition&, SourceProviderSourceType)
extern void make_provider(
    void *provider, const struct origin *origin, struct string **url, struct string **first_url, unsigned taint,
    const int32_t *position, unsigned kind)
    SYMBOL("_ZN3JSC14SourceProviderC2ERKNS_12SourceOriginEON3WTF6StringES6_NS_19SourceTaintedOriginERKNS4_"
           "12TextPositionENS_24SourceProviderSourceTypeE");
extern void destroy_provider(void *provider) SYMBOL("_ZN3JSC14SourceProviderD2Ev");

// JSC::SourceCode. The line and the column count from 0.
struct source_code {
    void *provider;
    int32_t start, end, line, column;
};
// JSC::loadModule(JSGlobalObject*, const SourceCode&, JSValue)
extern void *load_module(JSGlobalContextRef context, const struct source_code *source, uint64_t fetcher)
    SYMBOL("_ZN3JSC10loadModuleEPNS_14JSGlobalObjectERKNS_10SourceCodeENS_7JSValueE");
// The engine's `undefined`.
static const uint64_t encoded_undefined = 0xa;

// The engine's part of a provider, with room for a larger one; and what the functions below read.
enum { MEASURED_BYTES = 200, ENGINE_BYTES = 256 };
struct provider {
    void **functions;
    uint32_t reference_count;
    char rest[ENGINE_BYTES - sizeof(void *) - sizeof(uint32_t)];
    struct string *text;
    uint32_t hash;
};

// The virtual functions, by position. Two belong to the type's description, which precedes them.
enum { COMPLETE_DESTRUCTOR, DELETING_DESTRUCTOR, HASH, SOURCE, CODE_BLOCK_HASH = 8, MAXIMUM_FUNCTIONS = 16 };
static void *provider_functions[2 + MAXIMUM_FUNCTIONS];

static _Atomic long source_count;
long jsb_module_source_count(void) { return source_count; }

// The characters of a text, as WTF::StringView: the length, and a flag for narrow characters.
struct view {
    const void *characters;
    uint64_t length_and_flag;
};

static void complete_destructor(struct provider *provider) { (void)provider; }

// The engine may call it on another thread.
static void deleting_destructor(struct provider *provider) {
    destroy_provider(provider);
    release(provider->text);
    free(provider);
    source_count--;
}

static uint32_t provider_hash(const struct provider *provider) { return provider->hash; }

static struct view provider_source(const struct provider *provider) {
    const struct string *text = provider->text;
    if (!text) return (struct view){0, (uint64_t)1 << 32};
    return (struct view){text->characters, text->length | (uint64_t)(text->flags & IS_NARROW ? 1 : 0) << 32};
}

static uint32_t hash_of(const unsigned char *bytes, size_t count) {
    uint64_t hash = 0xcbf29ce484222325;
    for (; count >= 8; bytes += 8, count -= 8) {
        uint64_t word;
        memcpy(&word, bytes, 8);
        hash = (hash ^ word) * 0x9e3779b97f4a7c15;
        hash ^= hash >> 29;
    }
    for (; count; bytes++, count--) hash = (hash ^ *bytes) * 0x100000001b3;
    const uint32_t result = (uint32_t)(hash ^ hash >> 32);
    return result ? result : 1;
}

static struct string *copy(JSStringRef text) {
    struct string *string = 0;
    make_wide_string(&string, (struct span){JSStringGetCharactersPtr(text), JSStringGetLength(text)});
    return string;
}

static struct provider *make(
    JSStringRef url, JSStringRef name, const void *characters, size_t count, bool is_narrow, int kind) {
    struct provider *provider = calloc(1, sizeof *provider);
    if (!provider) return 0;
    struct string *text_of_url = copy(url), *parsed = text_of_url, *shown = copy(name), *none = 0;
    struct origin origin = {0};
    retain(parsed);
    make_url(&origin, &parsed, 0);
    release(parsed);
    // Not a URL: the origin has the text as it is.
    if (!origin.url) retain(origin.url = text_of_url);
    const int32_t position[2] = {0, 0};
    make_provider(provider, &origin, &shown, &none, 0, position, (unsigned)kind);
    release(origin.url);
    release(text_of_url);
    release(shown);
    if (is_narrow) make_narrow_string(&provider->text, (struct span){characters, count});
    else make_wide_string(&provider->text, (struct span){characters, count});
    provider->hash = hash_of(characters, is_narrow ? count : count * 2);
    source_count++;
    return provider;
}

static void release_provider(struct provider *provider) {
    if (__atomic_sub_fetch(&provider->reference_count, 1, __ATOMIC_ACQ_REL) == 0) deleting_destructor(provider);
}

static const char *find_difference(const struct provider *provider) {
    size_t used = 0;
    for (size_t index = 0; index < sizeof provider->rest; index++) if (provider->rest[index]) used = index + 13;
    if (used > MEASURED_BYTES) return "a source provider is larger than expected";
    if (provider->reference_count != 1) return "a source provider counts its references in another way";
    void **functions = provider->functions;
    void *const pure = dlsym(RTLD_DEFAULT, "__cxa_pure_virtual");
    if (functions[COMPLETE_DESTRUCTOR] != dlsym(RTLD_DEFAULT, "_ZN3JSC14SourceProviderD1Ev")
        || functions[DELETING_DESTRUCTOR] != dlsym(RTLD_DEFAULT, "_ZN3JSC14SourceProviderD0Ev"))
        return "a source provider has other destructors";
    if (!pure || functions[HASH] != pure || functions[SOURCE] != pure)
        return "a source provider has other virtual functions";
    if (functions[CODE_BLOCK_HASH]
        != dlsym(RTLD_DEFAULT, "_ZN3JSC14SourceProvider25codeBlockHashConcurrentlyEiiNS_22CodeSpecializationKindE"))
        return "a source provider has other virtual functions than expected after the first eight";
    // 2.52 has one more function than 2.50 between these.
    void *const lock = dlsym(RTLD_DEFAULT, "_ZN3JSC14SourceProvider24lockUnderlyingBufferImplEv");
    void *const unlock = dlsym(RTLD_DEFAULT, "_ZN3JSC14SourceProvider26unlockUnderlyingBufferImplEv");
    int last = CODE_BLOCK_HASH + 1;
    while (last < CODE_BLOCK_HASH + 4 && functions[last] != unlock) last++;
    if (!lock || functions[last] != unlock || functions[last - 1] != lock)
        return "a source provider has another number of virtual functions";
    memcpy(provider_functions, functions - 2, (size_t)(last + 3) * sizeof *functions);
    return 0;
}

const char *jsb_probe_module_sources(void) {
    if (!make_provider || !destroy_provider || !load_module || !make_url || !make_narrow_string || !make_wide_string
        || !destroy_string)
        return "the library lacks a symbol of the module loader";
    JSStringRef url = JSStringCreateWithUTF8CString("probe:///module");
    struct provider *provider = make(url, url, "1", 1, true, JSB_MODULE_JAVASCRIPT);
    JSStringRelease(url);
    if (!provider) return "out of memory";
    const char *difference = find_difference(provider);
    // An unexpected object is left as it is: nothing is known about its destruction.
    if (difference) return difference;
    provider_functions[2 + COMPLETE_DESTRUCTOR] = (void *)complete_destructor;
    provider_functions[2 + DELETING_DESTRUCTOR] = (void *)deleting_destructor;
    provider_functions[2 + HASH] = (void *)provider_hash;
    provider_functions[2 + SOURCE] = (void *)provider_source;
    deleting_destructor(provider);
    return 0;
}

void jsb_provide_module(
    JSGlobalContextRef context, JSStringRef url, JSStringRef name, const void *characters, size_t count, bool is_narrow,
    int kind) {
    // The engine's strings have at most this length; it would end the process.
    if (count > INT32_MAX) return;
    struct provider *provider = make(url, name, characters, count, is_narrow, kind);
    if (!provider) return;
    provider->functions = provider_functions + 2;
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
