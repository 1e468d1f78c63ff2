import BridgeTesting
import BridgeValues
import Foundation
import JavaScriptEngine
import Testing

/// Properties by name, index and symbol, with Apple's names and JavaScript's behavior.
@Suite(.noLeaks) struct PropertyTests {
    @Test("a property is read, written, tested and deleted by name, index and symbol")
    func accesses() throws {
        let context = try JSContext()
        let object = try context.evaluate("({ a: 1, 7: 'seven' })")
        let symbol = try JSValue(newSymbolFromDescription: "own", in: context)
        #expect(try object["a"].toInt32() == 1)
        #expect(try object[7].toString() == "seven")
        #expect(try object.forProperty(7).toString() == "seven")
        #expect(try object["b"].isUndefined)
        let yes = JSValue(bool: true, in: context)
        for key: JSPropertyKey in ["b", 9, .symbol(symbol)] {
            #expect(try !object.hasProperty(key))
            try object.setValue(yes, forProperty: key)
            #expect(try object.hasProperty(key))
            #expect(try object.forProperty(key).toBool())
            #expect(try object.deleteProperty(key))
            #expect(try !object.hasProperty(key))
        }
        #expect(try object.hasProperty("toString"), "inherited properties count, as with `in`")
    }

    @Test("keys are the own enumerable names in JavaScript's order; ownKeys also has the others")
    func keys() throws {
        let context = try JSContext()
        let object = try context.evaluate(
            """
            Object.prototype.inherited = 1;
            const object = { b: 1, 2: 0, a: 1, ['\\u0000x']: 1, [Symbol('s')]: 1 };
            Object.defineProperty(object, 'hidden', { value: 1 });
            object
            """
        )
        #expect(try object.propertyNames() == ["2", "b", "a", "\0x"])
        #expect(
            try object.ownKeys().map(\.description) == ["2", "b", "a", "\0x", "hidden", "Symbol(s)"]
        )
        let list = try JSObject(context.evaluate("({ x: 1, get y() { return this.x + 1 } })"))
        #expect(try list.properties().map { "\($0.name)=\(try $0.value.toInt32())" } == ["x=1", "y=2"])
    }

    @Test("defineProperty accepts what Object.defineProperty accepts, whatever Object.prototype contains")
    func definitions() throws {
        let context = try JSContext()
        let object = try context.evaluate(
            "Object.prototype.get = () => 'wrong'; Object.prototype.writable = true; ({})"
        )
        let five = JSValue(double: 5, in: context)
        try object.defineProperty("fixed", descriptor: JSPropertyDescriptor(value: five, isEnumerable: true))
        try context.setValue(object, forProperty: "object")
        #expect(
            try context.evaluate("JSON.stringify(Object.getOwnPropertyDescriptor(object, 'fixed'))")
                .toString()
                == #"{"value":5,"writable":false,"enumerable":true,"configurable":false}"#
        )
        #expect(try !object.deleteProperty("fixed"))
        #expect(throws: JSException.self) {
            try object.defineProperty("fixed", descriptor: JSPropertyDescriptor(value: object))
        }
        let getter = try context.makeFunction(named: "get") { $0.first }
        try object.defineProperty(
            .symbol(context.evaluate("Symbol.iterator")),
            descriptor: JSPropertyDescriptor(get: getter, isConfigurable: true)
        )
        #expect(try context.evaluate("object[Symbol.iterator]").isUndefined)
        #expect(throws: JSException.self) {
            try object.defineProperty(
                "both",
                descriptor: {
                    var both = JSPropertyDescriptor(get: getter)
                    both.value = getter
                    return both
                }()
            )
        }
    }

    @Test(
        "errors of getters, setters and proxies are thrown, and a value that is not an object has no properties"
    )
    func errors() throws {
        let context = try JSContext()
        let hostile = try context.evaluate(
            "new Proxy({}, { get() { throw new Error('get') }, has() { throw new Error('has') },"
                + " ownKeys() { throw new Error('keys') }, deleteProperty() { throw new Error('delete') },"
                + " set() { throw new Error('set') }, defineProperty() { throw new Error('define') },"
                + " getPrototypeOf() { throw new Error('prototype') } })"
        )
        let symbol = JSPropertyKey.symbol(try context.evaluate("Symbol.iterator"))
        let one = JSValue(double: 1, in: context)
        func message(_ body: () throws -> Void) -> String? {
            do { try body() } catch { return (error as? JSException)?.message }
            return nil
        }
        #expect(message { _ = try hostile["x"] } == "get")
        #expect(message { _ = try hostile[0] } == "get")
        #expect(message { _ = try hostile.forProperty(symbol) } == "get")
        #expect(message { _ = try hostile.hasProperty("x") } == "has")
        #expect(message { _ = try hostile.propertyNames() } == "keys")
        #expect(message { try hostile.deleteProperty(symbol) } == "delete")
        #expect(message { try hostile.setValue(one, forProperty: symbol) } == "set")
        #expect(message { try hostile.setValue(one, at: 0) } == "set")
        #expect(message { try hostile.defineProperty("x", descriptor: .init(value: one)) } == "define")
        #expect(message { _ = try JSObject(hostile).prototype() } == "prototype")
        #expect(message { _ = try one["x"] }?.contains("cannot access the property 'x'") == true)
        #expect(message { _ = try one[3] }?.contains("cannot access the property '3'") == true)
        #expect(message { _ = try JSObject(one) }?.contains("not an object") == true)
        #expect(message { _ = try JSObject(in: context)[-1] }?.contains("-1 is not an index") == true)
        #expect(message { _ = try JSObject(in: context)[1 << 40] }?.contains("is not an index") == true)
        #expect(message { _ = try hostile.forProperty(.symbol(one)) }?.contains("not a symbol") == true)
    }

    @Test("the context gives access to the global object; names and inspection are kept")
    func globals() throws {
        let context = try JSContext()
        try context.setValue(3, forProperty: "three")
        try context.setObject(["a", nil, 2.5, ["k": true]] as [Any?], forKeyedSubscript: "mixed")
        #expect(try context["three"].toInt32() == 3)
        #expect(try context.evaluate("JSON.stringify(mixed)").toString() == #"["a",null,2.5,{"k":true}]"#)
        #expect(try context.objectForKeyedSubscript("nothing").isUndefined)
        #expect(context.name == nil)
        context.name = "plugin \0 ä"
        #expect(context.name == "plugin \0 ä")
        context.name = nil
        #expect(context.name == nil)
        #expect(!context.isInspectable)
        context.isInspectable = true
        #expect(context.isInspectable)
    }
}
