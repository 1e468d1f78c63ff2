// The engine's strings, shared by the files that use its own C++ functions.
#ifndef JSB_ENGINE_STRING_H
#define JSB_ENGINE_STRING_H

#include <stddef.h>
#include <stdint.h>

// WTF::StringImpl, to which a WTF::String is a pointer. The count of references is in steps of 2.
struct string {
    uint32_t reference_count;
    uint32_t length;
    const void *characters;
    uint32_t flags;
};
enum { IS_NARROW = 4 };

// std::span.
struct span {
    const void *start;
    size_t count;
};
// WTF::String::String(std::span<const unsigned char>) and String(std::span<const char16_t>)
extern void make_narrow_string(struct string **string, struct span characters)
    __asm__("_ZN3WTF6StringC1ESt4spanIKhLm18446744073709551615EE") __attribute__((weak));
extern void make_wide_string(struct string **string, struct span units)
    __asm__("_ZN3WTF6StringC1ESt4spanIKDsLm18446744073709551615EE") __attribute__((weak));
extern void destroy_string(struct string *string) __asm__("_ZN3WTF10StringImpl7destroyEPS0_") __attribute__((weak));

static inline void retain(struct string *string) {
    if (string) __atomic_add_fetch(&string->reference_count, 2, __ATOMIC_RELAXED);
}

static inline void release(struct string *string) {
    if (string && __atomic_sub_fetch(&string->reference_count, 2, __ATOMIC_ACQ_REL) == 0) destroy_string(string);
}

// WTF::URL::URL(WTF::String&&, const URLTextEncoding*), whose first member is the URL's string.
extern void make_url(void *url, struct string **string, const void *encoding)
    __asm__("_ZN3WTF3URLC1EONS_6StringEPKNS_15URLTextEncodingE") __attribute__((weak));

#endif
