// The package's own JavaScript, embedded at compile time from JS/src. Each script is one expression: a function
// of the shared `internal` object. Scripts are ASCII and not NUL-terminated.
#ifndef CBRIDGESCRIPT_H
#define CBRIDGESCRIPT_H

#include <stddef.h>

typedef struct {
    const unsigned char *bytes;
    size_t count;
} BridgeScriptText;

BridgeScriptText bridge_script_primordials(void);
BridgeScriptText bridge_script_values(void);
BridgeScriptText bridge_script_errors(void);
BridgeScriptText bridge_script_functions(void);
BridgeScriptText bridge_script_shapes(void);
BridgeScriptText bridge_script_globals(void);
// Loaded at the first use of console, in this order.
BridgeScriptText bridge_script_inspect(void);
BridgeScriptText bridge_script_console(void);
BridgeScriptText bridge_script_events(void);
BridgeScriptText bridge_script_promises(void);
BridgeScriptText bridge_script_abort(void);
BridgeScriptText bridge_script_text(void);
BridgeScriptText bridge_script_clone(void);
BridgeScriptText bridge_script_limits(void);
// For contexts that are recorded or replayed; runs before all scripts of the bridge.
BridgeScriptText bridge_script_recording(void);
// A page without a browser, for the text transport and the conformance check.
BridgeScriptText bridge_script_page(void);
BridgeScriptText bridge_script_transport(void);
// The parts of the bridge, in the order in which they are run.
int bridge_script_count(void);
BridgeScriptText bridge_script_bridge(int index);
// The parts of the data API, in the order in which they are run.
int bridge_script_data_count(void);
BridgeScriptText bridge_script_data(int index);
// The TypeScript declarations of the script API, from JS/types, for editors and type checkers.
int bridge_types_count(void);
BridgeScriptText bridge_types(int index);

#endif
