// The engine's own parser of URLs, which follows the URL standard.
#ifndef JSB_URL_PARSER_H
#define JSB_URL_PARSER_H

#include <JavaScriptCore/JavaScript.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// The parts of a URL: offsets into its string, and three facts. A host begins at `JSB_URL_PASSWORD_END`, after an `@` if
// there are credentials.
enum {
    JSB_URL_SCHEME_END,
    JSB_URL_USER_START,
    JSB_URL_USER_END,
    JSB_URL_PASSWORD_END,
    JSB_URL_HOST_END,
    JSB_URL_PORT_END,
    JSB_URL_PATH_END,
    JSB_URL_QUERY_END,
    JSB_URL_HAS_OPAQUE_PATH,
    JSB_URL_PART_COUNT
};

// The largest number of UTF-16 code units of a string that is parsed. The engine cannot be stopped while it parses a
// string, which lasts 0.2 s for one of this length.
enum { JSB_URL_MAXIMUM_LENGTH = 1 << 24 };

// Compares the layout of the library's URLs with the expected one. Returns NULL, or the first difference. The engine must
// have been started.
const char *jsb_probe_url_parser(void);
// Compares a URL with the one that `jsb_probe_url_parser` parses, in memory of `JSB_URL_IMAGE_SIZE` bytes: a guard, the
// URL, a guard. It reads addresses in it by the system. Returns NULL, or the first difference.
const char *jsb_compare_url_image(const void *image);
enum { JSB_URL_GUARD_SIZE = 32, JSB_URL_SIZE = 40, JSB_URL_IMAGE_SIZE = 2 * JSB_URL_GUARD_SIZE + JSB_URL_SIZE };
// Writes that URL and its guards to such memory. Its string is released by `jsb_destroy_url_image`.
void jsb_make_url_image(void *image);
void jsb_destroy_url_image(void *image);

// Creates an object with two members for the package's scripts: a function `parse(parser, string, base)` and an
// `Int32Array` with the parts of the last URL. The function returns the URL's string, `null` for an invalid URL, or
// `false` for a string that is too long. It returns `true` if a string has an unpaired surrogate. Call it only after a
// successful probe.
struct jsb_url_parser {
    JSObjectRef function;
    JSObjectRef parser;
    JSObjectRef parts;
};
// `is_fast` is whether the function is one of the fast path. Returns false if memory is exhausted.
bool jsb_make_url_parser(JSGlobalContextRef context, bool is_fast, struct jsb_url_parser *parser);
// Returns the number of parsers that exist.
long jsb_url_parser_count(void);

#endif
