internal import CJavaScriptCore
internal import CJavaScriptCoreSPI
internal import Synchronization

/// The support for the event `rejectionhandled` by the loaded library, found out once per process.
struct RejectionSupport: Sendable {
    /// A Boolean value that indicates whether handled rejections are reported.
    let isAvailable: Bool
    /// The reason for the value, for the log.
    let reason: String

    static let current: RejectionSupport = {
        // A context that the self-test creates before would start the engine without its options.
        _ = Capabilities.current
        return choose(version: Capabilities.libraryVersion, selfTest: RejectionSelfTest.fault)
    }()

    /// Decides whether the hook is used.
    ///
    /// - Parameters:
    ///   - version: The library's version.
    ///   - selfTest: Returns the first difference from what is expected. It is called last.
    /// - Returns: The decision, with the reason.
    static func choose(version: String, selfTest: () -> String?) -> RejectionSupport {
        func no(_ reason: String) -> RejectionSupport { RejectionSupport(isAvailable: false, reason: reason) }
        let branch = EngineProfile.branch(of: version)
        guard ModuleSupport.testedBranches.contains(branch), ModuleSupport.isTestedProcessor else {
            return no("version \(version) of the library has not been tested with the hook on this processor")
        }
        guard jsb_knows_promise_result() else { return no("the results of promises cannot be read") }
        if let fault = selfTest() { return no("the self-test failed: \(fault)") }
        return RejectionSupport(isAvailable: true, reason: "branch \(branch), and the self-test passed")
    }
}

/// A test of the hook: a rejection, a later handler, and the result of the promise.
enum RejectionSelfTest {
    static func fault() -> String? {
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
            context.virtualMachine.hasRejections = true
        }
    }
}
