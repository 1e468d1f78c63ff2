import Testing
import JavaScriptEngine
import BridgeValues
@Test func smoke() throws {
    let c = try JSContext()
    #expect(try c.evaluate("1 + 1").toValue() == 2)
}
