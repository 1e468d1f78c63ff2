import Testing

@testable import JavaScriptEngine

final class Recorder: InspectorClient {
    func receive(_ event: InspectorEvent, from target: InspectorTarget) { print(event) }
}

@Suite struct InspectorTests {
    @Test func attaches() throws {
        InspectorSupport.prepareProcess()
        print(InspectorSupport.current)
        let context = try JSContext()
        let target = try context.attachInspector(Recorder())
        target.send("{\"id\":1,\"method\":\"Runtime.evaluate\",\"params\":{\"expression\":\"6*7\"}}")
        try context.evaluate("globalThis.x = 1", sourceURL: "a.js")
        context.close()
    }
}
