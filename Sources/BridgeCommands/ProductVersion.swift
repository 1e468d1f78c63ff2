internal import JavaScriptEngine

/// What `jsbridge --version` prints.
enum ProductVersion {
    /// The version; `-dev` until it is released.
    static let current = "0.1.0-dev"

    static func text(isVerbose: Bool) -> String {
        guard isVerbose else { return "jsbridge \(current)" }
        let capabilities = Capabilities.current
        let signal =
            capabilities.collectorSignal.map { "signal \($0)" } ?? "SIGUSR1, which the host cannot use"
        return """
            jsbridge \(current)
            engine: JavaScriptCore \(capabilities.engineVersion)
            lane: \(capabilities.lane)
            promise floods: \(capabilities.drainsMicrotasksInTurn ? "stopped at the time limit" : "not stopped")
            collector: \(signal)
            """
    }
}
