#include "CConformance.h"

// One array for each file; a test compares the list with the folder.
static const unsigned char dialects_dsBridge[] = {
#embed "../../Tests/Conformance/wire/dialects/dsBridge.json"
};
static const unsigned char dialects_jsBridge[] = {
#embed "../../Tests/Conformance/wire/dialects/jsBridge.json"
};
static const unsigned char dialects_kkjsBridge[] = {
#embed "../../Tests/Conformance/wire/dialects/kkjsBridge.json"
};
static const unsigned char dialects_lision[] = {
#embed "../../Tests/Conformance/wire/dialects/lision.json"
};
static const unsigned char dialects_native_dsBridge[] = {
#embed "../../Tests/Conformance/wire/dialects/native-dsBridge.json"
};
static const unsigned char dialects_native_jsBridge[] = {
#embed "../../Tests/Conformance/wire/dialects/native-jsBridge.json"
};
static const unsigned char dialects_native_kkjsBridge[] = {
#embed "../../Tests/Conformance/wire/dialects/native-kkjsBridge.json"
};
static const unsigned char dialects_native_lision[] = {
#embed "../../Tests/Conformance/wire/dialects/native-lision.json"
};
static const unsigned char dialects_native_wendux[] = {
#embed "../../Tests/Conformance/wire/dialects/native-wendux.json"
};
static const unsigned char dialects_native_wvjb4[] = {
#embed "../../Tests/Conformance/wire/dialects/native-wvjb4.json"
};
static const unsigned char dialects_native_wvjb5[] = {
#embed "../../Tests/Conformance/wire/dialects/native-wvjb5.json"
};
static const unsigned char dialects_wendux[] = {
#embed "../../Tests/Conformance/wire/dialects/wendux.json"
};
static const unsigned char dialects_wvjb4[] = {
#embed "../../Tests/Conformance/wire/dialects/wvjb4.json"
};
static const unsigned char dialects_wvjb5[] = {
#embed "../../Tests/Conformance/wire/dialects/wvjb5.json"
};
static const unsigned char encoding[] = {
#embed "../../Tests/Conformance/wire/encoding.json"
};
static const unsigned char extensions[] = {
#embed "../../Tests/Conformance/wire/extensions.json"
};
static const unsigned char handlers[] = {
#embed "../../Tests/Conformance/wire/handlers.json"
};
static const unsigned char injection[] = {
#embed "../../Tests/Conformance/wire/injection.json"
};
static const unsigned char native_extensions[] = {
#embed "../../Tests/Conformance/wire/native-extensions.json"
};
static const unsigned char native_logging[] = {
#embed "../../Tests/Conformance/wire/native-logging.json"
};
static const unsigned char native_receiving[] = {
#embed "../../Tests/Conformance/wire/native-receiving.json"
};
static const unsigned char native_sending[] = {
#embed "../../Tests/Conformance/wire/native-sending.json"
};
static const unsigned char responses[] = {
#embed "../../Tests/Conformance/wire/responses.json"
};
static const unsigned char shapes[] = {
#embed "../../Tests/Conformance/wire/shapes.json"
};
static const unsigned char timing[] = {
#embed "../../Tests/Conformance/wire/timing.json"
};

static const ConformanceText texts[] = {
    {"dialects/dsBridge", dialects_dsBridge, sizeof dialects_dsBridge},
    {"dialects/jsBridge", dialects_jsBridge, sizeof dialects_jsBridge},
    {"dialects/kkjsBridge", dialects_kkjsBridge, sizeof dialects_kkjsBridge},
    {"dialects/lision", dialects_lision, sizeof dialects_lision},
    {"dialects/native-dsBridge", dialects_native_dsBridge, sizeof dialects_native_dsBridge},
    {"dialects/native-jsBridge", dialects_native_jsBridge, sizeof dialects_native_jsBridge},
    {"dialects/native-kkjsBridge", dialects_native_kkjsBridge, sizeof dialects_native_kkjsBridge},
    {"dialects/native-lision", dialects_native_lision, sizeof dialects_native_lision},
    {"dialects/native-wendux", dialects_native_wendux, sizeof dialects_native_wendux},
    {"dialects/native-wvjb4", dialects_native_wvjb4, sizeof dialects_native_wvjb4},
    {"dialects/native-wvjb5", dialects_native_wvjb5, sizeof dialects_native_wvjb5},
    {"dialects/wendux", dialects_wendux, sizeof dialects_wendux},
    {"dialects/wvjb4", dialects_wvjb4, sizeof dialects_wvjb4},
    {"dialects/wvjb5", dialects_wvjb5, sizeof dialects_wvjb5},
    {"encoding", encoding, sizeof encoding},
    {"extensions", extensions, sizeof extensions},
    {"handlers", handlers, sizeof handlers},
    {"injection", injection, sizeof injection},
    {"native-extensions", native_extensions, sizeof native_extensions},
    {"native-logging", native_logging, sizeof native_logging},
    {"native-receiving", native_receiving, sizeof native_receiving},
    {"native-sending", native_sending, sizeof native_sending},
    {"responses", responses, sizeof responses},
    {"shapes", shapes, sizeof shapes},
    {"timing", timing, sizeof timing},
};

int conformance_count(void) { return sizeof texts / sizeof *texts; }
ConformanceText conformance_text(int index) { return texts[index]; }
