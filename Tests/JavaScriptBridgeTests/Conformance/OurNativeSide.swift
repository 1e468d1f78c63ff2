import BridgeConformance
import BridgeTesting
import Synchronization

@testable import JavaScriptBridge

/// The package's native side, with the text transport and the script that the page brings.
final class OurNativeSide: NativeSideUnderTest {
    let bridge: Bridge
    private let journal = Journal()

    /// A record of events, from any thread.
    final class Journal: Sendable {
        private let observations = Mutex<[ConformanceObservation]>([])

        func add(_ observation: ConformanceObservation) { observations.withLock { $0.append(observation) } }

        func take() -> [ConformanceObservation] {
            observations.withLock { observations in
                defer { observations = [] }
                return observations
            }
        }
    }

    init(configure: (inout BridgeConfiguration) -> Void = { _ in }) throws {
        let journal = self.journal
        var configuration = BridgeConfiguration.patient
        configuration.transport = .text
        configuration.injectsScript = false
        configuration.logSink = { line in
            journal.add(.log(line.text))
        }
        configuration.consoleSink = { message in
            journal.add(message.level == .debug ? .line(message.text) : .log(message.text))
        }
        configuration.uncaughtErrorHandler = { error in
            journal.add(.line("uncaught \(error.name): \(error.message)"))
        }
        configure(&configuration)
        bridge = try Bridge(configuration: configuration)
    }

    func takeObservations() -> [ConformanceObservation] { journal.take() }

    func perform(_ stimulus: NativeStimulus) async throws {
        let journal = self.journal
        switch stimulus {
        case .load(let script): try await bridge.load(.text(script, name: "bridge.js"))
        // Bypasses the bridge, so that a page that is only starting is not taken for a connected one.
        case .evaluate(let script): try await bridge.runtime.evaluate(script)
        case .signal(let queue):
            try await bridge.runtime.withContext { context in
                let queue = try JSValue(.string(queue), in: context)
                _ = try context.globalObject.invokeMethod("peer", withArguments: [queue])
            }
        case .reload:
            try await bridge.reload()
        case .register(let name, let behaviour): try register(name, behaviour)
        case .remove(let name): bridge.removeHandler(name)
        case .call(let name, let data, let callback):
            var responseCallback: Bridge.LegacyAPI.ResponseCallback?
            if let callback {
                responseCallback = { journal.add(.line("callback \(callback) \(Self.json($0))")) }
            }
            bridge.legacy.callHandler(
                name,
                data: try data.map(Self.value),
                responseCallback: responseCallback
            )
        case .reset: bridge.reset()
        case .disableSafetyTimeout: bridge.legacy.disableJavscriptAlertBoxSafetyTimeout()
        case .enableLogging: bridge.enableLogging()
        case .setLogMaxLength(let length): bridge.setLogMaxLength(length)
        }
        await settle()
    }

    /// Waits until all pending work is done: a turn drains the engine's queue.
    func settle() async {
        for _ in 0..<3 {
            try? await bridge.runtime.withContext { _ in }
        }
    }

    private func register(_ name: String, _ behaviour: NativeBehaviour) throws {
        let journal = self.journal
        if case .fail = behaviour {
            try bridge.registerHandler(name) { (data: Value) throws -> Value in
                journal.add(.line("handler \(name) \(Self.json(data))"))
                throw BridgeError(BridgeErrorCode(rawValue: "test.failed"), "it failed")
            }
            return
        }
        try bridge.legacy.registerHandler(name) { [weak bridge] data, reply in
            journal.add(.line("handler \(name) \(Self.json(data))"))
            switch behaviour {
            case .echo: reply(data)
            case .reply(let value): reply(value)
            case .replyNil: reply(.undefined)
            case .replyTwice:
                reply(data)
                reply(data)
            case .replyAndCall(let other):
                reply(data)
                bridge?.legacy.callHandler(other, data: data)
            case .silent, .fail: break
            }
        }
    }

    private static let codec = Mutex(JSONContext())

    /// A parser of JSON in a context of its own: a bridge's context may be busy.
    private final class JSONContext: @unchecked Sendable {
        // @unchecked Sendable because it is used under a lock only.
        let context = try? JSContext()
    }

    private static func value(of json: String) throws -> Value {
        try codec.withLock { codec in
            guard let context = codec.context else { return .undefined }
            let parser = try context.globalObject.forProperty("JSON")
            return try parser.invokeMethod("parse", withArguments: [JSValue(.string(json), in: context)])
                .toValue()
        }
    }

    private static func json(_ value: Value) -> String {
        if value == .undefined { return "undefined" }
        return codec.withLock { codec in
            guard let context = codec.context,
                let parser = try? context.globalObject.forProperty("JSON"),
                let argument = try? JSValue(value, in: context)
            else { return "?" }
            return (try? parser.invokeMethod("stringify", withArguments: [argument]).toString()) ?? "?"
        }
    }
}
