#define _GNU_SOURCE
#include "CTerminal.h"
#include <locale.h>
#include <pthread.h>
#include <wchar.h>

static pthread_once_t once = PTHREAD_ONCE_INIT;
static locale_t unicode_locale;

static void make_locale(void) { unicode_locale = newlocale(LC_CTYPE_MASK, "C.UTF-8", (locale_t)0); }

int CTerminal_width(uint32_t code_point) {
    pthread_once(&once, make_locale);
    if (unicode_locale == (locale_t)0) return 1;
    locale_t previous = uselocale(unicode_locale);
    int width = wcwidth((wchar_t)code_point);
    uselocale(previous);
    return width;
}
