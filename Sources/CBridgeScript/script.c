#include "CBridgeScript.h"

// `#embed` compiles 70 KB in 0.2 s and notices edits; the package manager's own embedding took 25 s and more.
static const unsigned char primordials[] = {
#embed "../../JS/src/00_primordials.js"
};
static const unsigned char values[] = {
#embed "../../JS/src/01_values.js"
};
static const unsigned char errors[] = {
#embed "../../JS/src/02_errors.js"
};
static const unsigned char functions[] = {
#embed "../../JS/src/03_functions.js"
};
static const unsigned char shapes[] = {
#embed "../../JS/src/04_shapes.js"
};
static const unsigned char globals[] = {
#embed "../../JS/src/05_globals.js"
};
static const unsigned char inspecting[] = {
#embed "../../JS/src/05_inspect.js"
};
static const unsigned char console[] = {
#embed "../../JS/src/05_console.js"
};
static const unsigned char events[] = {
#embed "../../JS/src/06_events.js"
};
static const unsigned char aborting[] = {
#embed "../../JS/src/08_abort.js"
};
static const unsigned char text[] = {
#embed "../../JS/src/08_text.js"
};
static const unsigned char cloning[] = {
#embed "../../JS/src/08_clone.js"
};
static const unsigned char promises[] = {
#embed "../../JS/src/07_promises.js"
};
static const unsigned char limits[] = {
#embed "../../JS/src/08_limits.js"
};
static const unsigned char transport[] = {
#embed "../../JS/src/09_transport.js"
};
static const unsigned char page[] = {
#embed "../../JS/src/09_page.js"
};
static const unsigned char recording[] = {
#embed "../../JS/src/09_recording.js"
};
static const unsigned char bridge[] = {
#embed "../../JS/src/10_bridge.js"
};
static const unsigned char dialect[] = {
#embed "../../JS/src/10_dialect.js"
};
static const unsigned char bytes[] = {
#embed "../../JS/src/10_bytes.js"
};
static const unsigned char places[] = {
#embed "../../JS/src/10_places.js"
};
static const unsigned char traces[] = {
#embed "../../JS/src/10_traces.js"
};
static const unsigned char sending[] = {
#embed "../../JS/src/11_sending.js"
};
static const unsigned char call_table[] = {
#embed "../../JS/src/11_call_table.js"
};
static const unsigned char deadlines[] = {
#embed "../../JS/src/11_deadlines.js"
};
static const unsigned char calls[] = {
#embed "../../JS/src/12_calls.js"
};
static const unsigned char handlers[] = {
#embed "../../JS/src/13_handlers.js"
};
static const unsigned char streams[] = {
#embed "../../JS/src/14_streams.js"
};
static const unsigned char topics[] = {
#embed "../../JS/src/15_topics.js"
};
static const unsigned char discovery[] = {
#embed "../../JS/src/16_discovery.js"
};
static const unsigned char references[] = {
#embed "../../JS/src/16_references.js"
};
static const unsigned char pipelining[] = {
#embed "../../JS/src/16_pipelining.js"
};
static const unsigned char modules[] = {
#embed "../../JS/src/17_modules.js"
};
static const unsigned char receiving[] = {
#embed "../../JS/src/17_receiving.js"
};
static const unsigned char tables[] = {
#embed "../../JS/src/17_tables.js"
};
static const unsigned char dialects[] = {
#embed "../../JS/src/18_dialects.js"
};
static const unsigned char faces[] = {
#embed "../../JS/src/18_faces.js"
};
static const unsigned char ancestor[] = {
#embed "../../JS/src/19_ancestor.js"
};
static const unsigned char data_rows[] = {
#embed "../../JS/src/20_rows.js"
};
static const unsigned char data_changes[] = {
#embed "../../JS/src/21_changes.js"
};
static const unsigned char data_queries[] = {
#embed "../../JS/src/22_queries.js"
};
static const unsigned char data_keys[] = {
#embed "../../JS/src/23_keys.js"
};
static const unsigned char data_stores[] = {
#embed "../../JS/src/24_stores.js"
};
static const unsigned char data_sources[] = {
#embed "../../JS/src/25_sources.js"
};
static const unsigned char data_host_sources[] = {
#embed "../../JS/src/26_host_sources.js"
};

BridgeScriptText bridge_script_primordials(void) { return (BridgeScriptText){primordials, sizeof primordials}; }
BridgeScriptText bridge_script_values(void) { return (BridgeScriptText){values, sizeof values}; }
BridgeScriptText bridge_script_errors(void) { return (BridgeScriptText){errors, sizeof errors}; }
BridgeScriptText bridge_script_functions(void) { return (BridgeScriptText){functions, sizeof functions}; }
BridgeScriptText bridge_script_shapes(void) { return (BridgeScriptText){shapes, sizeof shapes}; }
BridgeScriptText bridge_script_globals(void) { return (BridgeScriptText){globals, sizeof globals}; }
BridgeScriptText bridge_script_inspect(void) { return (BridgeScriptText){inspecting, sizeof inspecting}; }
BridgeScriptText bridge_script_console(void) { return (BridgeScriptText){console, sizeof console}; }
BridgeScriptText bridge_script_events(void) { return (BridgeScriptText){events, sizeof events}; }
BridgeScriptText bridge_script_abort(void) { return (BridgeScriptText){aborting, sizeof aborting}; }
BridgeScriptText bridge_script_promises(void) { return (BridgeScriptText){promises, sizeof promises}; }
BridgeScriptText bridge_script_text(void) { return (BridgeScriptText){text, sizeof text}; }
BridgeScriptText bridge_script_clone(void) { return (BridgeScriptText){cloning, sizeof cloning}; }
BridgeScriptText bridge_script_limits(void) { return (BridgeScriptText){limits, sizeof limits}; }
BridgeScriptText bridge_script_recording(void) { return (BridgeScriptText){recording, sizeof recording}; }
BridgeScriptText bridge_script_page(void) { return (BridgeScriptText){page, sizeof page}; }
BridgeScriptText bridge_script_transport(void) { return (BridgeScriptText){transport, sizeof transport}; }

// In the order in which they are run.
static const BridgeScriptText parts[] = {
    {bridge, sizeof bridge},
    {dialect, sizeof dialect},
    {bytes, sizeof bytes},
    {places, sizeof places},
    {traces, sizeof traces},
    {sending, sizeof sending},
    {call_table, sizeof call_table},
    {deadlines, sizeof deadlines},
    {calls, sizeof calls},
    {handlers, sizeof handlers},
    {streams, sizeof streams},
    {topics, sizeof topics},
    {discovery, sizeof discovery},
    {references, sizeof references},
    {pipelining, sizeof pipelining},
    {modules, sizeof modules},
    {receiving, sizeof receiving},
    {tables, sizeof tables},
    {dialects, sizeof dialects},
    {faces, sizeof faces},
    {ancestor, sizeof ancestor},
};
int bridge_script_count(void) { return sizeof parts / sizeof *parts; }
BridgeScriptText bridge_script_bridge(int index) { return parts[index]; }

static const BridgeScriptText data_parts[] = {
    {data_rows, sizeof data_rows},
    {data_changes, sizeof data_changes},
    {data_queries, sizeof data_queries},
    {data_keys, sizeof data_keys},
    {data_stores, sizeof data_stores},
    {data_sources, sizeof data_sources},
    {data_host_sources, sizeof data_host_sources},
};
int bridge_script_data_count(void) { return sizeof data_parts / sizeof *data_parts; }
BridgeScriptText bridge_script_data(int index) { return data_parts[index]; }
