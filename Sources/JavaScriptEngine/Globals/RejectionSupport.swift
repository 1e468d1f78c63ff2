internal import CJavaScriptCore
internal import CJavaScriptCoreSPI
internal import Synchronization

/// The support for the event `rejectionhandled` by the loaded library, found out once per process.
enum RejectionSupport {
    static let feature = PrivateFeature(
        variable: "JSBRIDGE_REJECTION_EVENTS",
        name: "the hook of rejections",
        testedBranches: ModuleSupport.feature.testedBranches,
        isTestedProcessor: PrivateFeature.isX86
    )

    static let current = feature.decide(selfTest: RejectionSelfTest.fault)
}

/// A test of the hook: a rejection, a later handler, and the result of the promise.
enum RejectionSelfTest {
    static func fault() -> String? {
        guard jsb_knows_promise_result() else { return "the results of promises cannot be read" }
        guard let ref = JSGlobalContextCreate(nil) else { return "the engine made no context" }
        defer { JSGlobalContextRelease(ref) }
        JSLock(ref)
        let difference = jsb_probe_rejections(ref, RejectionHook.function).map { String(cString: $0) }
        JSUnlock(ref)
        if let difference { return difference }
        guard jsb_hook_rejections(ref) else { return "the context has another table of functions" }
        RejectionHook.unknown.withLock { $0 = [] }
        let promise = EngineString.with("globalThis.p = Promise.reject(7); p.then(() => {}, () => {}); p") {
            JSEvaluateScript(ref, $0, nil, nil, 1, nil)
        }
        let expected = [0, 1].map { RejectionHook.Operation(promise: UInt(bitPattern: promise), kind: $0) }
        guard let promise, RejectionHook.unknown.withLock({ $0 }) == expected else {
            return "the hook was not called as expected"
        }
        let reason = jsb_promise_result(JSContextGetGroup(ref), promise)
        return JSValueToNumber(ref, reason, nil) == 7
            ? nil : "the reason of a rejection is not where expected"
    }
}

/// The function that the engine calls for rejected promises and for handlers that follow.
enum RejectionHook {
    /// An operation in a context that this package does not know, which is that of the self-test.
    struct Operation: Sendable, Equatable {
        let promise: UInt
        let kind: Int32
    }

    static let unknown = Mutex<[Operation]>([])

    static let function: jsb_rejection_hook = { ref, promise, operation in
        guard let ref, let promise else { return }
        guard let context = JSContext.current(ref) else {
            unknown.withLock {
                if $0.count < 2 { $0.append(Operation(promise: UInt(bitPattern: promise), kind: operation)) }
            }
            return
        }
        if context.globals.rejections.note(promise, isHandled: operation != 0, in: ref) {
            context.virtualMachine.contexts.markRejections()
        }
    }
}
