#include "CBridgeScript.h"

static const unsigned char bridge[] = {
#embed "../../JS/types/bridge.d.ts"
};
static const unsigned char globals[] = {
#embed "../../JS/types/globals.d.ts"
};
static const unsigned char web[] = {
#embed "../../JS/types/web.d.ts"
};
static const unsigned char data[] = {
#embed "../../JS/types/data.d.ts"
};
static const unsigned char views[] = {
#embed "../../JS/types/views.d.ts"
};
static const unsigned char modules[] = {
#embed "../../JS/types/modules.d.ts"
};
static const unsigned char systemModules[] = {
#embed "../../JS/types/system.d.ts"
};

static const BridgeScriptText texts[] = {
    {bridge, sizeof bridge},
    {globals, sizeof globals},
    {web, sizeof web},
    {data, sizeof data},
    {views, sizeof views},
    {modules, sizeof modules},
    {systemModules, sizeof systemModules},
};
int bridge_types_count(void) { return sizeof texts / sizeof *texts; }
BridgeScriptText bridge_types(int index) { return texts[index]; }
