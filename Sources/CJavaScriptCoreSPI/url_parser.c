#include "url_layout.h"
#include <stdlib.h>

// What a function `parse` needs between calls. It is the memory of the array of parts, and lives as long as that.
struct parser {
    int32_t parts[JSB_URL_PART_COUNT];
    // The last base, because most relative URLs have the same.
    struct string *base_string;
    struct url base;
};

static _Atomic long parser_count;
long jsb_url_parser_count(void) { return parser_count; }

static void destroy_parser(void *bytes, void *unused) {
    (void)unused;
    struct parser *parser = bytes;
    release(parser->base_string);
    release(parser->base.string);
    free(parser);
    parser_count--;
}

enum problem { NO_PROBLEM, TOO_LONG, UNPAIRED, INVALID };

static enum problem problem_of(const struct string *string) {
    if (string->length > JSB_URL_MAXIMUM_LENGTH) return TOO_LONG;
    if (string->flags & IS_NARROW) return NO_PROBLEM;
    const uint16_t *units = string->characters;
    for (uint32_t index = 0; index < string->length; index++) {
        if ((units[index] & 0xf800) != 0xd800) continue;
        const bool is_pair = units[index] < 0xdc00 && index + 1 < string->length && (units[index + 1] & 0xfc00) == 0xdc00;
        if (!is_pair) return UNPAIRED;
        index++;
    }
    return NO_PROBLEM;
}

static bool set_base(struct parser *parser, struct string *base) {
    if (parser->base_string != base) {
        release(parser->base_string);
        release(parser->base.string);
        retain(parser->base_string = base);
        parse_url(&parser->base, base);
    }
    return parser->base.bits & IS_VALID;
}

// Parses a string, and returns the URL's string with a reference of the caller. `base` may be NULL.
static enum problem parse_with(
    struct parser *parser, struct string *string, struct string *base, struct string **result) {
    enum problem problem = problem_of(string);
    if (problem == NO_PROBLEM && base) problem = problem_of(base);
    if (problem != NO_PROBLEM) return problem;
    struct url url;
    if (base) {
        if (!set_base(parser, base)) return INVALID;
        make_relative_url(&url, &parser->base, &string, 0);
    } else {
        parse_url(&url, string);
    }
    if (!(url.bits & IS_VALID)) {
        release(url.string);
        return INVALID;
    }
    int32_t *parts = parser->parts;
    parts[JSB_URL_SCHEME_END] = (int32_t)(url.bits >> SCHEME_SHIFT);
    parts[JSB_URL_USER_START] = (int32_t)url.user_start;
    parts[JSB_URL_USER_END] = (int32_t)url.user_end;
    parts[JSB_URL_PASSWORD_END] = (int32_t)url.password_end;
    parts[JSB_URL_HOST_END] = (int32_t)url.host_end;
    parts[JSB_URL_PORT_END] = (int32_t)(url.host_end + (url.bits >> PORT_SHIFT & PORT_MASK));
    parts[JSB_URL_PATH_END] = (int32_t)url.path_end;
    parts[JSB_URL_QUERY_END] = (int32_t)url.query_end;
    parts[JSB_URL_HAS_OPAQUE_PATH] = url.bits & HAS_OPAQUE_PATH ? 1 : 0;
    *result = url.string;
    return NO_PROBLEM;
}

// Takes over the reference to the string.
static JSValueRef value_of(JSContextRef context, struct string *string) {
    JSStringRef text = adopt_string(&string).pointer;
    const JSValueRef value = JSValueMakeString(context, text);
    if (text) JSStringRelease(text);
    return value;
}

static JSValueRef value_of_problem(JSContextRef context, enum problem problem) {
    return problem == INVALID ? JSValueMakeNull(context) : JSValueMakeBoolean(context, problem == UNPAIRED);
}

// MARK: The function of the fast path

// A cell is neither a number nor a constant.
static bool is_cell(uint64_t bits) { return bits && !(bits & 0xfffe000000000002); }

static struct string *flat_string(uint64_t cell) {
    struct jsb_characters characters;
    return jsb_string_characters(cell, &characters)
        ? (struct string *)((const uint64_t *)cell)[jsb_engine_layout.string_word] : 0;
}

// Returns a string in the engine's memory, which lives as long as the value; NULL if memory is exhausted.
static struct string *string_in_place(JSContextRef context, uint64_t value) {
    if (!is_cell(value)) return 0;
    struct string *string = flat_string(value);
    if (string) return string;
    // The string is a rope, which the engine flattens for a copy and leaves flat.
    JSStringRef copy = JSValueToStringCopy(context, (JSValueRef)value, 0);
    if (copy) JSStringRelease(copy);
    return flat_string(value);
}

static uint64_t parse_fast(void *global, const uint64_t *frame) {
    const JSContextRef context = global;
    const uint64_t invalid = (uint64_t)value_of_problem(context, INVALID);
    const uint64_t *arguments = jsb_frame_arguments(frame);
    // `this` counts. A frame without its arguments was seen while a script was terminated.
    if (jsb_frame_count(frame) < 4 || !is_cell(arguments[0])) return invalid;
    struct parser *parser = jsb_private_data(arguments[0]);
    struct string *base = 0;
    if (is_cell(arguments[2]) && !(base = string_in_place(context, arguments[2]))) return invalid;
    struct string *string = string_in_place(context, arguments[1]);
    if (!parser || !string) return invalid;
    struct string *result = 0;
    const enum problem problem = parse_with(parser, string, base, &result);
    if (problem != NO_PROBLEM) return (uint64_t)value_of_problem(context, problem);
    // A string that is a URL as it is needs no copy.
    if (result == string) {
        release(result);
        return arguments[1];
    }
    return (uint64_t)value_of(context, result);
}

// MARK: The function of the C API

static struct string *copy_string(JSContextRef context, JSValueRef value) {
    JSStringRef copy = JSValueToStringCopy(context, value, 0);
    if (!copy) return 0;
    const uint16_t *units = JSStringGetCharactersPtr(copy);
    const size_t count = JSStringGetLength(copy);
    uint16_t used = 0;
    for (size_t index = 0; index < count; index++) used |= units[index];
    struct string *string = 0;
    unsigned char *bytes = used < 0x100 ? malloc(count + 1) : 0;
    if (bytes) {
        for (size_t index = 0; index < count; index++) bytes[index] = (unsigned char)units[index];
        make_narrow_string(&string, (struct span){bytes, count});
        free(bytes);
    } else {
        make_wide_string(&string, (struct span){units, count});
    }
    JSStringRelease(copy);
    return string;
}

static JSValueRef parse_plain(
    JSContextRef context, JSObjectRef function, JSObjectRef receiver, size_t count, const JSValueRef arguments[],
    JSValueRef *exception) {
    (void)function;
    (void)receiver;
    (void)exception;
    struct parser *parser = count < 3 ? 0 : JSObjectGetPrivate((JSObjectRef)arguments[0]);
    if (!parser) return JSValueMakeNull(context);
    struct string *string = copy_string(context, arguments[1]);
    struct string *base = JSValueIsUndefined(context, arguments[2]) ? 0 : copy_string(context, arguments[2]);
    struct string *result = 0;
    const enum problem problem = string ? parse_with(parser, string, base, &result) : INVALID;
    release(string);
    release(base);
    return problem == NO_PROBLEM ? value_of(context, result) : value_of_problem(context, problem);
}

// MARK: Creating a parser

static JSClassRef parser_class(void) {
    // Threads that run this in parallel may each create a class.
    static _Atomic(JSClassRef) shared;
    JSClassRef class = shared;
    if (!class) shared = class = JSClassCreate(&kJSClassDefinitionEmpty);
    return class;
}

bool jsb_make_url_parser(JSGlobalContextRef context, bool is_fast, struct jsb_url_parser *result) {
    struct parser *parser = calloc(1, sizeof *parser);
    if (!parser) return false;
    JSValueRef exception = 0;
    parser_count++;
    // The array takes the parser over, also if it is not created.
    result->parts = JSObjectMakeTypedArrayWithBytesNoCopy(
        context, kJSTypedArrayTypeInt32Array, parser, sizeof parser->parts, destroy_parser, 0, &exception);
    if (!result->parts) return false;
    result->parser = JSObjectMake(context, parser_class(), parser);
    JSStringRef name = JSStringCreateWithUTF8CString("parse");
    result->function = is_fast ? jsb_make_host_function(context, parse_fast)
                               : JSObjectMakeFunctionWithCallback(context, name, parse_plain);
    JSStringRelease(name);
    return result->function != 0;
}
