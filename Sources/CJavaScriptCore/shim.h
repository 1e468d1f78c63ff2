// The engine's public C API, as Debian's libjavascriptcoregtk-4.1-dev installs it. No code.
#include <JavaScriptCore/JavaScript.h>
