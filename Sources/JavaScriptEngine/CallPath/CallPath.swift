/// The way in which numbers, strings and calls cross the boundary between Swift and the engine.
///
/// The public C API works with every library. The fast path uses direct host functions and reads values in place,
/// which depends on the library's private layout. It is used where the library's profile is known, the library exports
/// the needed symbol, and a self-test at first use confirms every assumption. Both ways give the same results.
struct CallPath: Sendable, Hashable {
    /// A Boolean value that indicates whether the fast path is used.
    let isFast: Bool
    /// The reason for the choice, for `--version --verbose`.
    let reason: String

    /// The name of the path, for the log and for `--version --verbose`.
    var name: String { isFast ? "fast" : "C API" }

    /// The path that this process uses.
    static var current: CallPath { Capabilities.current.path }

    /// Chooses between the fast path and the C API path.
    ///
    /// - Parameters:
    ///   - setting: `off` never chooses the fast path. `on` chooses it also for a version that is not listed, but not
    ///     without the symbol or after a failed self-test.
    ///   - choice: The profile that was chosen for the library.
    ///   - hasSymbol: Whether the library exports the function that makes host functions.
    ///   - selfTest: Returns the first assumption that fails, or `nil`. It is called last.
    /// - Returns: The path to use, with the reason.
    static func choose(
        setting: String?,
        choice: EngineProfile.Choice,
        hasSymbol: Bool,
        selfTest: (EngineProfile.Layout) -> String?
    ) -> CallPath {
        switch setting {
        case "off": return CallPath(isFast: false, reason: "JSBRIDGE_FAST_PATH=off")
        case nil, "", "on", "auto": break
        case let setting?:
            return CallPath(
                isFast: false,
                reason: "JSBRIDGE_FAST_PATH=\(setting) is not on, off or auto"
            )
        }
        guard hasSymbol else {
            return CallPath(isFast: false, reason: "the library does not export JSC::JSFunction::create")
        }
        guard let profile = choice.profile else { return CallPath(isFast: false, reason: choice.origin) }
        guard let layout = profile.layout else {
            return CallPath(isFast: false, reason: "the layout of branch \(profile.branch) is not known")
        }
        if let fault = selfTest(layout) {
            return CallPath(isFast: false, reason: "the self-test failed: \(fault)")
        }
        return CallPath(isFast: true, reason: "\(choice.origin), and the self-test passed")
    }
}
