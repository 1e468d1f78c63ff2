import BridgeValues
import Foundation
import JavaScriptEngine
import Testing

extension LimitTests {
    /// The guard around buffers: it admits small buffers and cannot be bypassed.
    @Suite struct TypedArrayLimitTests {
        private func makeContext(_ bytes: Int = 1 << 20) throws -> JSContext {
            var limits = ExecutionLimits()
            limits.maximumTypedArrayBytes = bytes
            return try JSContext(virtualMachine: JSVirtualMachine(limits: limits))
        }

        static let tooLarge = [
            "new Uint8Array(4e9)", "new Uint8Array(1048577)", "new Float64Array(131073)",
            "new BigInt64Array(131073)",
            "new Uint8Array('1048577')", "new Uint8Array(1048577.9)", "new ArrayBuffer(1048577)",
            "new ArrayBuffer({ valueOf: () => 4e9 })", "new ArrayBuffer(0, { maxByteLength: 4e9 })",
            "new ArrayBuffer(8).transfer(4e9)", "new ArrayBuffer(8).transferToFixedLength(4e9)",
            "new Uint8Array({ length: 4e9 })", "Uint8Array.from({ length: 4e9 })",
            "Float64Array.from({ length: 131073 })",
            "new Uint8Array({ [Symbol.iterator]: () => ({ next: () => ({ done: false, value: 1 }) }) })",
            "new Float64Array(new Uint8Array(1e6))", "new Float64Array(new Array(131073))",
            "new (class extends Uint8Array {})(4e9)", "new (class extends ArrayBuffer {})(4e9)",
            "new Uint8Array.prototype.constructor(4e9)", "new (new Uint8Array(1).constructor)(4e9)",
            "new ArrayBuffer.prototype.constructor(4e9)", "new (new Uint8Array(1).buffer.constructor)(4e9)",
            "Reflect.construct(Uint8Array, [4e9])", "Reflect.construct(Uint8Array, [4e9], Object)",
            "Reflect.construct(ArrayBuffer, [4e9], class {})",
            "Uint8Array.bind(null, 4e9) && new (Uint8Array.bind(null, 4e9))",
            "const u = new Uint8Array(1e6); u.constructor = { [Symbol.species]: Float64Array }; u.map(x => x)",
            "const u = new Uint8Array(1e6); u.constructor = { [Symbol.species]: Float64Array }; u.slice()",
            "const u = new Uint8Array(9); u.constructor = { [Symbol.species]: function () { return new Uint8Array(4e9) } }; u.filter(() => 1)",
            "const b = new ArrayBuffer(9); b.constructor = { [Symbol.species]: function () { return new ArrayBuffer(4e9) } }; b.slice()",
            "Object.getPrototypeOf(Uint8Array).from.call(Float64Array, { length: 4e9 })",
            "Object.getPrototypeOf(Uint8Array).of.call(function () { return new Uint8Array(4e9) }, 1)",
            "new Proxy(Uint8Array, {}) && new (new Proxy(Uint8Array, {}))(4e9)",
            "let n = 0; new Uint8Array({ get length() { return n++ ? 1 : 4e9 } })",
            "class A extends Float64Array { static get [Symbol.species]() { return Float64Array } } new A(131073)",
        ]

        @Test("R21 every way to create a buffer applies the limit", arguments: tooLarge)
        func refused(source: String) throws {
            let context = try makeContext()
            // Changes of a script to the language's own functions do not weaken the guard.
            let tampered = "Object.getPrototypeOf = Reflect.construct = Reflect.apply = Math.trunc = () => 0;"
            for prefix in source.contains("Reflect.") || source.contains("getPrototypeOf")
                ? [""] : ["", tampered]
            {
                let error = try #require(throws: JSException.self) {
                    try context.evaluate("{ \(prefix) \(source) }")
                }
                #expect(error.name == "RangeError", "\(error)")
                #expect(!error.isTermination)
            }
        }

        static let asEver: [(String, Value)] = [
            ("new Uint8Array(1048576).length", 1_048_576), ("new Float64Array(131072).byteLength", 1_048_576),
            ("Array.from(new Uint8Array([1, '2', { valueOf: () => 3 }])).join()", "1,2,3"),
            ("Array.from(new Uint8Array(new Set([4, 5]))).join()", "4,5"),
            ("Array.from(new Float64Array(new Uint8Array([6, 7]))).join()", "6,7"),
            ("Array.from(Uint8Array.from('89')).join()", "8,9"),
            ("Array.from(Uint8Array.of(1, 2)).join()", "1,2"),
            ("new Uint16Array(new ArrayBuffer(8), 2, 2).byteOffset", 2),
            ("new Uint8Array(new ArrayBuffer(8, { maxByteLength: 16 })).length", 8),
            ("const r = new ArrayBuffer(8, { maxByteLength: 16 }); r.resize(16); r.byteLength", 16),
            ("new ArrayBuffer(8).transfer(16).byteLength", 16), ("new ArrayBuffer(8).slice(2).byteLength", 6),
            ("new Uint8Array([3, 1, 2]).toSorted().join()", "1,2,3"),
            ("new Uint8Array(2) instanceof Uint8Array", true),
            ("Uint8Array.name + Uint8Array.length + Uint8Array.BYTES_PER_ELEMENT", "Uint8Array31"),
            ("ArrayBuffer.isView(new Uint8Array(1)) && ArrayBuffer.name", "ArrayBuffer"),
            ("Object.getPrototypeOf(Uint8Array) === Object.getPrototypeOf(Int8Array)", true),
            ("Uint8Array.prototype.constructor === Uint8Array", true), ("new Uint8Array().length", 0),
            (
                "new Uint8Array(null).length + new Uint8Array(undefined).length + new Uint8Array('x').length",
                0
            ),
            (
                "(class A extends Uint8Array { sum() { return this[0] + this[1] } }, new (class extends Uint8Array { sum() { return this[0] + this[1] } })([1, 2]).sum())",
                3
            ),
            ("try { Uint8Array(1) } catch (e) { e.name }", "TypeError"),
            ("try { new Uint8Array(-1) } catch (e) { e.name }", "RangeError"),
            ("try { new Uint8Array(Symbol()) } catch (e) { e.name }", "TypeError"),
            ("try { new ArrayBuffer(1n) } catch (e) { e.name }", "TypeError"),
            ("new BigUint64Array([1n, 2n]).join()", "1,2"),
            ("structure = new DataView(new ArrayBuffer(4), 1).byteLength", 3),
        ]

        @Test("buffers under the limit behave as without it", arguments: asEver.indices)
        func unchanged(index: Int) throws {
            let (source, expected) = Self.asEver[index]
            for context in [try makeContext(), try JSContext()] {
                #expect(try context.evaluate("{ \(source) }").toValue() == expected, "\(source)")
            }
        }

        @Test("bytes cross the boundary in a context with the limit")
        func crossing() throws {
            let context = try makeContext()
            let result = try context.evaluate(
                "b => { const c = new Uint8Array(b); c[0] = 9; return [c, b.constructor === Uint8Array] }"
            )
            #expect(try result.call(with: .bytes(Data([1, 2, 3]))) == [.bytes(Data([9, 2, 3])), true])
        }
    }
}
