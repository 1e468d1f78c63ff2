// The engine's public C API: what the plain work is written in. No code.
#include <JavaScriptCore/JavaScript.h>
