internal import CBridgeScript
internal import CJavaScriptCore

/// The functions of the package's own script that native code calls, found once per context.
struct ContextScript {
    /// The object that the script's parts share.
    ///
    /// It is never reachable from the global object.
    private(set) var internalObject: JSObjectRef?
    private(set) var take: JSObjectRef?
    private(set) var build: JSObjectRef?
    private(set) var refreshIncoming: JSObjectRef?
    private(set) var describeInto: JSObjectRef?
    private(set) var makeFunction: JSObjectRef?
    private(set) var fireTimer: JSObjectRef?
    private(set) var resetTake: JSObjectRef?
    private(set) var consumeValue: JSObjectRef?

    init() {}

    /// Runs the script's parts in a context.
    ///
    /// The context's turn must be open.
    init(in context: JSContext) throws {
        let shared = try context.makePlainObject()
        internalObject = shared
        let native = try context.makePlainObject()
        try NativeFunctions.install(on: native, in: context)
        try context.setInternal("native", to: native, on: shared)
        let limits = context.virtualMachine.limits
        try context.setInternal(
            "maximumDepth",
            to: JSValueMakeNumber(context.ref, Double(limits.maximumDepth)),
            on: shared
        )
        try context.setInternal(
            "maximumNodes",
            to: JSValueMakeNumber(context.ref, Double(limits.maximumNodes)),
            on: shared
        )
        for part in [
            bridge_script_primordials(), bridge_script_values(), bridge_script_globals(),
            bridge_script_events(), bridge_script_abort(),
        ] {
            try context.runInternal(part, with: shared)
        }
        take = try context.internalFunction("take", on: shared)
        build = try context.internalFunction("build", on: shared)
        refreshIncoming = try context.internalFunction("refreshIncoming", on: shared)
        resetTake = try context.internalFunction("resetTake", on: shared)
        describeInto = try context.internalFunction("describeInto", on: shared)
        makeFunction = try context.internalFunction("makeFunction", on: shared)
        fireTimer = try context.internalFunction("fireTimer", on: shared)
        consumeValue = try context.internalFunction("consumeValue", on: native)
        try context.watchRejections(with: context.internalFunction("reportRejection", on: native))
    }
}
