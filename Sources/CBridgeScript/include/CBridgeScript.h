// The package's own JavaScript, embedded at compile time from JS/bundles, which Scripts/bundle-scripts makes from
// JS/src. Each script is one expression: a function of the host interface (JS/src/host.d.ts) and the object with the
// exports of the bundles that ran before. Scripts are ASCII and not NUL-terminated.
#ifndef CBRIDGESCRIPT_H
#define CBRIDGESCRIPT_H

#include <stddef.h>

typedef struct {
    const unsigned char *bytes;
    size_t count;
} BridgeScriptText;

// The scripts that every context runs first.
BridgeScriptText bridge_script_engine(void);
// A bundle that is loaded when a script first uses it, by its name in JS/src; without bytes if there is none.
BridgeScriptText bridge_script_late(const char *name);
// The globals of the web, for contexts that have them; runs after the engine's bundle.
BridgeScriptText bridge_script_web(void);
// Loaded at the first import of a module.
BridgeScriptText bridge_script_modules(void);
// For contexts that are recorded or replayed; runs before the bundles of the bridge.
BridgeScriptText bridge_script_recording(void);
// A page without a browser, for the text transport and the conformance check.
BridgeScriptText bridge_script_page(void);
// The transport in process; runs before the bridge.
BridgeScriptText bridge_script_direct(void);
BridgeScriptText bridge_script_bridge(void);
// The native side of a page, for the text transport; runs after the bridge.
BridgeScriptText bridge_script_text(void);
// The data API; runs after the bridge.
BridgeScriptText bridge_script_data(void);
// The collection views of scripts; runs after the data API.
BridgeScriptText bridge_script_views(void);
// The built-in modules that give scripts the system.
BridgeScriptText bridge_script_system(void);
// The module `bridge:test`.
BridgeScriptText bridge_script_testing(void);
// The TypeScript declarations of the script API, from JS/types, for editors and type checkers.
int bridge_types_count(void);
BridgeScriptText bridge_types(int index);

#endif
