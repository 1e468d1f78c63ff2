import BridgeTesting
import BridgeValues
import Foundation
import JavaScriptEngine
import Testing

/// Bytes in both directions: their owners, and their content when buffers move, shrink and are released.
@Suite(.noLeaks) struct ByteTests {
    private static func pattern(_ count: Int) -> Data {
        Data((0..<count).map { UInt8(truncatingIfNeeded: $0 &* 31) })
    }

    @Test(
        "bytes of any length arrive complete in both directions, also as parts of a Data",
        arguments: [0, 1, 7, 15, 1024, 1025, 65_535, 65_536, 65_537, 1 << 20]
    )
    func roundTrip(count: Int) throws {
        let context = try JSContext()
        let sum = try context.evaluate("a => a.reduce((sum, x) => (sum * 31 + x) >>> 0, 0)")
        let data = Self.pattern(count)
        let expected = data.reduce(UInt32(0)) { $0 &* 31 &+ UInt32($1) }
        let array = try JSTypedArray(data: data, in: context)
        #expect(array.count == count)
        #expect(try sum.call(withArguments: [array.value]).toUInt32() == expected)
        #expect(try array.toData() == data)
        #expect(try array.withUnsafeBytes { Data($0) } == data)
        let part = Self.pattern(count + 10)[5..<(5 + count)]
        #expect(try JSTypedArray(data: part, in: context).toData() == Data(part))
        #expect(try JSArrayBuffer(data: data, in: context).toData() == data)
    }

    @Test("a script's changes to its bytes change no Data of Swift, and the reverse")
    func valueSemantics() throws {
        let context = try JSContext()
        let change = try context.evaluate("a => { a.fill(9); return a }")
        for count in [8, 5000] {
            var data = Self.pattern(count)
            let before = data
            let array = try JSTypedArray(data: data, in: context)
            data[0] = 77
            #expect(try array.toData() == before)
            let read = try array.toData()
            try change.call(withArguments: [array.value])
            #expect(read == before)
            #expect(try array.toData() == Data(repeating: 9, count: count))
            #expect(data.dropFirst() == before.dropFirst())
        }
    }

    @Test("a Data without other references is not copied, and is released when the engine releases it")
    func noCopy() throws {
        let gone = Box(0)
        try assertNoLeaks {
            let context = try JSContext()
            let memory = UnsafeMutableRawPointer.allocate(byteCount: 1 << 20, alignment: 16)
            memory.initializeMemory(as: UInt8.self, repeating: 5, count: 1 << 20)
            let data = Data(
                bytesNoCopy: memory,
                count: 1 << 20,
                deallocator: .custom { pointer, _ in
                    pointer.deallocate()
                    gone.value += 1
                }
            )
            let array = try JSTypedArray(data: consume data, in: context)
            try array.withUnsafeBytes { #expect($0.baseAddress == UnsafeRawPointer(memory)) }
            #expect(gone.value == 0)
        }
        #expect(gone.value == 1)
    }

    @Test("a typed array of each kind has its declared kind")
    func kinds() throws {
        let context = try JSContext()
        let name = try context.evaluate("a => a.constructor.name + a.length")
        for kind in JSTypedArray.Kind.allCases {
            let array = try JSTypedArray(of: kind, count: 3, in: context) { bytes in
                bytes.storeBytes(of: 1, toByteOffset: 0, as: UInt8.self)
            }
            let text = try name.call(withArguments: [array.value]).toString().lowercased()
            #expect(text == "\(kind)array3".lowercased())
            #expect(try JSTypedArray(array.value).kind == kind)
            #expect(try array.toData().count == 3 * kind.elementSize)
        }
        #expect(throws: JSException.self) {
            try JSTypedArray(of: .float64, data: Data(count: 9), in: context)
        }
        #expect(throws: JSException.self) { try JSTypedArray(of: .uint8, count: -1, in: context) { _ in } }
        #expect(throws: JSException.self) {
            try JSTypedArray(of: .uint8, count: 1 << 50, in: context) { _ in }
        }
        #expect(throws: JSException.self) { try JSTypedArray(context.evaluate("[1]")) }
        #expect(throws: JSException.self) { try JSArrayBuffer(context.evaluate("new Uint8Array(1)")) }
    }

    static let views: [(script: String, bytes: [UInt8])] = [
        ("new Uint8Array([1, 2, 3, 4]).subarray(1, 3)", [2, 3]),
        ("new DataView(new Uint8Array([1, 2, 3, 4]).buffer, 1, 2)", [2, 3]),
        ("new DataView(new ArrayBuffer(2))", [0, 0]),
        ("new Uint16Array([258, 772]).subarray(1)", [4, 3]), ("new Float16Array([1])", [0, 60]),
        ("new ArrayBuffer(0)", []), ("new Uint8Array(0)", []), ("new DataView(new ArrayBuffer(0))", []),
        ("new Uint8Array([1, 2, 3]).subarray(3)", []), ("new Uint8Array([1, 2, 3]).buffer", [1, 2, 3]),
        (
            "var r = new ArrayBuffer(4, { maxByteLength: 16 }), v = new Uint8Array(r); r.resize(6); v.fill(1); v",
            [1, 1, 1, 1, 1, 1]
        ),
        (
            "var r = new ArrayBuffer(8, { maxByteLength: 16 }), v = new Uint8Array(r).fill(2); r.resize(3); v",
            [2, 2, 2]
        ),
        ("var r = new ArrayBuffer(8, { maxByteLength: 16 }); new DataView(r, 2)", [0, 0, 0, 0, 0, 0]),
        (
            "var a = new Uint8Array([7]); Object.defineProperty(a, 'buffer', { value: 1 });"
                + " Object.defineProperty(a, 'byteLength', { value: 99 }); a", [7]
        ),
    ]

    @Test("each kind of view returns its own bytes", arguments: views)
    func bytesOfView(script: String, bytes: [UInt8]) throws {
        let context = try JSContext()
        let value = try context.evaluate(script)
        #expect(try value.toData() == Data(bytes))
        if let array = try? JSTypedArray(value) {
            #expect(try array.withUnsafeBytes { Array($0) } == bytes)
            #expect(array.byteCount == bytes.count)
        }
    }

    @Test(
        "reading a detached buffer or a value without bytes is an error and reads no memory",
        arguments: [
            "var b = new ArrayBuffer(8); b.transfer(); b",
            "var a = new Uint8Array(8); a.buffer.transfer(); a",
            "var v = new DataView(new ArrayBuffer(8)); v.buffer.transfer(); v",
            "var a = new Float16Array(8); a.buffer.transfer(); a",
            "var b = new ArrayBuffer(8, { maxByteLength: 8 }), v = new DataView(b, 4); b.resize(2); v", "[1]",
            "({ buffer: new ArrayBuffer(4), byteLength: 4, byteOffset: 0 })", "'text'", "5", "null",
            "new Proxy(new Uint8Array(4), {})",
        ]
    )
    func hasNoBytes(script: String) throws {
        let context = try JSContext()
        let value = try context.evaluate(script)
        let error = try #require(throws: JSException.self) { try value.toData() }
        #expect(error.name == "TypeError", "\(error)")
        if let array = try? JSTypedArray(value) {
            #expect(throws: JSException.self) { try array.withUnsafeBytes { _ in } }
            #expect(array.count == 0)
        }
    }

    @Test("reading bytes leaves a buffer detachable; taking them detaches it")
    func detaching() throws {
        let context = try JSContext()
        let buffer = try JSArrayBuffer(context.evaluate("var b = new Uint8Array(4096).fill(3).buffer; b"))
        #expect(try buffer.toData() == Data(repeating: 3, count: 4096))
        #expect(try context.evaluate("b.slice(0).transfer().byteLength").toInt32() == 4096)
        #expect(try !buffer.isDetached())
        let taken = try buffer.take()
        #expect(taken == Data(repeating: 3, count: 4096))
        #expect(try buffer.isDetached())
        #expect(try context.evaluate("b.detached && b.byteLength === 0").toBool())
        #expect(buffer.byteCount == 0)
        #expect(throws: JSException.self) { try buffer.take() }
        #expect(throws: JSException.self) { try buffer.toData() }
    }

    @Test("taken bytes outlive the last other reference to their context")
    func takenOutlives() throws {
        func make() throws -> Data {
            let context = try JSContext()
            return try JSArrayBuffer(context.evaluate("new Uint8Array(100000).fill(8).buffer")).take()
        }
        let data = try make()
        for _ in 0..<20 { _ = try JSContext().evaluate("new Uint8Array(100000).fill(1)") }
        #expect(data == Data(repeating: 8, count: 100_000))
    }

    @Test("a script sees bytes that Swift writes in place")
    func mutableBytes() throws {
        let context = try JSContext()
        let array = try JSTypedArray(context.evaluate("var a = new Float64Array(4).subarray(1, 3); a"))
        try array.withUnsafeMutableBytes { $0.withMemoryRebound(to: Double.self) { $0[1] = 2.5 } }
        #expect(try context.evaluate("a[1] + new Float64Array(a.buffer)[2]").toDouble() == 5)
        let resizable = try JSTypedArray(
            context.evaluate("new Uint8Array(new ArrayBuffer(4, { maxByteLength: 8 }))")
        )
        #expect(throws: JSException.self) { try resizable.withUnsafeMutableBytes { _ in } }
    }
}
