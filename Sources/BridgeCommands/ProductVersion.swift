internal import JavaScriptEngine

/// The output of `jsbridge --version`.
enum ProductVersion {
    /// The version, with `-dev` until it is released.
    static let current = "0.1.0-dev"

    static func text(isVerbose: Bool) -> String {
        guard isVerbose else { return "jsbridge \(current)" }
        return (["jsbridge \(current)"] + lines(of: .current)).joined(separator: "\n")
    }

    /// Returns a line for each capability: its name, whether it is available, and the consequence.
    static func lines(of capabilities: Capabilities) -> [String] {
        func line(_ name: String, _ isThere: Bool, _ yes: String, _ no: String) -> String {
            "\(name): \(isThere ? "yes, \(yes)" : "no, \(no)")"
        }
        func line(_ name: String, _ support: FeatureSupport) -> String {
            line(name, support.isAvailable, support.reason, support.reason)
        }
        let signal = capabilities.collectorSignal.map { "signal \($0), SIGUSR1 is left to the host" }
        return [
            "engine: JavaScriptCore \(capabilities.engineVersion)",
            "call path: \(capabilities.callPath), \(capabilities.callPathReason)",
            line("modules", capabilities.modules),
            line("shared bytecode", capabilities.sharedBytecode),
            line(
                "configured",
                capabilities.isConfigured,
                "nothing used the engine before",
                "the engine was in use before its options were set"
            ),
            line(
                "polling traps",
                capabilities.usesPollingTraps,
                "loops are stopped at the time limit",
                "loops may escape the time limit"
            ),
            trapGuard(capabilities.trapGuard),
            line(
                "promise floods",
                capabilities.drainsMicrotasksInTurn,
                "stopped at the time limit",
                "not stopped, the library lacks the symbol that runs microtasks"
            ),
            line(
                "WebAssembly",
                capabilities.hasWebAssembly,
                "which the time limit does not stop",
                "as the time limit could not stop it"
            ),
            line(
                "weak references",
                capabilities.hasWeakReferences,
                "managed values are weak",
                "managed values keep their objects, the library lacks the symbols"
            ),
            line(
                "promise states",
                capabilities.knowsPromiseStates,
                "known immediately",
                "known once microtasks have run, the library lacks the symbol"
            ),
            line(
                "free memory",
                capabilities.returnsFreeMemory,
                "given back after each collection for a memory limit",
                "given back late, memory limits may be noticed late, the library lacks the symbol"
            ),
            line(
                "memory limits",
                capabilities.supportsMemoryLimits,
                "the system reports the size of the process",
                "refused, the system does not report the size of the process"
            ),
            "collector: \(signal ?? "SIGUSR1, which the host cannot use")",
        ]
    }

    private static func trapGuard(_ state: Capabilities.TrapGuard) -> String {
        let meaning =
            switch state {
            case .guarded: "the engine's time limit cannot end the process"
            case .notNeeded: "the engine has no race of its timers"
            case .no: "two simultaneous timers of the engine may end the process"
            }
        return "trap guard: \(state.rawValue), \(meaning)"
    }
}
