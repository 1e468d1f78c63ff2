import BridgeTesting
import JavaScriptBridge

extension BridgeConfiguration {
    /// Calls wait for ever: on a machine that is busy with other tests, a deadline by the real clock would be
    /// a timed test.
    static var patient: BridgeConfiguration {
        var configuration = BridgeConfiguration()
        configuration.defaultTimeout = nil
        return configuration
    }
}

extension Bridge {
    /// A bridge that waits for ever, whose page has run a script.
    static func patient(
        _ transport: BridgeConfiguration.Transport = .direct,
        running script: String = "",
        log: Recorder<String> = Recorder(),
        _ change: (inout BridgeConfiguration) -> Void = { _ in }
    ) async throws -> Bridge {
        var configuration = BridgeConfiguration.patient
        configuration.transport = transport
        configuration.logSink = { log.add($0.text) }
        change(&configuration)
        let bridge = try Bridge(configuration: configuration)
        try await bridge.load(.text(script, name: "page.js"))
        return bridge
    }

    /// What the body of an asynchronous function of a script gives.
    func run(_ body: String) async throws -> Value {
        try await runtime.callAsync("eval", with: [.string("(async () => { \(body) })()")])
    }

    /// The value of a script's expression once it has one.
    func defined(_ expression: String) async throws -> Value {
        while try await runtime.evaluate("\(expression) === undefined") == true { await Task.yield() }
        return try await runtime.evaluate(expression)
    }
}

/// What a page runs that wants each message by text at once: else each waits for a turn of its own.
let synchronousMode = "WebViewJavascriptBridge.disableJavscriptAlertBoxSafetyTimeout();\n"
