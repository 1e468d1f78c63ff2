internal import CJavaScriptCore
internal import CJavaScriptCoreSPI
internal import Foundation

/// How numbers, text and calls cross the engine's border.
///
/// The public C API always can. The fast lane, direct host functions and values read where they stand, depends
/// on the library's private layout: it serves where the version of the library is known, its symbol is there,
/// and a test at the first use finds every assumption true. Both give the same results.
struct CrossingLane: Sendable {
    /// Whether the fast lane serves.
    let isFast: Bool
    /// Why this lane serves, for `--version --verbose`.
    let reason: String

    /// The lane's name, for the log and for `--version --verbose`.
    var name: String { isFast ? "fast" : "C API" }

    /// The lane that this process uses.
    static let current = choose(
        setting: ProcessInfo.processInfo.environment["JSBRIDGE_FAST_LANE"],
        version: Capabilities.libraryVersion,
        hasSymbol: jsb_can_make_host_functions(),
        selfTest: FastLane.selfTest
    )

    /// Chooses a lane.
    ///
    /// - Parameters:
    ///   - setting: `off` never takes the fast lane, `on` takes it with a version that is not on the list too;
    ///     nothing makes up for a missing symbol or a failed test.
    ///   - version: The library's.
    ///   - hasSymbol: Whether host functions can be made.
    ///   - selfTest: Says what is not as assumed; asked last, since it costs a virtual machine.
    /// - Returns: The lane.
    static func choose(
        setting: String?,
        version: String,
        hasSymbol: Bool,
        selfTest: () -> String?
    ) -> CrossingLane {
        switch setting {
        case "off": return CrossingLane(isFast: false, reason: "JSBRIDGE_FAST_LANE=off")
        case nil, "", "on", "auto": break
        case let setting?:
            return CrossingLane(
                isFast: false,
                reason: "JSBRIDGE_FAST_LANE=\(setting) is none of on, off and auto"
            )
        }
        guard hasSymbol else {
            return CrossingLane(isFast: false, reason: "the library does not export JSC::JSFunction::create")
        }
        guard setting == "on" || FastLane.testedVersions.contains(version) else {
            return CrossingLane(
                isFast: false,
                reason: "version \(version) of the library has not been tested"
            )
        }
        if let fault = selfTest() {
            return CrossingLane(isFast: false, reason: "the self-test failed: \(fault)")
        }
        let why = setting == "on" ? "JSBRIDGE_FAST_LANE=on" : "version \(version) has been tested"
        return CrossingLane(isFast: true, reason: "\(why), and the self-test passed")
    }
}
