// For MAP_ANONYMOUS.
#define _GNU_SOURCE
#include "ScriptBytecode.h"
#include "CJavaScriptCoreSPI.h"
#include "source_provider.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

// The engine asks a script's provider for an object with its bytecode, reads it when functions first run, and notes in it
// which functions it has read. So the object belongs to one machine: two machines that shared one ended the process. The
// engine frees the object with the machine.
//
// The bytes are shared. The engine takes them for a mapped file, which it unmaps with each object. It must not, so they
// begin inside a page: such a call fails and changes nothing (EINVAL, as POSIX has it for a start that is not a multiple
// of the size of a page).

#define SYMBOL(name) __asm__(name) __attribute__((weak))
// RefPtr<CachedBytecode> JSC::generateProgramBytecode(VM&, const SourceCode&, FileHandle&, BytecodeCacheError&). The
// machine is what the C API calls a group. Without a file the bytes are in memory.
extern void *generate_bytecode(
    void **result, JSContextGroupRef machine, const struct source_code *source, void *file, void *error)
    SYMBOL("_ZN3JSC23generateProgramBytecodeERNS_2VMERKNS_10SourceCodeERN3WTF14FileSystemImpl10FileHandleERNS_18Bytecode"
           "CacheErrorE");
extern void make_file(void *file) SYMBOL("_ZN3WTF14FileSystemImpl10FileHandleC1Ev");
// JSValue JSC::evaluate(JSGlobalObject*, const SourceCode&, JSValue, NakedPtr<Exception>&). It takes the lock itself.
extern JSValueRef evaluate(JSGlobalContextRef context, const struct source_code *source, uint64_t this, void **exception)
    SYMBOL("_ZN3JSC8evaluateEPNS_14JSGlobalObjectERKNS_10SourceCodeENS_7JSValueERN3WTF8NakedPtrINS_9ExceptionEEE");
// JSC::CachePayload: bytes that are freed or unmapped with it. It has three words in 2.50 and four in 2.52.
struct payload {
    void *words[4];
};
// FileSystem::MappedFileData, with room for more members.
struct mapping {
    struct span bytes;
    void *more[2];
};
extern struct span payload_bytes(const struct payload *payload) SYMBOL("_ZNK3JSC12CachePayload4spanEv");
// CachePayload JSC::CachePayload::makeMappedPayload(FileSystem::MappedFileData&&)
extern void *make_mapped_payload(struct payload *result, struct mapping *mapping)
    SYMBOL("_ZN3JSC12CachePayload17makeMappedPayloadEON3WTF14FileSystemImpl14MappedFileDataE");
// The engine frees its objects by its own allocator.
extern void *allocate(size_t size) SYMBOL("_ZN3WTF16fastZeroedMallocEm");

// The engine's `undefined`.
static const uint64_t encoded_undefined = 0xa;

// JSC::CachedBytecode. After the payload come a table of the functions that were read and a list of additions. Both are
// empty in a new object, which is all zeros there.
struct cached_bytecode {
    uint32_t reference_count;
    uint32_t padding;
    size_t count;
    struct payload payload;
    char rest[208];
};
// Positions in words. The table follows three or four words of the payload, the last of which is not all in use.
enum { PAYLOAD_WORD = 2, TABLE_WORD = 5 };

struct jsb_bytecode {
    struct string *text;
    struct span bytes;
    _Atomic long use_count;
};
// The position of the bytes in their first page, as aligned as the engine's own.
enum { START_IN_PAGE = 64 };

long jsb_bytecode_use_count(const struct jsb_bytecode *bytecode) { return bytecode->use_count; }

// The functions of providers without bytecode, with an object of the engine, and with shared pages.
static struct provider_functions plain_functions, generated_functions, shared_functions;

// RefPtr<CachedBytecode> SourceProvider::cachedBytecode() const. The caller owns a reference to the result.
static void *generated_bytecode(void **result, struct provider *provider) {
    *result = (void *)provider->context;
    provider->context = 0;
    return result;
}

static void *shared_bytecode(void **result, struct provider *provider) {
    struct jsb_bytecode *bytecode = (struct jsb_bytecode *)provider->context;
    struct cached_bytecode *object = allocate(sizeof *object);
    object->reference_count = 1;
    object->count = bytecode->bytes.count;
    bytecode->use_count++;
    struct mapping mapping = {bytecode->bytes, {0}};
    make_mapped_payload(&object->payload, &mapping);
    *result = object;
    return result;
}

// Evaluates a text with one of the tables of functions. Returns NULL after an exception.
static JSValueRef run(JSGlobalContextRef context, JSStringRef url, struct string *text,
                      struct provider_functions *functions, const void *bytecode, bool *was_taken) {
    struct provider *provider = make_provider(url, url, text, 0, functions);
    if (!provider) return 0;
    provider->context = bytecode;
    const struct source_code source = {provider, 0, (int32_t)text->length, 0, 0};
    void *exception = 0;
    JSValueRef result = evaluate(context, &source, encoded_undefined, &exception);
    if (was_taken) *was_taken = !provider->context;
    release_provider(provider);
    return exception ? 0 : result;
}

static struct cached_bytecode *generate(JSGlobalContextRef context, JSStringRef url, struct string *text) {
    struct provider *provider = make_provider(url, url, text, 0, &plain_functions);
    if (!provider) return 0;
    const struct source_code source = {provider, 0, (int32_t)text->length, 0, 0};
    char file[128] = {0}, error[512] = {0};
    void *object = 0;
    make_file(file);
    generate_bytecode(&object, JSContextGetGroup(context), &source, file, error);
    release_provider(provider);
    return object;
}

static struct string *narrow(const void *bytes, size_t count) {
    struct string *text = 0;
    make_narrow_string(&text, (struct span){bytes, count});
    return text;
}

// Copies the bytes of the engine's object to pages that are only read.
static struct jsb_bytecode *share(
    JSGlobalContextRef context, JSStringRef url, struct string *text, struct cached_bytecode *generated) {
    const struct span source = payload_bytes(&generated->payload);
    const size_t count = START_IN_PAGE + source.count;
    struct jsb_bytecode *bytecode = calloc(1, sizeof *bytecode);
    char *pages = mmap(0, count, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    const bool has_memory = bytecode && pages != MAP_FAILED;
    if (has_memory) {
        memcpy(pages + START_IN_PAGE, source.start, source.count);
        mprotect(pages, count, PROT_READ);
        retain(text);
        *bytecode = (struct jsb_bytecode){text, {pages + START_IN_PAGE, source.count}, 0};
    }
    // The engine frees its object with the machine that has run the script by it.
    bool was_taken = false;
    const bool has_run = run(context, url, text, &generated_functions, generated, &was_taken) != 0;
    if (has_memory && has_run && was_taken) return bytecode;
    if (has_memory) release(text);
    if (pages != MAP_FAILED) munmap(pages, count);
    free(bytecode);
    return 0;
}

struct jsb_bytecode *jsb_make_bytecode(JSGlobalContextRef context, JSStringRef url, const void *bytes, size_t count) {
    if (count > INT32_MAX) return 0;
    struct string *text = narrow(bytes, count);
    struct cached_bytecode *generated = generate(context, url, text);
    struct jsb_bytecode *bytecode = generated ? share(context, url, text, generated) : 0;
    release(text);
    return bytecode;
}

JSValueRef jsb_run_bytecode(JSGlobalContextRef context, JSStringRef url, struct jsb_bytecode *bytecode) {
    return run(context, url, bytecode->text, &shared_functions, bytecode, 0);
}

// MARK: - Probe

// Compares an object that the engine has made with the expected layout.
static const char *find_difference(struct cached_bytecode *object) {
    if (object->reference_count != 1) return "an object of bytecode counts its references in another way";
    void *const *words = (void *const *)object;
    if (!object->count || !words[PAYLOAD_WORD] || (size_t)words[PAYLOAD_WORD + 1] != object->count)
        return "an object of bytecode has its payload in another place";
    const struct span bytes = payload_bytes(&object->payload);
    if (bytes.start != words[PAYLOAD_WORD] || bytes.count != object->count)
        return "an object of bytecode has its bytes in another place";
    const int table = words[TABLE_WORD + 1] ? TABLE_WORD + 1 : TABLE_WORD;
    if (!words[table]) return "an object of bytecode has its table of functions in another place";
    if (words[table + 1] || words[table + 2])
        return "an object of bytecode has another member after its table of functions";
    return 0;
}

// Functions that call each other, so that the engine reads the bytecode of inner ones.
static const char probe_text[] =
    "(function (a) { function b(c) { return c + a; } class D { e() { return [1].map(f => b(f)); } } return new D().e()[0]; })";

// Runs the probe's script by its bytecode in a machine of its own. Returns whether the result is right.
static bool runs(JSStringRef url, struct jsb_bytecode *bytecode) {
    JSGlobalContextRef context = JSGlobalContextCreate(0);
    if (!context) return false;
    JSValueRef function = jsb_run_bytecode(context, url, bytecode);
    JSValueRef argument = JSValueMakeNumber(context, 41), result = 0;
    if (function && JSValueIsObject(context, function))
        result = JSObjectCallAsFunction(context, (JSObjectRef)function, 0, 1, &argument, 0);
    const bool is_right = result && JSValueIsNumber(context, result) && JSValueToNumber(context, result, 0) == 42;
    JSGlobalContextRelease(context);
    return is_right;
}

// Returns whether the engine's own function returns no object, which it writes to the place of the result.
static bool returns_nothing(struct provider *provider) {
    void *result = provider;
    ((void *(*)(void **, const struct provider *))provider->functions[CACHED_BYTECODE])(&result, provider);
    return !result;
}

static const char *probe_in(JSGlobalContextRef context, JSStringRef url) {
    struct string *text = narrow(probe_text, sizeof probe_text - 1);
    struct provider *provider = make_provider(url, url, text, 0, &plain_functions);
    if (!provider) return "out of memory";
    const bool has_function = returns_nothing(provider);
    release_provider(provider);
    if (!has_function) return "a source provider has its function for bytecode in another place";
    struct cached_bytecode *object = generate(context, url, text);
    if (!object) return "the engine generates no bytecode";
    const char *difference = find_difference(object);
    if (difference) return difference;
    struct jsb_bytecode *bytecode = share(context, url, text, object);
    release(text);
    if (!bytecode) return "the engine does not run its own bytecode";
    // The second machine runs after the first has ended.
    for (int count = 1; count <= 2; count++) {
        if (!runs(url, bytecode)) return "a script has another result by its bytecode";
        if (bytecode->use_count != count) return "the engine does not ask for the bytecode";
        if (msync((char *)bytecode->bytes.start - START_IN_PAGE, bytecode->bytes.count, MS_ASYNC))
            return "the engine unmaps the bytecode of a machine that has ended";
    }
    return 0;
}

const char *jsb_probe_bytecode(void) {
#ifndef __x86_64__
    return "objects are returned in another way on this processor";
#endif
#if defined(__has_feature)
#if __has_feature(thread_sanitizer)
    // The engine's munmap of shared pages must fail, which it does by an address inside a page. The sanitizer forgets its
    // own pages of that address first, and the process crashes.
    return "the thread sanitizer takes no munmap that must fail";
#endif
#endif
    if (jsb_hides_private_symbols()) return "JSBRIDGE_PRIVATE_SYMBOLS=hidden";
    if (!generate_bytecode || !make_file || !evaluate || !payload_bytes || !make_mapped_payload || !allocate)
        return "the library lacks a symbol of bytecode";
    const char *difference = probe_providers();
    if (difference) return difference;
    copy_provider_functions(&plain_functions, destroy_provider);
    generated_functions = shared_functions = plain_functions;
    generated_functions.words[2 + CACHED_BYTECODE] = (void *)generated_bytecode;
    shared_functions.words[2 + CACHED_BYTECODE] = (void *)shared_bytecode;
    JSGlobalContextRef context = JSGlobalContextCreate(0);
    if (!context) return "the engine made no context";
    JSStringRef url = JSStringCreateWithUTF8CString("probe:///bytecode");
    difference = probe_in(context, url);
    JSStringRelease(url);
    JSGlobalContextRelease(context);
    return difference;
}
