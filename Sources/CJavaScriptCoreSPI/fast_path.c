#include "CJavaScriptCoreSPI.h"

// JSC::JSFunction::create(VM&, JSGlobalObject*, unsigned, WTF::String const&, NativeFunction, ImplementationVisibility,
// Intrinsic, NativeFunction, DOMJIT::Signature const*). A JSContextGroupRef is the VM's address, a JSGlobalContextRef
// the global object's, and a null WTF::String is a null pointer.
extern void *js_function_create(
    const void *vm, const void *global, unsigned length, void *const *name, jsb_host_function function, int visibility,
    int intrinsic, jsb_host_function constructor, const void *signature)
    __asm__("_ZN3JSC10JSFunction6createERNS_2VMEPNS_14JSGlobalObjectEjRKN3WTF6StringENS5_11FunctionPtrILNS5_6PtrTagE1EFlS4_"
            "PNS_9CallFrameEELNS5_18FunctionAttributesE2EEENS_24ImplementationVisibilityENS_9IntrinsicESF_PKNS_6DOMJIT9SignatureE")
    __attribute__((weak));

bool jsb_can_make_host_functions(void) {
    return js_function_create != 0 && sizeof(void *) == 8 && !jsb_hides_private_symbols();
}

// `new` of a host function returns undefined. It never happens: scripts only hold the package's wrappers.
static uint64_t no_constructor(void *global, const uint64_t *frame) {
    (void)global;
    (void)frame;
    return 0xa;
}

JSObjectRef jsb_make_host_function(JSGlobalContextRef context, jsb_host_function function) {
    if (!jsb_can_make_host_functions()) return 0;
    void *no_name = 0;
    return (JSObjectRef)js_function_create(
        JSContextGetGroup(context), context, 0, &no_name, function, 0, 0, no_constructor, 0);
}
