import BridgeValues
import CJavaScriptCoreSPI
import Synchronization
import Testing

@testable import JavaScriptEngine

/// The engine's inspector in process, and the decision whether it is used.
@Suite struct InspectorTests {
    @Test("the inspector is used only if setting, version and self-test allow it")
    func choosing() {
        func choose(_ setting: String?, _ version: String, fault: String? = nil) -> FeatureSupport {
            InspectorSupport.feature.decide(setting: setting, version: version) { fault }
        }
        #expect(choose("off", "2.50.6").reason == "JSBRIDGE_INSPECTOR=off")
        #expect(choose("yes", "2.50.6").reason.contains("is not on, off or auto"))
        #expect(!choose(nil, "2.52.6").isAvailable)
        #expect(choose(nil, "2.50.6").isAvailable == PrivateFeature.isX86)
        let fault = choose("on", "2.50.6", fault: "another layout")
        #expect(fault.reason == "the self-test failed: another layout")
        #expect(
            InspectorSupport.error(for: fault)?.message.contains(
                "cannot be debugged here: the self-test failed"
            ) == true
        )
        #expect(InspectorSupport.error(for: choose("on", "2.50.6")) == nil)
    }

    @Suite(.enabled(if: Capabilities.current.inspector.isAvailable)) struct Attached {
        @Test("commands run in the next turn of a context without a runtime, and are answered")
        func commands() throws {
            let client = RecordingClient()
            let context = try JSContext()
            let target = try context.attachInspector(client)
            target.send(#"{"id":7,"method":"Runtime.evaluate","params":{"expression":"'é' + '\u2603'"}}"#)
            #expect(!client.messages.contains { $0.contains("\"id\":7") })
            try context.evaluate("1 + 1")
            let answer = client.messages.first { $0.contains("\"id\":7") }
            #expect(answer?.contains("é\u{2603}") == true)
            context.close()
            #expect(client.events.first == .attached)
            #expect(client.events.last == .detached)
            target.send(#"{"id":8,"method":"Runtime.evaluate","params":{"expression":"1"}}"#)
            #expect(client.events.last == .detached)
        }

        @Test("an inspector is refused after the first script, a second time and in a closed context")
        func refusals() throws {
            let used = try JSContext()
            try used.evaluate("1")
            let late = #expect(throws: JSException.self) { try used.attachInspector(RecordingClient()) }
            #expect(late?.message.contains("before the first script") == true)
            let attached = try JSContext()
            try attached.attachInspector(RecordingClient())
            let again = #expect(throws: JSException.self) { try attached.attachInspector(RecordingClient()) }
            #expect(again?.message == "the context has an inspector")
            let closed = try JSContext()
            closed.close()
            #expect(throws: JSException.self) { try closed.attachInspector(RecordingClient()) }
        }

        @Test("a machine that has run code with the optimizing compilers is refused")
        func hotMachine() throws {
            let machine = JSVirtualMachine()
            try JSContext(virtualMachine: machine).evaluate("1")
            let next = try JSContext(virtualMachine: machine)
            guard InspectorSupport.usesOptimizingCompilers else {
                try next.attachInspector(RecordingClient())
                return
            }
            let refused = #expect(throws: JSException.self) { try next.attachInspector(RecordingClient()) }
            #expect(refused?.message.contains("InspectorSupport.prepareProcess()") == true)
        }

        @Test("a debugger with another table of functions is not touched")
        func otherLayout() throws {
            let context = try JSContext()
            try context.attachInspector(RecordingClient())
            // The table of this debugger is not the library's any more.
            var fault: UnsafePointer<CChar>?
            let client = jsb_inspector_client(info: nil, receive: { _, _, _, _ in }, wait: { _ in })
            #expect(jsb_inspector_open(context.ref, client, &fault) == nil)
            let text = fault.map { String(cString: $0) }
            #expect(text == "the context has no debugger where one is expected")
            #expect(try context.evaluate("6 * 7").toValue() == 42)
            context.close()
        }

        @Test(
            "a context is closed by its own script, while that runs and while it is paused",
            arguments: [false, true]
        )
        func closingInside(isPaused: Bool) throws {
            let client = RecordingClient()
            client.pausingCommand =
                #"{"id":9,"method":"Runtime.evaluate","params":{"expression":"closeContext()"}}"#
            let machine = JSVirtualMachine()
            let context = try JSContext(virtualMachine: machine)
            let target = try context.attachInspector(client)
            target.send(#"{"id":1,"method":"Debugger.setBreakpointsActive","params":{"active":true}}"#)
            target.send(
                #"{"id":2,"method":"Debugger.setPauseOnDebuggerStatements","params":{"enabled":\#(isPaused)}}"#
            )
            try context.globalObject.setValue(
                context.makeFunction(named: "closeContext") { [weak context] _ in
                    context?.close()
                    return nil
                },
                forProperty: "closeContext"
            )
            let script = isPaused ? "debugger;" : "closeContext(); for (let i = 0; i < 1e5; i++) {}"
            _ = try? context.evaluate(script, sourceURL: "close.js")
            #expect(context.isClosed)
            #expect(client.events.last == .detached)
            #expect(client.messages.contains { $0.contains("Debugger.paused") } == isPaused)
            #expect(try JSContext(virtualMachine: machine).evaluate("6 * 7").toValue() == 42)
        }

        @Test("contexts that are released without being closed leave nothing that the engine uses")
        func release() throws {
            let machine = JSVirtualMachine()
            let client = RecordingClient()
            do {
                let context = try JSContext(virtualMachine: machine)
                try context.attachInspector(client)
            }
            // The next context releases the one before.
            let next = try JSContext(virtualMachine: machine)
            #expect(client.events.last == .detached)
            #expect(try next.evaluate("1 + 1").toValue() == 2)
            for _ in 0..<20 {
                let context = try JSContext()
                try context.attachInspector(client)
                try context.evaluate("for (let i = 0; i < 100; i++) {}", sourceURL: "loop.js")
            }
        }
    }
}

private final class RecordingClient: InspectorClient {
    private let received = Mutex<[InspectorEvent]>([])
    var events: [InspectorEvent] { received.withLock { $0 } }
    var messages: [String] {
        events.compactMap { if case .message(let text) = $0 { text } else { nil } }
    }

    /// The command that is sent when a script pauses.
    nonisolated(unsafe) var pausingCommand: String?

    func receive(_ event: InspectorEvent, from target: InspectorTarget) {
        received.withLock { $0.append(event) }
        if let pausingCommand, case .message(let text) = event, text.contains("Debugger.paused") {
            target.send(pausingCommand)
        }
    }
}
