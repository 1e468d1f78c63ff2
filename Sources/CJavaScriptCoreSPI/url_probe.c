#include "url_layout.h"
#include <string.h>

#define SYMBOL(name) __asm__(name) __attribute__((weak))

// WTF::StringView: the length, and a flag for narrow characters.
struct view {
    const char *characters;
    uint64_t length_and_flag;
};
extern struct view url_scheme(const struct url *url) SYMBOL("_ZNK3WTF3URL8protocolEv");
extern struct view url_host(const struct url *url) SYMBOL("_ZNK3WTF3URL4hostEv");
extern struct view url_path(const struct url *url) SYMBOL("_ZNK3WTF3URL4pathEv");
extern struct view url_query(const struct url *url) SYMBOL("_ZNK3WTF3URL5queryEv");
// std::optional<uint16_t>, with its flag in bit 16.
extern uint32_t url_port(const struct url *url) SYMBOL("_ZNK3WTF3URL4portEv");

static const char image_source[] = "HTTPS://u:p@EXAMPLE.com:8443/a/b?q#f";
static const char image_text[] = "https://u:p@example.com:8443/a/b?q#f";
enum { GUARD = 0xa5 };

struct image {
    unsigned char before[JSB_URL_GUARD_SIZE];
    struct url url;
    unsigned char after[JSB_URL_GUARD_SIZE];
};

static struct string *string_of(const char *text) {
    struct string *string = 0;
    make_narrow_string(&string, (struct span){text, strlen(text)});
    return string;
}

void jsb_make_url_image(void *memory) {
    struct image *image = memory;
    memset(image, GUARD, sizeof *image);
    struct string *source = string_of(image_source);
    parse_url(&image->url, source);
    release(source);
}

void jsb_destroy_url_image(void *memory) { release(((struct image *)memory)->url.string); }

static bool is_untouched(const unsigned char *guard) {
    for (int index = 0; index < JSB_URL_GUARD_SIZE; index++) if (guard[index] != GUARD) return false;
    return true;
}

static const char *find_difference_of_text(const struct string *address) {
    struct jsb_memory_reader reader;
    if (!jsb_memory_reader_open(&reader)) return "the process can open no pipe";
    enum { LENGTH = sizeof image_text - 1 };
    struct string string;
    char characters[LENGTH];
    const bool is_expected = jsb_read_memory(&reader, (uint64_t)address, &string, sizeof string) && string.length == LENGTH
        && string.flags & IS_NARROW && jsb_read_memory(&reader, (uint64_t)string.characters, characters, LENGTH)
        && memcmp(characters, image_text, LENGTH) == 0;
    jsb_memory_reader_close(&reader);
    return is_expected ? 0 : "a URL has another string";
}

const char *jsb_compare_url_image(const void *memory) {
    const struct image *image = memory;
    if (!is_untouched(image->before) || !is_untouched(image->after)) return "a URL is larger than expected";
    const struct url *url = &image->url;
    if (url->bits != (IS_VALID | 2 | 5 << PORT_SHIFT | 5 << SCHEME_SHIFT)) return "a URL has other bits";
    if (url->user_start != 8 || url->user_end != 9 || url->password_end != 11 || url->host_end != 23
        || url->last_segment != 31 || url->path_end != 32 || url->query_end != 34)
        return "a URL has other offsets";
    return find_difference_of_text(url->string);
}

static bool is_at(struct view view, const struct url *url, uint32_t start, uint32_t end) {
    return view.characters == (const char *)url->string->characters + start
        && view.length_and_flag == ((uint64_t)1 << 32 | (end - start));
}

static const char *find_difference_of_views(const struct url *url) {
    const bool are_expected = is_at(url_scheme(url), url, 0, 5) && is_at(url_host(url), url, 12, 23)
        && is_at(url_path(url), url, 28, 32) && is_at(url_query(url), url, 33, 34)
        && (url_port(url) & 0x1ffff) == (1 << 16 | 8443);
    return are_expected ? 0 : "the parts of a URL are elsewhere in its string";
}

// Returns the bits of a URL, and compares its string with an expected one unless that is NULL.
static uint32_t bits_of(const char *text, const char *base, const char *expected) {
    struct url url, base_url = {0};
    struct string *string = string_of(text);
    if (base) {
        struct string *base_string = string_of(base);
        parse_url(&base_url, base_string);
        release(base_string);
        make_relative_url(&url, &base_url, &string, 0);
        release(base_url.string);
    } else {
        parse_url(&url, string);
    }
    release(string);
    const bool is_expected = !expected
        || (url.string && url.string->length == strlen(expected)
            && memcmp(url.string->characters, expected, strlen(expected)) == 0);
    const uint32_t bits = is_expected ? url.bits : 0;
    release(url.string);
    return bits;
}

const char *jsb_probe_url_parser(void) {
    if (sizeof(void *) != 8) return "pointers do not have 64 bits";
    if (jsb_hides_private_symbols()) return "JSBRIDGE_PRIVATE_SYMBOLS=hidden";
    if (!make_url || !make_relative_url || !adopt_string || !make_narrow_string || !make_wide_string || !destroy_string
        || !url_scheme || !url_host || !url_path || !url_query || !url_port)
        return "the library lacks a symbol of its URLs";
    struct image image;
    jsb_make_url_image(&image);
    const char *difference = jsb_compare_url_image(&image);
    // An unexpected object is left as it is: nothing is known about its destruction.
    if (difference) return difference;
    difference = find_difference_of_views(&image.url);
    jsb_destroy_url_image(&image);
    if (difference) return difference;
    if ((bits_of("data:x", 0, 0) & 0x3f) != (IS_VALID | HAS_OPAQUE_PATH)) return "an opaque path is marked in another way";
    if (bits_of("http://a b/", 0, 0) & IS_VALID) return "an invalid URL is marked in another way";
    if (!(bits_of("../c?d", "http://h/a/b/e", "http://h/a/c?d") & IS_VALID)) return "a relative URL is resolved in another way";
    return 0;
}
