// The bytecode of scripts that many machines of a process run: it is generated once, and each machine reads it instead of
// parsing the text. Decision 0035 describes the private layout behind it, and its guards.
#ifndef JSB_SCRIPT_BYTECODE_H
#define JSB_SCRIPT_BYTECODE_H

#include <JavaScriptCore/JavaScript.h>
#include <stddef.h>

// The bytecode of one script, in pages that are only read. It is never released.
struct jsb_bytecode;

// Generates and runs the bytecode of a small script in machines of its own, and compares what it finds with the expected
// layout. Returns NULL, or the first difference. The engine must have been started.
const char *jsb_probe_bytecode(void);
// Generates the bytecode of a script of ASCII bytes and runs the script by it, in a context of a machine that only this
// thread uses. Returns NULL if the engine generates none, or the script throws. jsb_probe_bytecode() must have succeeded.
struct jsb_bytecode *jsb_make_bytecode(JSGlobalContextRef context, JSStringRef url, const void *bytes, size_t count);
// Runs a script by its bytecode; the engine parses the text if it does not accept it. Returns NULL if the script has
// thrown or was terminated.
JSValueRef jsb_run_bytecode(JSGlobalContextRef context, JSStringRef url, struct jsb_bytecode *bytecode);
// Returns how often an engine has taken the bytecode.
long jsb_bytecode_use_count(const struct jsb_bytecode *bytecode);

#endif
