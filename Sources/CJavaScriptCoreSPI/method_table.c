#include "method_table.h"
#include "CJavaScriptCoreSPI.h"
#include "engine_library.h"
#include <pthread.h>
#include <string.h>

// The table (JSC::GlobalObjectMethodTable) is a constant of the library, to which each global object has a pointer. The
// pointer is replaced by one to a copy, with the functions of some groups changed. The copies are never freed, because a
// script of another context may call a function of a released one.
enum { ENTRY_COUNT = 22 };
// The entries of the library's own table: 1 for a function, 0 for none, ? for either.
static const char expected_entries[ENTRY_COUNT + 1] = "111?100000?1111?????1?";
// The first and the last position in a global object where the pointer may be, in bytes.
enum { FIRST_POSITION = 0x100, LAST_POSITION = 0x1800 };

// The copies by the groups that they have.
enum { TABLE_COUNT = 4 };
static void *tables[TABLE_COUNT][ENTRY_COUNT];
static void **original_table;
static size_t table_position;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static bool is_expected_table(void **table) {
    for (int entry = 0; entry < ENTRY_COUNT; entry++) {
        const bool is_function = jsb_is_in_engine(table[entry]);
        if (expected_entries[entry] == '1' ? !is_function
            : expected_entries[entry] == '0' ? table[entry] != 0
                                             : table[entry] != 0 && !is_function)
            return false;
    }
    return true;
}

// Returns the position of the pointer in a global object; 0 if there is not exactly one.
static size_t find_table(const struct jsb_memory_reader *reader, JSGlobalContextRef context, void **table) {
    // The whole range, or the part of it before memory that cannot be read.
    void *words[(LAST_POSITION - FIRST_POSITION) / sizeof(void *) + 1];
    size_t bytes = jsb_read_available(reader, (uint64_t)context + FIRST_POSITION, words, sizeof words);
    bytes -= bytes % sizeof(void *);
    // The system copies pages as a whole.
    while (bytes < sizeof words
        && jsb_read_memory(reader, (uint64_t)context + FIRST_POSITION + bytes, (char *)words + bytes, sizeof(void *)))
        bytes += sizeof(void *);
    size_t found = 0;
    for (size_t word = 0; word < bytes / sizeof(void *); word++) {
        void *const pointer = words[word];
        const size_t position = FIRST_POSITION + word * sizeof(void *);
        if (!pointer || (uintptr_t)pointer % sizeof(void *) || !jsb_is_in_engine(pointer)) continue;
        void *entries[ENTRY_COUNT];
        if (!jsb_read_memory(reader, (uint64_t)pointer, entries, sizeof entries) || !is_expected_table(entries)) continue;
        if (found) return 0;
        found = position;
        memcpy(table, entries, sizeof entries);
    }
    return found;
}

static void **table_slot(JSGlobalContextRef context) { return (void **)((char *)context + table_position); }

static const char *find_once(JSGlobalContextRef context) {
    if (table_position) return 0;
    struct jsb_memory_reader reader;
    if (!jsb_memory_reader_open(&reader)) return "the process can open no pipe";
    void *table[ENTRY_COUNT];
    const size_t position = find_table(&reader, context, table);
    jsb_memory_reader_close(&reader);
    if (!position) return "the global object has no table of functions where one is expected";
    for (int index = 0; index < TABLE_COUNT; index++) memcpy(tables[index], table, sizeof table);
    table_position = position;
    original_table = *table_slot(context);
    return 0;
}

const char *jsb_find_method_table(JSGlobalContextRef context) {
    if (sizeof(void *) != 8) return "pointers do not have 64 bits";
    if (jsb_hides_private_symbols()) return "JSBRIDGE_PRIVATE_SYMBOLS=hidden";
    pthread_mutex_lock(&mutex);
    const char *fault = find_once(context);
    pthread_mutex_unlock(&mutex);
    return fault;
}

void *jsb_original_method(int entry) { return tables[0][entry]; }

void jsb_set_method(enum jsb_methods group, int entry, void *function) {
    for (int index = 0; index < TABLE_COUNT; index++)
        if (index & group) tables[index][entry] = function;
}

bool jsb_give_methods(JSGlobalContextRef context, enum jsb_methods group) {
    if (!table_position) return false;
    void **slot = table_slot(context);
    int present = *slot == (void *)original_table ? 0 : -1;
    for (int index = 1; index < TABLE_COUNT; index++)
        if (*slot == (void *)tables[index]) present = index;
    if (present < 0) return false;
    *slot = tables[present | group];
    return true;
}
