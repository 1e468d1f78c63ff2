// For RTLD_NEXT.
#define _GNU_SOURCE
#include "CJavaScriptCoreSPI.h"

#ifdef __linux__
#include <dlfcn.h>
#include <locale.h>
#include <string.h>

// The engine's default locale is the result of setlocale for LC_CTYPE, which it calls through its table of dynamic
// symbols: this function replaces it. Most containers have no locales installed. The system's function then returns "C"
// whatever the environment requests, while the engine includes the data of all languages.
static char default_locale[64];

__attribute__((visibility("default"), used)) char *setlocale(int category, const char *locale) {
    static char *(*original)(int, const char *);
    if (category == LC_CTYPE && !locale && default_locale[0]) return default_locale;
    if (!original) original = (char *(*)(int, const char *))dlsym(RTLD_NEXT, "setlocale");
    return original ? original(category, locale) : 0;
}

bool jsb_set_default_locale(const char *name) {
    if (strlen(name) >= sizeof default_locale) return false;
    strcpy(default_locale, name);
    return true;
}
#else
bool jsb_set_default_locale(const char *name) {
    (void)name;
    return false;
}
#endif
