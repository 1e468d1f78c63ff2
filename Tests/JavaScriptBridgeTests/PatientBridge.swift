import BridgeTesting
import JavaScriptBridge

extension BridgeConfiguration {
    /// A configuration whose calls wait forever: on a machine that is busy with other tests, a deadline by the real
    /// clock would make the tests depend on timing.
    static var patient: BridgeConfiguration {
        var configuration = BridgeConfiguration()
        configuration.defaultTimeout = nil
        return configuration
    }
}

extension Bridge {
    /// Creates a bridge that waits forever, whose page has run a script.
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

    /// Returns the result of the body of an asynchronous function of a script.
    func run(_ body: String) async throws -> Value {
        try await runtime.callAsync("eval", with: [.string("(async () => { \(body) })()")])
    }

    /// Returns the value of a script's expression once it is defined.
    func defined(_ expression: String) async throws -> Value {
        while try await runtime.evaluate("\(expression) === undefined") == true { await Task.yield() }
        return try await runtime.evaluate(expression)
    }
}

/// The code of a page that wants each message in text immediately: otherwise each waits for a separate turn.
let synchronousMode = "WebViewJavascriptBridge.disableJavscriptAlertBoxSafetyTimeout();\n"
