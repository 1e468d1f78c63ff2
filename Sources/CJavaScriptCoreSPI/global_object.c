#include "GlobalObject.h"
#include "CJavaScriptCoreSPI.h"
#include "method_table.h"
#include <errno.h>
#include <sys/random.h>

// JSC::JSObject::setPrototypeDirect(JSC::VM&, JSC::JSValue). A context's reference is the address of its global object,
// and `globalThis` a proxy of that.
extern void set_prototype_direct(void *object, void *vm, uint64_t prototype)
    __asm__("_ZN3JSC8JSObject18setPrototypeDirectERNS_2VMENS_7JSValueE") __attribute__((weak));

bool jsb_set_global_prototype(JSGlobalContextRef context, JSObjectRef prototype) {
    if (!set_prototype_direct || sizeof(void *) != 8 || jsb_hides_private_symbols()) return false;
    set_prototype_direct((void *)context, (void *)JSContextGetGroup(context), (uint64_t)prototype);
    return true;
}

// void promiseRejectionTracker(JSGlobalObject *, JSPromise *, JSPromiseRejectionOperation)
typedef void (*tracker)(JSGlobalContextRef context, JSObjectRef promise, int operation);
static jsb_rejection_hook rejection_hook;
static tracker original_tracker;

static void rejection_method(JSGlobalContextRef context, JSObjectRef promise, int operation) {
    rejection_hook(context, promise, operation);
    if (original_tracker) original_tracker(context, promise, operation);
}

const char *jsb_probe_rejections(JSGlobalContextRef context, jsb_rejection_hook hook) {
    const char *fault = jsb_find_method_table(context);
    if (fault) return fault;
    rejection_hook = hook;
    original_tracker = (tracker)jsb_original_method(JSB_METHOD_REJECTION);
    jsb_set_method(JSB_REJECTION_METHODS, JSB_METHOD_REJECTION, (void *)rejection_method);
    return 0;
}

bool jsb_hook_rejections(JSGlobalContextRef context) { return jsb_give_methods(context, JSB_REJECTION_METHODS); }

bool jsb_keeps_rejection_callback(void) { return original_tracker != 0; }

int jsb_fill_random(void *bytes, size_t count) {
    for (size_t filled = 0; filled < count;) {
        const ssize_t part = getrandom((char *)bytes + filled, count - filled, 0);
        if (part > 0) filled += (size_t)part;
        else if (errno != EINTR) return errno;
    }
    return 0;
}
