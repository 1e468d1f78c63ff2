#include "CBridgeScript.h"

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
static const unsigned char text[] = {
#embed "../../JS/bundles/text.js"
};
static const unsigned char data[] = {
#embed "../../JS/bundles/data.js"
};
static const unsigned char views[] = {
#embed "../../JS/bundles/views.js"
};
static const unsigned char systemModules[] = {
#embed "../../JS/bundles/system.js"
};
static const unsigned char testing[] = {
#embed "../../JS/bundles/testing.js"
};

BridgeScriptText bridge_script_engine(void) { return (BridgeScriptText){engine, sizeof engine}; }
BridgeScriptText bridge_script_console(void) { return (BridgeScriptText){console, sizeof console}; }
BridgeScriptText bridge_script_web(void) { return (BridgeScriptText){web, sizeof web}; }
BridgeScriptText bridge_script_web_code(void) { return (BridgeScriptText){web_code, sizeof web_code}; }
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
