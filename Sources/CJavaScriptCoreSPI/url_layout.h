// The engine's own objects for URLs, shared by the files of the URL parser.
#ifndef JSB_URL_LAYOUT_H
#define JSB_URL_LAYOUT_H

#include "CJavaScriptCoreSPI.h"
#include "engine_string.h"

// WTF::URL. The first bits are: valid, of the family of HTTP, opaque path, three for the length of the port with its
// colon, the rest for the end of the scheme.
struct url {
    struct string *string;
    uint32_t bits, user_start, user_end, password_end, host_end, last_segment, path_end, query_end;
};
_Static_assert(sizeof(struct url) == JSB_URL_SIZE, "a URL has another size");
enum { IS_VALID = 1, HAS_OPAQUE_PATH = 4, PORT_SHIFT = 3, PORT_MASK = 7, SCHEME_SHIFT = 6 };

// WTF::URL::URL(const URL&, const WTF::String&, const URLTextEncoding*)
extern void make_relative_url(
    struct url *url, const struct url *base, struct string *const *string, const void *encoding)
    __asm__("_ZN3WTF3URLC1ERKS0_RKNS_6StringEPKNS_15URLTextEncodingE") __attribute__((weak));

// RefPtr<OpaqueJSString> OpaqueJSString::tryCreate(WTF::String&&), which takes over the string's reference. The pointer
// is returned in memory of the caller, as for a large structure.
struct returned {
    void *pointer;
    void *unused[2];
};
extern struct returned adopt_string(struct string **string)
    __asm__("_ZN14OpaqueJSString9tryCreateEON3WTF6StringE") __attribute__((weak));

// Parses a string without a base. The memory needs no value before.
static inline void parse_url(struct url *url, struct string *string) {
    retain(string);
    make_url(url, &string, 0);
    // The parser has taken the reference over and left NULL, or has copied it.
    release(string);
}

#endif
