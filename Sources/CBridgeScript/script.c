#include "CBridgeScript.h"

#include <string.h>

// `#embed` compiles 400 KB in 0.2 s and notices edits; the package manager's own embedding took 25 s and more.
static const unsigned char engine[] = {
#embed "../../JS/bundles/engine.js"
};
static const unsigned char console[] = {
#embed "../../JS/bundles/console.js"
};
static const unsigned char web[] = {
#embed "../../JS/bundles/web.js"
};
static const unsigned char web_code[] = {
#embed "../../JS/bundles/web_code.js"
};
static const unsigned char events_code[] = {
#embed "../../JS/bundles/events_code.js"
};
static const unsigned char encoding_code[] = {
#embed "../../JS/bundles/encoding_code.js"
};
static const unsigned char clone_code[] = {
#embed "../../JS/bundles/clone_code.js"
};
static const unsigned char modules[] = {
#embed "../../JS/bundles/modules.js"
};
static const unsigned char recording[] = {
#embed "../../JS/bundles/recording.js"
};
static const unsigned char page[] = {
#embed "../../JS/bundles/page.js"
};
static const unsigned char direct[] = {
#embed "../../JS/bundles/direct.js"
};
static const unsigned char bridge[] = {
#embed "../../JS/bundles/bridge.js"
};
static const unsigned char streams_code[] = {
#embed "../../JS/bundles/streams_code.js"
};
static const unsigned char references_code[] = {
#embed "../../JS/bundles/references_code.js"
};
static const unsigned char pipelining_code[] = {
#embed "../../JS/bundles/pipelining_code.js"
};
static const unsigned char wire_code[] = {
#embed "../../JS/bundles/wire_code.js"
};
static const unsigned char dialect_code[] = {
#embed "../../JS/bundles/dialect_code.js"
};
static const unsigned char text[] = {
#embed "../../JS/bundles/text.js"
};
static const unsigned char data[] = {
#embed "../../JS/bundles/data.js"
};
static const unsigned char data_code[] = {
#embed "../../JS/bundles/data_code.js"
};
static const unsigned char views[] = {
#embed "../../JS/bundles/views.js"
};
static const unsigned char views_code[] = {
#embed "../../JS/bundles/views_code.js"
};
static const unsigned char systemModules[] = {
#embed "../../JS/bundles/system.js"
};
static const unsigned char testing[] = {
#embed "../../JS/bundles/testing.js"
};

BridgeScriptText bridge_script_engine(void) { return (BridgeScriptText){engine, sizeof engine}; }
BridgeScriptText bridge_script_web(void) { return (BridgeScriptText){web, sizeof web}; }
BridgeScriptText bridge_script_modules(void) { return (BridgeScriptText){modules, sizeof modules}; }
BridgeScriptText bridge_script_recording(void) { return (BridgeScriptText){recording, sizeof recording}; }
BridgeScriptText bridge_script_page(void) { return (BridgeScriptText){page, sizeof page}; }
BridgeScriptText bridge_script_direct(void) { return (BridgeScriptText){direct, sizeof direct}; }
BridgeScriptText bridge_script_bridge(void) { return (BridgeScriptText){bridge, sizeof bridge}; }
BridgeScriptText bridge_script_text(void) { return (BridgeScriptText){text, sizeof text}; }
BridgeScriptText bridge_script_data(void) { return (BridgeScriptText){data, sizeof data}; }
BridgeScriptText bridge_script_views(void) { return (BridgeScriptText){views, sizeof views}; }
BridgeScriptText bridge_script_system(void) { return (BridgeScriptText){systemModules, sizeof systemModules}; }
BridgeScriptText bridge_script_testing(void) { return (BridgeScriptText){testing, sizeof testing}; }

static const struct {
    const char *name;
    BridgeScriptText text;
} late[] = {
    {"events_code", {events_code, sizeof events_code}},
    {"encoding_code", {encoding_code, sizeof encoding_code}},
    {"clone_code", {clone_code, sizeof clone_code}},
    {"console", {console, sizeof console}},
    {"web_code", {web_code, sizeof web_code}},
    {"streams_code", {streams_code, sizeof streams_code}},
    {"references_code", {references_code, sizeof references_code}},
    {"pipelining_code", {pipelining_code, sizeof pipelining_code}},
    {"wire_code", {wire_code, sizeof wire_code}},
    {"dialect_code", {dialect_code, sizeof dialect_code}},
    {"data_code", {data_code, sizeof data_code}},
    {"views_code", {views_code, sizeof views_code}},
};
BridgeScriptText bridge_script_late(const char *name) {
    for (size_t index = 0; index < sizeof late / sizeof *late; index++) {
        if (strcmp(late[index].name, name) == 0) return late[index].text;
    }
    return (BridgeScriptText){NULL, 0};
}
