/// How numbers, text and calls cross the engine's border.
///
/// The public C API always can. The fast lane, direct host functions and values read where they stand, depends
/// on the library's private layout: it serves where a profile of the library is known, its symbol is there,
/// and a test at the first use finds every assumption true. Both give the same results.
struct CrossingLane: Sendable, Hashable {
    /// Whether the fast lane serves.
    let isFast: Bool
    /// Why this lane serves, for `--version --verbose`.
    let reason: String

    /// The lane's name, for the log and for `--version --verbose`.
    var name: String { isFast ? "fast" : "C API" }

    /// The lane that this process uses.
    static var current: CrossingLane { Capabilities.current.crossingLane }

    /// Chooses a lane.
    ///
    /// - Parameters:
    ///   - setting: `off` never takes the fast lane, `on` takes it with a version that is not listed too;
    ///     nothing makes up for a missing symbol or a failed test.
    ///   - choice: What is known of the library.
    ///   - hasSymbol: Whether host functions can be made.
    ///   - selfTest: Returns what is not as assumed; asked last.
    /// - Returns: The lane.
    static func choose(
        setting: String?,
        choice: EngineProfile.Choice,
        hasSymbol: Bool,
        selfTest: (EngineProfile.Layout) -> String?
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
        guard let profile = choice.profile else { return CrossingLane(isFast: false, reason: choice.origin) }
        guard let layout = profile.layout else {
            return CrossingLane(isFast: false, reason: "the layout of branch \(profile.branch) is not known")
        }
        if let fault = selfTest(layout) {
            return CrossingLane(isFast: false, reason: "the self-test failed: \(fault)")
        }
        return CrossingLane(isFast: true, reason: "\(choice.origin), and the self-test passed")
    }
}
