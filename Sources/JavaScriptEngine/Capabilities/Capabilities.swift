internal import CJavaScriptCoreSPI
internal import Foundation
internal import Synchronization

/// What the engine's library that is loaded can do, found out once per process before its first use.
///
/// The first use sets options of the engine for the whole process: polling traps (without them a hot loop
/// escapes the time limit for ever; measured on 2.50.6: terminated 2-3 times of 10), no WebAssembly (an
/// endless loop in it cannot be stopped), and another signal for the collector, so that `SIGUSR1` stays the
/// host's. Where another part of the process used the engine before, they are too late, and
/// ``isConfigured`` is false. With them, the collector's is the only signal that the engine handles.
///
/// The first use also starts the engine's main thread, on which the first virtual machine is made.
public struct Capabilities: Sendable, Hashable {
    /// What keeps a race inside the engine's time limit from ending the process.
    ///
    /// It takes two of the engine's timers at once, as a busy machine brings them (seen twice in some twenty runs of
    /// a suite of 1,300 tests on 2.50.6, never since).
    public enum TrapGuard: String, Sendable, Hashable {
        /// The package stands in for the engine's functions, which have the race.
        case guarded
        /// The library has no such race: it reads and writes its state under one lock.
        case notNeeded = "not needed"
        /// Nothing does; all else works.
        case no
    }

    /// The library's version, such as `2.50.6`.
    public let engineVersion: String
    /// Whether the engine was set up as this package needs it: nothing in the process used it before.
    public let isConfigured: Bool
    /// Whether hot loops end at the time limit: the engine polls for it.
    public let usesPollingTraps: Bool
    /// What keeps the engine's time limit from ending the process.
    public let trapGuard: TrapGuard
    /// Whether scripts see `WebAssembly`, in which the time limit does not work.
    public let hasWebAssembly: Bool
    /// Whether promise floods can be stopped: the library has the symbol that runs microtasks inside a turn.
    public let drainsMicrotasksInTurn: Bool
    /// Whether ``JSManagedValue`` is weak: the library has the symbols of weak references.
    ///
    /// Without them it keeps its object as long as it lives itself.
    public let hasWeakReferences: Bool
    /// Whether ``JSPromise/state-swift.property`` is that of the moment: the library has a symbol for it, or it is known
    /// where a promise keeps its state.
    ///
    /// Without either, it is that of the last time when microtasks ran.
    public let knowsPromiseStates: Bool
    /// Whether memory limits also hold soon after another script has freed much: the library has the symbol that
    /// gives free pages back at once.
    ///
    /// Without it they go back up to a second later, and what grows into them meanwhile is not seen.
    public let returnsFreeMemory: Bool
    /// Whether memory limits work: the system reports the process's size (`/proc/self/statm`).
    ///
    /// Without it a context with a memory limit is refused.
    public let supportsMemoryLimits: Bool
    /// The signal that the collector uses, or `nil` if it could not be moved from `SIGUSR1`.
    public let collectorSignal: Int32?
    /// How values and calls cross: `C API`, or the fast lane where the library allows it.
    public var lane: String { crossingLane.name }
    /// Why that lane is used.
    public var laneReason: String { crossingLane.reason }
    /// What of the engine's state the operator should know, a sentence each; the first bridge with a log writes them there.
    public let warnings: [String]

    let crossingLane: CrossingLane
    /// Whether the engine delivers its own work to the run loops of runtimes.
    let deliversEngineWork: Bool

    /// The version of the library that is loaded.
    package static var libraryVersion: String {
        "\(jsc_get_major_version()).\(jsc_get_minor_version()).\(jsc_get_micro_version())"
    }

    /// The capabilities of this process.
    ///
    /// The first access prepares the engine; it ends the process where that can open too few file descriptors, which
    /// ``JSContext`` and ``JavaScriptRuntime`` report as an error.
    public static let current = Capabilities(EngineStart.run())

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
        returnsFreeMemory = jsb_can_release_free_memory()
        supportsMemoryLimits = HeapGuard.residentBytes() > 0
        crossingLane = start.lane
        deliversEngineWork = start.deliversEngineWork
        warnings = Self.warnings(of: start)
    }

    // MARK: - Warnings

    private static let areWarningsTaken = Mutex(false)

    /// Takes the warnings for a log: they are given once in a process.
    package static func takeWarnings() -> [String] {
        areWarningsTaken.withLock { areTaken in
            defer { areTaken = true }
            return areTaken ? [] : current.warnings
        }
    }

    static func warnings(
        of start: EngineStart,
        version: String = libraryVersion,
        setting: String? = EngineStart.laneSetting,
        hidesPrivateSymbols: Bool = jsb_hides_private_symbols()
    ) -> [String] {
        var warnings: [String] = []
        if !start.isFirst {
            let consequence =
                start.usesPollingTraps
                ? "its other options and its signal are those of the other use"
                : "scripts may pass their time limit, and two of the engine's timers at once may end the process"
            warnings.append(
                "JavaScriptCore was used in this process before this package set it up: \(consequence); "
                    + "read Capabilities.current before any other use of the engine"
            )
        }
        guard !hidesPrivateSymbols else { return warnings }
        if start.isFirst, start.trapGuard == .no {
            warnings.append(
                "two timers of JavaScriptCore \(version) at once may end the process: its race is not guarded"
            )
        }
        if !start.lane.isFast, setting != "off" {
            let branches = EngineProfile.listed.map(\.branch).joined(separator: ", ")
            warnings.append(
                "JavaScriptCore \(version) is used by its C API alone, which is 2 to 13 times slower: "
                    + "\(start.lane.reason) (tested branches: \(branches)); "
                    + "'jsbridge engine-probe' checks the library"
            )
        }
        return warnings
    }
}
