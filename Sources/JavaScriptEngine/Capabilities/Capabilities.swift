internal import CJavaScriptCoreSPI
internal import Foundation

/// What the engine's library that is loaded can do, found out once per process before its first use.
///
/// The first use sets options of the engine for the whole process: polling traps (without them a hot loop
/// escapes the time limit for ever; measured on 2.50.6: terminated 2-3 times of 10), no WebAssembly (an
/// endless loop in it cannot be stopped), and another signal for the collector, so that `SIGUSR1` stays the
/// host's. Where another part of the process used the engine before, they are too late, and
/// ``isConfigured`` is false. With them, the collector's is the only signal that the engine handles.
public struct Capabilities: Sendable, Hashable {
    /// The library's version, such as `2.50.6`.
    public let engineVersion: String
    /// Whether the engine was set up as this package needs it: nothing in the process used it before.
    public let isConfigured: Bool
    /// Whether hot loops end at the time limit: the engine polls for it.
    public let usesPollingTraps: Bool
    /// Whether the engine's time limit is safe from a race inside the engine that ends the process.
    ///
    /// It takes two of the engine's timers at once, as a busy machine brings them (seen twice in some twenty runs of
    /// a suite of 1,300 tests on 2.50.6, never since). Without the guard everything works, but for that.
    public let guardsTraps: Bool
    /// Whether scripts see `WebAssembly`, in which the time limit does not work.
    public let hasWebAssembly: Bool
    /// Whether promise floods can be stopped: the library has the symbol that runs microtasks inside a turn.
    public let drainsMicrotasksInTurn: Bool
    /// Whether ``JSManagedValue`` is weak: the library has the symbols of weak references.
    ///
    /// Without them it keeps its object as long as it lives itself.
    public let hasWeakReferences: Bool
    /// Whether ``JSPromise/state-swift.property`` is that of the moment: the library has the symbol that tells it.
    ///
    /// Without it, it is that of the last time when microtasks ran.
    public let knowsPromiseStates: Bool
    /// Whether memory limits also hold soon after another script has freed much: the library has the symbol that
    /// gives free pages back at once.
    ///
    /// Without it they go back up to a second later, and what grows into them meanwhile is not seen.
    public let returnsFreeMemory: Bool
    /// Whether the engine reads the thread's processor time, once in each turn, by a function of this package.
    ///
    /// Without it, turns read that clock once more.
    let seesEntryTimes: Bool
    /// The signal that the collector uses, or `nil` if it could not be moved from `SIGUSR1`.
    public let collectorSignal: Int32?
    /// How values and calls cross: `C API`, or the fast lane where the library allows it.
    public let lane: String
    /// Why that lane is used.
    public let laneReason: String

    /// The version of the library that is loaded.
    static var libraryVersion: String {
        "\(jsc_get_major_version()).\(jsc_get_minor_version()).\(jsc_get_micro_version())"
    }

    /// The capabilities of this process.
    ///
    /// The first access prepares the engine.
    public static let current = Capabilities()

    private init() {
        EngineDescriptors.note()
        // An endless loop in WebAssembly cannot be stopped in any of its tiers (measured on 2.50.6).
        let options = ["JSC_usePollingTraps": "1", "JSC_useWasm": "0"]
        let environment = ProcessInfo.processInfo.environment
        for (name, value) in options { setenv(name, value, 1) }
        let signal = jsb_free_collector_signal()
        // Refused once the engine is in use.
        let isFirst = signal != 0 && JSConfigureSignalForGC(signal)
        collectorSignal = isFirst ? signal : nil
        // Asked, not assumed: options count from the environment only before the engine's first use, and this
        // is it, here or in another part of the process.
        usesPollingTraps = Self.option("usePollingTraps") ?? isFirst
        guardsTraps = usesPollingTraps && jsb_guard_traps()
        hasWebAssembly = Self.option("useWasm") ?? !isFirst
        if jsb_can_read_options() {
            // To ask has made the engine read them: they are none of the programs' that this one starts.
            for name in options.keys {
                if let value = environment[name] { setenv(name, value, 1) } else { unsetenv(name) }
            }
        }
        isConfigured = isFirst && usesPollingTraps && !hasWebAssembly
        engineVersion = Self.libraryVersion
        drainsMicrotasksInTurn = jsb_can_drain_microtasks()
        hasWeakReferences = jsb_has_weak_references()
        knowsPromiseStates = jsb_knows_promise_status()
        returnsFreeMemory = jsb_can_release_free_memory()
        seesEntryTimes = jsb_sees_entry_times()
        lane = CrossingLane.current.name
        laneReason = CrossingLane.current.reason
    }

    private static func option(_ name: String) -> Bool? {
        guard jsb_can_read_options() else { return nil }
        var value: Int32 = 0
        return jsc_options_get_boolean(name, &value) != 0 ? value != 0 : nil
    }
}
