internal import BridgeValues
internal import CBridgeScript
internal import CJavaScriptCore

/// The functions of the package's own script that native code calls, looked up once per context.
struct ContextScript {
    /// The host interface: the functions and members that Swift and the package's scripts exchange.
    ///
    /// It is never reachable from the global object.
    private(set) var internalObject: JSObjectRef?
    /// The exports of the bundles that have run, by the bundle's name.
    ///
    /// Bundles that run later read them; Swift does not.
    private(set) var bundles: JSObjectRef?
    private(set) var take: JSObjectRef?
    private(set) var takePayload: JSObjectRef?
    private(set) var build: JSObjectRef?
    private(set) var refreshIncoming: JSObjectRef?
    private(set) var shareLists: JSObjectRef?
    private(set) var addShape: JSObjectRef?
    private(set) var makeTyped: JSObjectRef?
    private(set) var makeSlot: JSObjectRef?
    private(set) var readRows: JSObjectRef?
    private(set) var readMemberRows: JSObjectRef?
    private(set) var readBlocks: JSObjectRef?
    private(set) var readEntries: JSObjectRef?
    private(set) var readMemberEntries: JSObjectRef?
    private(set) var timeOf: JSObjectRef?
    private(set) var onlyKey: JSObjectRef?
    private(set) var isPlain: JSObjectRef?
    private(set) var callBuilt: JSObjectRef?
    private(set) var readOne: JSObjectRef?
    private(set) var readMember: JSObjectRef?
    private(set) var ownKeys: JSObjectRef?
    private(set) var getMember: JSObjectRef?
    private(set) var getDataMember: JSObjectRef?
    /// The empty string.
    private(set) var emptyText = EncodedValue.undefined
    private(set) var describeInto: JSObjectRef?
    private(set) var makeError: JSObjectRef?
    private(set) var enterOrigin: JSObjectRef?
    private(set) var consumeError: JSObjectRef?
    private(set) var callCatching: JSObjectRef?
    /// The marker that `callCatching` returns if it caught an error.
    ///
    /// No script ever sees it.
    private(set) var caught: JSObjectRef?
    private(set) var makeFunction: JSObjectRef?
    private(set) var fireTimer: JSObjectRef?
    private(set) var resetTake: JSObjectRef?
    private(set) var consumeValue: JSObjectRef?
    /// The marker that a failed closure returns; the wrapper around it throws ``ContextErrors/pendingFailure``.
    private(set) var failed = EncodedValue.undefined
    private(set) var observe: JSObjectRef?
    private(set) var callAsync: JSObjectRef?
    private(set) var toPromise: JSObjectRef?
    private(set) var then: JSObjectRef?
    private(set) var recordPromise: JSObjectRef?
    private(set) var endMicrotasks: JSObjectRef?
    private(set) var reportRejection: JSObjectRef?
    private(set) var rejectionHandled: JSObjectRef?

    init() {}

    /// Runs the first bundle of the package's scripts in a context.
    ///
    /// The context's turn must be open.
    init(in context: JSContext) throws {
        let shared = try context.makePlainObject()
        internalObject = shared
        bundles = try context.makePlainObject()
        let native = try context.makePlainObject()
        try NativeFunctions.install(on: native, in: context)
        try context.setInternal("native", to: native, on: shared)
        try context.applyLimits(to: shared)
        try context.setInternal(
            "maximumCauses",
            to: JSValueMakeNumber(context.ref, Double(BridgeError.maximumCauseCount)),
            on: shared
        )
        try context.runInternal(bridge_script_engine(), with: self)
        take = try context.internalFunction("take", on: shared)
        takePayload = try context.internalFunction("takePayload", on: shared)
        build = try context.internalFunction("build", on: shared)
        refreshIncoming = try context.internalFunction("refreshIncoming", on: shared)
        shareLists = try context.internalFunction("shareLists", on: shared)
        addShape = try context.internalFunction("addShape", on: shared)
        makeTyped = try context.internalFunction("makeTyped", on: shared)
        makeSlot = try context.internalFunction("makeSlot", on: shared)
        readRows = try context.internalFunction("readRows", on: shared)
        readMemberRows = try context.internalFunction("readMemberRows", on: shared)
        readBlocks = try context.internalFunction("readBlocks", on: shared)
        readEntries = try context.internalFunction("readEntries", on: shared)
        readMemberEntries = try context.internalFunction("readMemberEntries", on: shared)
        timeOf = try context.internalFunction("timeOf", on: shared)
        onlyKey = try context.internalFunction("onlyKey", on: shared)
        isPlain = try context.internalFunction("isPlain", on: shared)
        callBuilt = try context.internalFunction("callBuilt", on: shared)
        readOne = try context.internalFunction("readOne", on: shared)
        readMember = try context.internalFunction("readMember", on: shared)
        ownKeys = try context.internalFunction("ownKeys", on: shared)
        getMember = try context.internalFunction("getMember", on: shared)
        getDataMember = try context.internalFunction("getDataMember", on: shared)
        emptyText = EncodedValue(try context.internalValue("emptyText", on: shared))
        resetTake = try context.internalFunction("resetTake", on: shared)
        describeInto = try context.internalFunction("describeInto", on: shared)
        makeError = try context.internalFunction("makeError", on: shared)
        enterOrigin = try context.internalFunction("enterOrigin", on: shared)
        callCatching = try context.internalFunction("callCatching", on: shared)
        caught = try context.makePlainObject()
        consumeError = try context.internalFunction("consumeError", on: native)
        makeFunction = try context.internalFunction("makeFunction", on: shared)
        fireTimer = try context.internalFunction("fireTimer", on: shared)
        failed = EncodedValue(try context.internalValue("failed", on: shared))
        consumeValue = try context.internalFunction("consumeValue", on: native)
        observe = try context.internalFunction("observe", on: shared)
        callAsync = try context.internalFunction("callAsync", on: shared)
        toPromise = try context.internalFunction("toPromise", on: shared)
        then = try context.internalFunction("then", on: shared)
        recordPromise = try context.internalFunction("recordPromise", on: shared)
        endMicrotasks = try context.internalFunction("endMicrotasks", on: shared)
        guard context.globals.set == .web else {
            try context.watchRejections(with: context.internalFunction("reportRejection", on: native))
            return
        }
        try context.runInternal(bridge_script_web(), with: self)
        reportRejection = try context.internalFunction("reportRejection", on: shared)
        rejectionHandled = try context.internalFunction("rejectionHandled", on: shared)
        context.watchRejections(with: reportRejection)
    }
}
