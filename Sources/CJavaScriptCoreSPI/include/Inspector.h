// The engine's own inspector of a context, without its socket: commands and messages are JSON texts of the inspector's
// protocol, and the wait at a breakpoint is the caller's.
#ifndef JSB_INSPECTOR_H
#define JSB_INSPECTOR_H

#include <JavaScriptCore/JavaScript.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// The functions that the engine calls on the context's thread, with its lock held.
struct jsb_inspector_client {
    void *info;
    // Receives a response or an event: bytes of Latin-1 or units of UTF-16, which are valid during the call.
    void (*receive)(void *info, const void *characters, size_t count, bool is_narrow);
    // Runs while a script is paused: sends commands until `jsb_inspector_is_resumed`, or returns to resume.
    void (*wait)(void *info);
};
typedef struct jsb_inspector jsb_inspector;

// Compares the layout of the loaded library with the expected one, in a new context that has run nothing. Returns NULL
// if all is as expected, else the first difference. The lock must be held.
const char *jsb_probe_inspector(JSGlobalContextRef context);
// Attaches the inspector to a context that has run nothing, and enables its debugger. Returns NULL and sets the fault if
// the library is not as expected. The lock must be held.
jsb_inspector *jsb_inspector_open(JSGlobalContextRef context, struct jsb_inspector_client client, const char **fault);
// Sends a command, whose response is received before this returns. The lock must be held.
void jsb_inspector_send(jsb_inspector *inspector, const uint16_t *units, size_t count);
// Returns whether the last command at a breakpoint was one that resumes the script.
bool jsb_inspector_is_resumed(const jsb_inspector *inspector);
// Detaches the inspector and frees it. The script must not be paused, and the lock must be held.
void jsb_inspector_close(jsb_inspector *inspector);

#endif
