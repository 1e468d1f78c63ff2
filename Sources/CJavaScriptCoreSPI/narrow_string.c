#include "CJavaScriptCoreSPI.h"

#include <string.h>

// A C++ object with a destructor is returned in memory of the caller, whose address is passed as for any large
// structure. These functions are therefore declared to return three words, of which the callee writes the first.
struct returned {
    void *pointer;
    void *unused[2];
};

// std::span<unsigned char>.
struct span {
    unsigned char *start;
    size_t count;
};

// Ref<WTF::StringImpl> WTF::StringImpl::createUninitialized(size_t, std::span<unsigned char>&)
extern struct returned string_create_uninitialized(size_t count, struct span *characters)
    __asm__("_ZN3WTF10StringImpl19createUninitializedEmRSt4spanIhLm18446744073709551615EE") __attribute__((weak));
// RefPtr<OpaqueJSString> OpaqueJSString::tryCreate(WTF::String&&), which takes over the string's reference.
extern struct returned string_try_create(void **string)
    __asm__("_ZN14OpaqueJSString9tryCreateEON3WTF6StringE") __attribute__((weak));

static _Atomic bool is_enabled;

bool jsb_can_make_narrow_strings(void) {
    return string_create_uninitialized != 0 && string_try_create != 0 && sizeof(void *) == 8 && !jsb_hides_private_symbols();
}

void jsb_enable_narrow_strings(bool is_wanted) {
    __c11_atomic_store(&is_enabled, is_wanted && jsb_can_make_narrow_strings(), __ATOMIC_RELEASE);
}

bool jsb_makes_narrow_strings(void) { return __c11_atomic_load(&is_enabled, __ATOMIC_ACQUIRE); }

// The engine has one shared empty string, which must not be written to, and ends the process for one that is too long.
static bool is_ordinary(size_t count) { return count > 0 && count <= INT32_MAX; }

JSStringRef jsb_make_narrow_string(const uint8_t *bytes, size_t count) {
    if (!jsb_makes_narrow_strings() || !is_ordinary(count)) return 0;
    struct span characters = {0, 0};
    void *string = string_create_uninitialized(count, &characters).pointer;
    if (string == 0 || characters.count != count) return 0;
    memcpy(characters.start, bytes, count);
    return (JSStringRef)string_try_create(&string).pointer;
}

JSStringRef jsb_make_narrow_string_of_units(const uint16_t *units, size_t count) {
    if (!jsb_makes_narrow_strings() || !is_ordinary(count)) return 0;
    struct span characters = {0, 0};
    void *string = string_create_uninitialized(count, &characters).pointer;
    if (string == 0 || characters.count != count) return 0;
    for (size_t index = 0; index < count; index++) characters.start[index] = (unsigned char)units[index];
    return (JSStringRef)string_try_create(&string).pointer;
}
