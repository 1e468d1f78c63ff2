internal import CJavaScriptCore
internal import CJavaScriptCoreSPI
internal import Synchronization

/// The support for debugging by the loaded library, found out once per process.
///
/// The engine's inspector has no public interface in a program's own process.
public enum InspectorSupport {
    static let feature = PrivateFeature(
        variable: "JSBRIDGE_INSPECTOR",
        name: "the inspector",
        testedBranches: ["2.50"],
        isTestedProcessor: PrivateFeature.isX86
    )

    static let current = feature.decide(selfTest: fault)

    /// Returns the first difference of the library's inspector from the expected one; `nil` if there is none.
    static func fault() -> String? {
        let branch = EngineProfile.branch(of: Capabilities.libraryVersion)
        // A context of 2.52 or 2.54 that was inspected ends the process when it is released.
        guard feature.testedBranches.contains(branch) else {
            return "branch \(branch) cannot release a context that was inspected"
        }
        guard let context = JSGlobalContextCreate(nil) else { return "the engine made no context" }
        defer { JSGlobalContextRelease(context) }
        JSLock(context)
        defer { JSUnlock(context) }
        return jsb_probe_inspector(context).map { String(cString: $0) }
    }

    /// Returns the error of attaching an inspector; `nil` where that is possible.
    static func error(for support: FeatureSupport) -> JSException? {
        guard !support.isAvailable else { return nil }
        return JSException(
            name: "Error",
            message:
                "JavaScriptCore \(Capabilities.libraryVersion) cannot be debugged here: \(support.reason)"
        )
    }

    // MARK: - The process

    private static let isRequested = Atomic(false)
    /// A Boolean value that indicates whether the engine is to start without its optimizing compilers.
    static var isProcessPrepared: Bool { isRequested.load(ordering: .acquiring) }

    /// Starts the engine so that scripts can be debugged: without its optimizing compilers.
    ///
    /// A script in their code is paused late, and a context of a machine that has run such code cannot be debugged any
    /// more. Without them, hot code is slower: a loop of arithmetic ten times. Call it before any other use of the engine.
    ///
    /// - Returns: Whether the engine runs without them. If it was used before, it cannot be changed.
    @discardableResult
    public static func prepareProcess() -> Bool {
        isRequested.store(true, ordering: .releasing)
        _ = Capabilities.current
        return !usesOptimizingCompilers
    }

    /// A Boolean value that indicates whether the engine uses its optimizing compilers.
    static var usesOptimizingCompilers: Bool { EngineStart.option("useDFGJIT") ?? !isProcessPrepared }
}

extension Capabilities {
    /// The support for debugging.
    ///
    /// The first access runs a self-test in a virtual machine of its own (some milliseconds).
    public var inspector: FeatureSupport { InspectorSupport.current }
}
