internal import CJavaScriptCoreSPI
internal import Foundation
internal import Synchronization

/// The capabilities of the loaded engine library, detected once per process before its first use.
///
/// The first use sets options of the engine for the whole process:
/// - Polling traps. Without them a hot loop escapes the time limit for ever (measured on 2.50.6: terminated 2-3 times
///   of 10).
/// - No WebAssembly. An endless loop in it cannot be stopped.
/// - Another signal for the collector, so that `SIGUSR1` remains the host's.
///
/// If another part of the process used the engine before, the options come too late, and ``isConfigured`` is false.
/// If they come in time, the collector's signal is the only one that the engine handles.
///
/// The first use also starts the engine's main thread, on which the first virtual machine is created.
public struct Capabilities: Sendable, Hashable {
    /// The protection against a race inside the engine's time limit, which can end the process.
    ///
    /// The race needs two of the engine's timers at the same time, as on a busy machine. It was seen twice in about
    /// twenty runs of a suite of 1,300 tests on 2.50.6, and never since.
    public enum TrapGuard: String, Sendable, Hashable {
        /// The package replaces the engine's functions that have the race.
        case guarded
        /// The library has no such race: one lock protects the state.
        case notNeeded = "not needed"
        /// The race is not guarded against; everything else works.
        case no
    }

    /// The library's version, such as `2.50.6`.
    public let engineVersion: String
    /// A Boolean value that indicates whether the engine was configured as this package needs it, because nothing in
    /// the process used it before.
    public let isConfigured: Bool
    /// A Boolean value that indicates whether hot loops end at the time limit: the engine polls for it.
    public let usesPollingTraps: Bool
    /// The protection against the race in the engine's time limit.
    public let trapGuard: TrapGuard
    /// A Boolean value that indicates whether scripts see `WebAssembly`, in which the time limit does not work.
    public let hasWebAssembly: Bool
    /// A Boolean value that indicates whether promise floods can be stopped: the library has the symbol that runs
    /// microtasks inside a turn.
    public let drainsMicrotasksInTurn: Bool
    /// A Boolean value that indicates whether ``JSManagedValue`` is weak: the library has the symbols of weak
    /// references.
    ///
    /// Without them, a managed value retains its object for its own lifetime.
    public let hasWeakReferences: Bool
    /// A Boolean value that indicates whether ``JSPromise/state-swift.property`` is always current.
    ///
    /// This needs a symbol of the library, or a known position of the state in a promise. Without either, the state is
    /// the one after the last microtask checkpoint.
    public let knowsPromiseStates: Bool
    /// A Boolean value that indicates whether the console shows the results of promises.
    package let knowsPromiseResults: Bool
    /// A Boolean value that indicates whether memory limits also hold soon after another script has freed much memory:
    /// the library has the symbol that returns free pages immediately.
    ///
    /// Without it, the engine returns pages up to a second later, and growth into them is not noticed until then.
    public let returnsFreeMemory: Bool
    /// A Boolean value that indicates whether memory limits work: the system reports the process's size
    /// (`/proc/self/statm`).
    ///
    /// Without it, creating a context with a memory limit fails.
    public let supportsMemoryLimits: Bool
    /// The signal that the collector uses, or `nil` if it could not be moved from `SIGUSR1`.
    public let collectorSignal: Int32?
    /// The way in which values and calls cross the boundary: `C API`, or the fast path if the library allows it.
    public var callPath: String { path.name }
    /// The reason why that way is used.
    public var callPathReason: String { path.reason }
    /// The warnings about the engine's state for the operator, a sentence each.
    ///
    /// The first bridge with a log writes them to it.
    public let warnings: [String]

    let path: CallPath
    /// A Boolean value that indicates whether the engine delivers its own work to the run loops of runtimes.
    let deliversEngineWork: Bool
    /// The decision whether the imports of contexts are directed to their modules.
    let moduleHooking: FeatureSupport

    /// The version of the loaded library.
    package static var libraryVersion: String {
        "\(jsc_get_major_version()).\(jsc_get_minor_version()).\(jsc_get_micro_version())"
    }

    /// The capabilities of this process.
    ///
    /// The first access prepares the engine. It ends the process if the process can open too few file descriptors;
    /// ``JSContext`` and ``JavaScriptRuntime`` report that case as an error instead.
    public static let current = Capabilities(EngineStart.run())

    /// Starts the engine on a thread of its own, beside the caller's other preparations.
    ///
    /// The environment is changed and restored before the function returns, because no other thread may read it
    /// meanwhile. ``current`` waits for the end of the start. A process that can open too few file descriptors starts
    /// nothing; its first context reports that.
    package static func prepareInBackground() {
        guard (try? EngineDescriptors.check()) != nil else { return }
        EngineStart.prepare()
        Thread.detachNewThread { _ = current }
    }

    private init(_ start: EngineStart) {
        engineVersion = Self.libraryVersion
        isConfigured =
            start.isFirst && start.collectorSignal != nil && start.usesPollingTraps && !start.hasWebAssembly
        usesPollingTraps = start.usesPollingTraps
        trapGuard = start.trapGuard
        hasWebAssembly = start.hasWebAssembly
        collectorSignal = start.collectorSignal
        drainsMicrotasksInTurn = jsb_can_drain_microtasks()
        hasWeakReferences = jsb_has_weak_references()
        knowsPromiseStates = jsb_knows_promise_status()
        knowsPromiseResults = jsb_knows_promise_result()
        returnsFreeMemory = jsb_can_release_free_memory()
        supportsMemoryLimits = HeapGuard.residentBytes() > 0
        path = start.callPath
        deliversEngineWork = start.deliversEngineWork
        moduleHooking = start.moduleHooking
        warnings = Self.warnings(of: start)
    }

    // MARK: - Warnings

    private static let areWarningsTaken = Mutex(false)

    /// Returns the warnings for a log at the first call in a process, and nothing afterwards.
    package static func takeWarnings() -> [String] {
        areWarningsTaken.withLock { areTaken in
            defer { areTaken = true }
            return areTaken ? [] : current.warnings
        }
    }

    static func warnings(
        of start: EngineStart,
        version: String = libraryVersion,
        setting: String? = EngineStart.callPathSetting,
        hidesPrivateSymbols: Bool = jsb_hides_private_symbols()
    ) -> [String] {
        var warnings: [String] = []
        if !start.isFirst {
            let consequence =
                start.usesPollingTraps
                ? "its other options and its signal are those of the other use"
                : "scripts may pass their time limit, and two of the engine's timers at the same time may end the process"
            warnings.append(
                "JavaScriptCore was used in this process before this package set it up: \(consequence); "
                    + "read Capabilities.current before any other use of the engine"
            )
        }
        guard !hidesPrivateSymbols else { return warnings }
        if start.isFirst, start.trapGuard == .no {
            warnings.append(
                "two timers of JavaScriptCore \(version) at the same time may end the process: its race is not guarded"
            )
        }
        if !start.callPath.isFast, setting != "off" {
            let branches = EngineProfile.listed.map(\.branch).joined(separator: ", ")
            warnings.append(
                "JavaScriptCore \(version) is used by its C API alone, which is 2 to 13 times slower: "
                    + "\(start.callPath.reason) (tested branches: \(branches)); "
                    + "'jsbridge engine-probe' checks the library"
            )
        }
        return warnings
    }
}
