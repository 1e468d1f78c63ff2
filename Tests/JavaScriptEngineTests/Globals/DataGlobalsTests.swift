import BridgeTesting
import BridgeValues
import JavaScriptEngine
import Testing

/// `TextEncoder`, `TextDecoder` and `structuredClone` in a real context: the parts that `JS/tests` cannot test.
@Suite struct DataGlobalsTests {
    private static let use = """
        (() => {
            const words = new Uint16Array([1, 2]);
            const copy = structuredClone({ words, when: new Date(5), kind: new RangeError("e") }, { transfer: [words.buffer] });
            return [
                new TextDecoder().decode(new TextEncoder().encode("\\u20AC\\uD800")), words.length, copy.words[1],
                copy.when - 0, copy.kind instanceof RangeError, String(copy.kind),
            ].join();
        })()
        """
    private static let used: Value = "\u{20AC}\u{FFFD},0,2,5,true,RangeError: e"

    @Test("R13 the globals that copy data are data properties that scripts can replace, and not enumerable")
    func descriptors() throws {
        let context = try JSContext()
        let described = try context.evaluate(
            """
            ["TextEncoder", "TextDecoder", "structuredClone"].every(name => {
                const { value, writable, enumerable, configurable } = Object.getOwnPropertyDescriptor(globalThis, name);
                return typeof value === "function" && writable && !enumerable && configurable;
            })
            """
        ).toValue()
        #expect(described == true)
        #expect(try context.evaluate(Self.use).toValue() == Self.used)
    }

    @Test("R12 texts and clones are made correctly whatever a script has put on the prototypes before")
    func replacedPrototypes() throws {
        let context = try JSContext()
        try context.evaluate(
            """
            for (const owner of [Object, Array, String, Map, Set, WeakMap, Date, RegExp, Error, ArrayBuffer, Uint8Array, Uint16Array,
                Object.getPrototypeOf(Uint8Array), TextEncoder, TextDecoder, DOMException, Reflect, JSON]) {
                for (const object of [owner, owner.prototype]) {
                    if (object === undefined) continue;
                    for (const key of Reflect.ownKeys(object)) {
                        const { configurable, value, get } = Object.getOwnPropertyDescriptor(object, key);
                        const isUsed = ["getOwnPropertyDescriptor", "defineProperty", "ownKeys", "join", "encode", "decode", "toString"].includes(key)
                            || key === Symbol.toPrimitive || key === "valueOf" || object === Error.prototype || key === "fromCharCode"
                            || key === "length" || key === "includes" || key === "getPrototypeOf" || key === Symbol.iterator || key === "values";
                        if (!configurable || isUsed || typeof value !== "function" && get === undefined) continue;
                        Object.defineProperty(object, key, { value() { throw new TypeError(String(key)); } });
                    }
                }
            }
            """
        )
        let text = try context.evaluate(
            """
            (() => {
                const copy = structuredClone({ words: new Uint16Array([1, 2]), set: new Set(), kind: new RangeError("e") });
                return new TextDecoder().decode(new TextEncoder().encode("\\u20AC\\uD800")) + copy.words[1] + copy.kind;
            })()
            """
        ).toValue()
        #expect(text == "\u{20AC}\u{FFFD}2RangeError: e")
    }

    @Test("a text takes no more bytes than a buffer may have, and views are cloned where they are limited")
    func limitedBuffers() throws {
        var limits = ExecutionLimits()
        limits.maximumTypedArrayBytes = 1000
        let context = try JSContext(virtualMachine: JSVirtualMachine(limits: limits))
        #expect(try context.evaluate(Self.use).toValue() == Self.used)
        #expect(try context.evaluate("new TextEncoder().encode('a'.repeat(1000)).length").toValue() == 1000)
        let error = try #require(throws: JSException.self) {
            try context.evaluate("new TextEncoder().encode('\\u20AC'.repeat(334))")
        }
        #expect(error.name == "RangeError")
        #expect(error.message == "a buffer may have 1000 bytes, this string takes 1002")
    }
}
