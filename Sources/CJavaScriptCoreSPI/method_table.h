// The table of functions that a global object gives to the engine, for the files of this module.
#ifndef JSB_METHOD_TABLE_H
#define JSB_METHOD_TABLE_H

#include <JavaScriptCore/JavaScript.h>
#include <stdbool.h>

// The groups of functions that a context can have, as bits.
enum jsb_methods { JSB_MODULE_METHODS = 1, JSB_REJECTION_METHODS = 2 };
// The positions of functions in the table.
enum { JSB_METHOD_IMPORT = 5, JSB_METHOD_META = 8, JSB_METHOD_REJECTION = 10 };

// Finds the table in a new context that has run nothing. Returns NULL, or why the table is not as expected. Any thread
// may call it, with the lock of the context.
const char *jsb_find_method_table(JSGlobalContextRef context);
// Returns a function of the library's own table; NULL if that has none.
void *jsb_original_method(int entry);
// Sets a function of a group.
void jsb_set_method(enum jsb_methods group, int entry, void *function);
// Gives a context a group, beside those that it has. Returns false if the context has another table than the probed one.
bool jsb_give_methods(JSGlobalContextRef context, enum jsb_methods group);

#endif
