internal import CJavaScriptCoreSPI
internal import Foundation

/// What the engine's library that is loaded can do, found out once per process before its first use.
///
/// The first use sets options of the engine for the whole process: polling traps (without them a hot loop
/// escapes the time limit for ever; measured on 2.50.6: terminated 2-3 times of 10) and the signal that stops
/// threads for the collector, so that `SIGUSR1` stays the host's.
public struct Capabilities: Sendable {
    /// The library's version, such as `2.50.6`.
    public let engineVersion: String
    /// Whether promise floods can be stopped: the library has the symbol that runs microtasks inside a turn.
    public let drainsMicrotasksInTurn: Bool
    /// The signal that the collector uses, or `nil` if it could not be moved from `SIGUSR1`.
    public let collectorSignal: Int32?
    /// How values and calls cross: `C API`, or the fast lane where the library allows it.
    public let lane: String

    /// The version of the library that is loaded.
    static var libraryVersion: String {
        "\(jsc_get_major_version()).\(jsc_get_minor_version()).\(jsc_get_micro_version())"
    }

    /// The capabilities of this process.
    ///
    /// The first access prepares the engine.
    public static let current = Capabilities()

    private init() {
        setenv("JSC_usePollingTraps", "1", 1)
        // An endless loop in WebAssembly cannot be stopped in any of its tiers (measured on 2.50.6).
        setenv("JSC_useWasm", "0", 1)
        let signal = jsb_collector_signal()
        collectorSignal = JSConfigureSignalForGC(signal) ? signal : nil
        engineVersion = Self.libraryVersion
        drainsMicrotasksInTurn = jsb_can_drain_microtasks()
        lane = CrossingLane.current.name
    }
}
