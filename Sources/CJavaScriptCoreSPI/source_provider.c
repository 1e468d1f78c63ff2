// For RTLD_DEFAULT.
#define _GNU_SOURCE
#include "source_provider.h"
#include "CJavaScriptCoreSPI.h"
#include <dlfcn.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#define SYMBOL(name) __asm__(name) __attribute__((weak))
// WTF::URL, and JSC::SourceOrigin, which adds a fetcher.
struct origin {
    struct string *url;
    uint32_t parts[8];
    void *fetcher;
};

// JSC::SourceProvider::SourceProvider(const SourceOrigin&, String&& url, String&& urlBeforeRedirects, SourceTaintedOrigin,
// const TextPosition&, SourceProviderSourceType)
extern void construct_provider(
    void *provider, const struct origin *origin, struct string **url, struct string **first_url, unsigned taint,
    const int32_t *position, unsigned kind)
    SYMBOL("_ZN3JSC14SourceProviderC2ERKNS_12SourceOriginEON3WTF6StringES6_NS_19SourceTaintedOriginERKNS4_"
           "12TextPositionENS_24SourceProviderSourceTypeE");
extern void destruct_provider(void *provider) SYMBOL("_ZN3JSC14SourceProviderD2Ev");

// The engine's table of virtual functions, as it was found.
static void *engine_functions[2 + MAXIMUM_FUNCTIONS];

// The characters of a text, as WTF::StringView: the length, and a flag for narrow characters.
struct view {
    const void *characters;
    uint64_t length_and_flag;
};

static void complete_destructor(struct provider *provider) { (void)provider; }

void destroy_provider(struct provider *provider) {
    destruct_provider(provider);
    release(provider->text);
    free(provider);
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

static struct provider *construct(JSStringRef url, JSStringRef name, struct string *text, int kind) {
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
    construct_provider(provider, &origin, &shown, &none, 0, position, (unsigned)kind);
    release(origin.url);
    release(text_of_url);
    release(shown);
    retain(provider->text = text);
    provider->hash = text ? hash_of(text->characters, text->flags & IS_NARROW ? text->length : text->length * 2) : 1;
    return provider;
}

struct provider *make_provider(JSStringRef url, JSStringRef name, struct string *text, int kind,
                               struct provider_functions *functions) {
    struct provider *provider = construct(url, name, text, kind);
    if (provider) provider->functions = functions->words + 2;
    return provider;
}

void release_provider(struct provider *provider) {
    if (__atomic_sub_fetch(&provider->reference_count, 1, __ATOMIC_ACQ_REL) == 0)
        ((void (*)(struct provider *))provider->functions[DELETING_DESTRUCTOR])(provider);
}

void copy_provider_functions(struct provider_functions *functions, void (*deleting_destructor)(struct provider *)) {
    struct provider_functions copied;
    memcpy(copied.words, engine_functions, sizeof copied.words);
    copied.words[2 + COMPLETE_DESTRUCTOR] = (void *)complete_destructor;
    copied.words[2 + DELETING_DESTRUCTOR] = (void *)deleting_destructor;
    copied.words[2 + HASH] = (void *)provider_hash;
    copied.words[2 + SOURCE] = (void *)provider_source;
    *functions = copied;
}

static const char *find_difference(const struct provider *provider) {
    size_t used = 0;
    for (size_t index = 0; index < sizeof provider->rest; index++) if (provider->rest[index]) used = index + 13;
    if (used > MEASURED_PROVIDER_BYTES) return "a source provider is larger than expected";
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
    memcpy(engine_functions, functions - 2, (size_t)(last + 3) * sizeof *functions);
    return 0;
}

static const char *difference;

static void probe(void) {
    if (!construct_provider || !destruct_provider || !make_url || !make_narrow_string || !make_wide_string
        || !destroy_string) {
        difference = "the library lacks a symbol of source providers";
        return;
    }
    JSStringRef url = JSStringCreateWithUTF8CString("probe:///script");
    struct string *text = 0;
    make_narrow_string(&text, (struct span){"1", 1});
    struct provider *provider = construct(url, url, text, 0);
    release(text);
    JSStringRelease(url);
    difference = provider ? find_difference(provider) : "out of memory";
    // An unexpected object is left as it is: nothing is known about its destruction.
    if (provider && !difference) destroy_provider(provider);
}

const char *probe_providers(void) {
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, probe);
    return difference;
}
