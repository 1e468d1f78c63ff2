internal import CJavaScriptCore
internal import CJavaScriptCoreSPI

/// What the fast lane knows of the engine's private layout, on 64-bit processors: the one Swift file that
/// does.
///
/// Nothing here is used before ``CrossingLane`` has found the library's version on its list and
/// ``FastLane/selfTest()`` has found every assumption true. Decision 0004 says what each of them protects.
enum FastLane {
    /// Versions of the library with which the whole suite passed.
    static let testedVersions: Set<String> = ["2.50.6"]

    /// Where a call frame's slots are, counted in words: the count holds `this` too, in its lower half.
    private static let calleeSlot = 3
    private static let countSlot = 4
    static let firstArgumentSlot = 6

    /// How many arguments a frame holds.
    static func argumentCount(of frame: UnsafePointer<UInt64>) -> Int {
        max(0, Int(UInt32(truncatingIfNeeded: frame[countSlot])) - 1)
    }

    /// The function that a frame belongs to.
    private static func callee(of frame: UnsafePointer<UInt64>) -> UInt64 { frame[calleeSlot] }

    /// The characters of a text as they lie in the engine; `nil` where the value is no text, or one that is
    /// not yet put together.
    ///
    /// They live as long as the value does. Any cell may be asked.
    static func characters(of value: EncodedValue) -> Characters? {
        guard value.isCell, let cell = UnsafePointer<UInt64>(bitPattern: UInt(value.bits)) else { return nil }
        guard cell.withMemoryRebound(to: UInt8.self, capacity: 8, { $0[typeOffset] }) == stringType else {
            return nil
        }
        let fiber = cell[1]
        // The lowest bit marks a rope; the other flag bits of the word are above the address.
        guard fiber & 1 == 0, let text = UnsafeRawPointer(bitPattern: UInt(fiber)) else { return nil }
        let count = Int(text.load(fromByteOffset: 4, as: UInt32.self))
        let start = text.load(fromByteOffset: 8, as: UnsafeRawPointer?.self)
        let isNarrow = text.load(fromByteOffset: 16, as: UInt32.self) & 4 != 0
        guard let start else { return .latin1(UnsafeBufferPointer(start: nil, count: 0)) }
        return isNarrow
            ? .latin1(UnsafeBufferPointer(start: start.assumingMemoryBound(to: UInt8.self), count: count))
            : .utf16(UnsafeBufferPointer(start: start.assumingMemoryBound(to: UInt16.self), count: count))
    }

    /// Characters in place.
    enum Characters {
        case latin1(UnsafeBufferPointer<UInt8>)
        case utf16(UnsafeBufferPointer<UInt16>)
    }

    /// Which kind of object a cell is: those of one kind are laid out alike.
    @inline(__always)
    static func structure(of cell: EncodedValue) -> UInt32 {
        UnsafePointer<UInt32>(bitPattern: UInt(cell.bits))?.pointee ?? 0
    }

    /// What `JSObjectGetPrivate` gives, which takes 3 ns; only of an object that `JSObjectMake` made.
    @inline(__always)
    static func privateData(of object: EncodedValue) -> UnsafeMutableRawPointer? {
        UnsafePointer<UnsafePointer<UnsafeMutableRawPointer?>?>(bitPattern: UInt(object.bits))?[dataSlot]?
            .pointee
    }

    // Behind the cell's header and the place of its properties.
    private static let dataSlot = 2

    // The type of a cell is the sixth byte of its header; that of a text is 2, of a symbol 4 or so. Found out
    // by the self-test on a text and never assumed of another version.
    private static let typeOffset = 5
    private static let stringType: UInt8 = 2
}

extension FastLane {
    /// Holds every assumption against the engine that is loaded, in a virtual machine of its own.
    ///
    /// - Returns: What is not as assumed; `nil` where all is.
    static func selfTest() -> String? {
        guard let context = JSGlobalContextCreate(nil) else { return "the engine made no context" }
        defer { JSGlobalContextRelease(context) }
        JSLock(context)
        defer { JSUnlock(context) }
        return testOfNumbers(in: context) ?? testOfConstants(in: context) ?? testOfText(in: context)
            ?? testOfBoxes(in: context) ?? testOfFrames(in: context)
    }

    private static func testOfNumbers(in context: JSGlobalContextRef) -> String? {
        let numbers: [Double] = [
            0, -0.0, 1, -1, 0.5, -0.5, 2_147_483_647, 2_147_483_648, -2_147_483_648, -2_147_483_649, 1e300,
            -1e300,
            .leastNonzeroMagnitude, .infinity, -.infinity, .nan, 9_007_199_254_740_991,
        ]
        for number in numbers {
            let theirs = EncodedValue(JSValueMakeNumber(context, number))
            guard let read = theirs.number, read.bitPattern == number.bitPattern || read.isNaN && number.isNaN
            else {
                return "a number is encoded in another way"
            }
            let ours = EncodedValue(number: number)
            guard JSValueIsNumber(context, ours.ref) else { return "an encoded number is none to the engine" }
            let back = JSValueToNumber(context, ours.ref, nil)
            guard back.bitPattern == number.bitPattern || back.isNaN && number.isNaN else {
                return "an encoded number is another one to the engine"
            }
        }
        return nil
    }

    private static func testOfConstants(in context: JSGlobalContextRef) -> String? {
        let areSame =
            EncodedValue(JSValueMakeUndefined(context)) == .undefined
            && EncodedValue(JSValueMakeNull(context)) == .null
            && EncodedValue(JSValueMakeBoolean(context, true)) == .true
            && EncodedValue(JSValueMakeBoolean(context, false)) == .false
        let areCells =
            EncodedValue(JSContextGetGlobalObject(context)).isCell && !EncodedValue.undefined.isCell
        return areSame && areCells ? nil : "a constant is encoded in another way"
    }

    private static func testOfText(in context: JSGlobalContextRef) -> String? {
        let scripts = ["'narrow'", "'caf\\u00e9'", "'wide \\u20ac \\ud83d\\ude00'", "''", "'x'", "'\\u20ac'"]
        for script in scripts {
            guard let value = evaluate(script, in: context),
                let copy = JSValueToStringCopy(context, value, nil)
            else {
                return "the engine makes no text"
            }
            defer { JSStringRelease(copy) }
            guard let found = characters(of: EncodedValue(value)) else {
                return "a text is stored in another way"
            }
            let isSame = EngineText.withUnits(of: copy) { units in
                switch found {
                case .latin1(let bytes): units.elementsEqual(bytes.lazy.map(UInt16.init))
                case .utf16(let found): units.elementsEqual(found)
                }
            }
            guard isSame else { return "a text is stored in another way" }
        }
        // What is no flat text must be seen as such: its words mean something else.
        let others = [
            "(a => a + a)('rope, not put together' + Math.random())", "({})", "[1]", "Symbol('text')", "1n",
        ]
        for script in others {
            guard let value = evaluate(script, in: context) else { return "the engine makes no value" }
            guard characters(of: EncodedValue(value)) == nil else { return "a value passes for a text" }
        }
        return nil
    }

    private static func testOfBoxes(in context: JSGlobalContextRef) -> String? {
        var definition = kJSClassDefinitionEmpty
        let type = JSClassCreate(&definition)
        defer { JSClassRelease(type) }
        let memory = UnsafeMutableRawPointer.allocate(byteCount: 16, alignment: 8)
        defer { memory.deallocate() }
        let first = EncodedValue(JSObjectMake(context, type, memory))
        let second = EncodedValue(JSObjectMake(context, type, memory + 8))
        guard first.isCell, second.isCell, structure(of: first) != 0,
            structure(of: first) == structure(of: second), privateData(of: first) == memory,
            privateData(of: second) == memory + 8
        else { return "an object's private data is kept in another way" }
        let other = EncodedValue(JSObjectMake(context, nil, nil))
        let global = EncodedValue(JSContextGetGlobalObject(context))
        guard structure(of: other) != structure(of: first), structure(of: global) != structure(of: first)
        else {
            return "an object passes for one with private data"
        }
        return nil
    }

    private static func testOfFrames(in context: JSGlobalContextRef) -> String? {
        guard
            let probe = jsb_make_host_function(
                context,
                { global, frame in
                    guard let global, let frame else { return EncodedValue.null.bits }
                    return FastLane.isExpected(frame, global: global)
                        ? EncodedValue(number: 0.25).bits : EncodedValue.false.bits
                }
            )
        else { return "the engine made no host function" }
        var exception: JSValueRef?
        EngineText.with("probe") {
            JSObjectSetProperty(context, JSContextGetGlobalObject(context), $0, probe, 0, &exception)
        }
        // Often enough for the engine's compiled code to make the call, which lays the frame out by itself.
        let script = """
            (function () {
                let sum = 0;
                for (let index = 0; index < 20000; index++) {
                    const result = probe(probe, globalThis, 7, 0.5, 'text', true, null);
                    if (typeof result !== 'number') return result;
                    sum += result;
                }
                return sum;
            })()
            """
        guard let result = evaluate(script, in: context), JSValueIsNumber(context, result),
            JSValueToNumber(context, result, nil) == 5000
        else { return "a call's frame is laid out in another way" }
        return nil
    }

    /// Whether a frame holds what the script of the test passes.
    private static func isExpected(_ frame: UnsafePointer<UInt64>, global: UnsafeMutableRawPointer) -> Bool {
        guard argumentCount(of: frame) == 7 else { return false }
        let arguments = (0..<7).map { EncodedValue(bits: frame[firstArgumentSlot + $0]) }
        guard arguments[0].bits == callee(of: frame), arguments[0].isCell else { return false }
        guard arguments[1].isCell, let object = arguments[1].ref else { return false }
        // A global's `this` is a proxy or the object itself; the context is known by the object's address.
        guard JSContextGetGlobalObject(OpaquePointer(global)) == object else { return false }
        guard arguments[2].smallInteger == 7, arguments[3].number == 0.5 else { return false }
        guard case .latin1(let bytes)? = characters(of: arguments[4]), bytes.elementsEqual("text".utf8) else {
            return false
        }
        return arguments[5] == .true && arguments[6] == .null
    }

    private static func evaluate(_ script: String, in context: JSGlobalContextRef) -> JSValueRef? {
        EngineText.with(script) { JSEvaluateScript(context, $0, nil, nil, 1, nil) }
    }
}

/// One value of the engine as its 64 bits stand in a call.
///
/// A cell is alive only as long as something of the engine holds it: a call's frame, or a handle.
@frozen public struct EncodedValue: Hashable {
    /// The bits: those of a `JSValueRef`.
    public let bits: UInt64

    /// Makes a value of its bits.
    @inlinable
    public init(bits: UInt64) { self.bits = bits }

    // All of these are set in a 32-bit integer, none in a cell, some in a double (which has 2^49 added).
    @usableFromInline static let numberMask: UInt64 = 0xFFFE_0000_0000_0000
    @usableFromInline static let doubleOffset: UInt64 = 0x0002_0000_0000_0000

    @usableFromInline static let null = EncodedValue(bits: 2)
    @usableFromInline static let `false` = EncodedValue(bits: 6)
    @usableFromInline static let `true` = EncodedValue(bits: 7)
    @usableFromInline static let undefined = EncodedValue(bits: 10)

    /// The number, if this is one.
    @inlinable @inline(__always)
    var number: Double? {
        if bits & 0xFFFE_0000_0000_0000 == 0xFFFE_0000_0000_0000 {
            return Double(Int32(truncatingIfNeeded: bits))
        }
        guard bits & 0xFFFE_0000_0000_0000 != 0 else { return nil }
        return Double(bitPattern: bits &- 0x0002_0000_0000_0000)
    }

    /// The whole number, if this is one that the engine holds as such.
    @inlinable @inline(__always)
    var smallInteger: Int32? {
        bits & 0xFFFE_0000_0000_0000 == 0xFFFE_0000_0000_0000 ? Int32(truncatingIfNeeded: bits) : nil
    }

    /// The boolean, if this is one.
    @inlinable @inline(__always)
    var bool: Bool? { bits & ~1 == 6 ? bits == 7 : nil }

    /// Whether this is `null` or `undefined`.
    @inlinable @inline(__always)
    var isNil: Bool { bits & ~8 == 2 }

    /// Whether this is a text, an object, a symbol or a big integer, which lie in the heap.
    @inlinable @inline(__always)
    var isCell: Bool { bits & 0xFFFE_0000_0000_0002 == 0 && bits != 0 }

    /// Encodes a number: as 32-bit integer where it is one, since the engine's code is fastest with those.
    @inlinable @inline(__always)
    init(number: Double) {
        // By hand, since `Int32(exactly:)` calls a function of the mathematics library.
        if number.magnitude < 2_147_483_648 {
            let small = Int32(number)
            if Double(small) == number, small != 0 || number.bitPattern == 0 {
                bits = 0xFFFE_0000_0000_0000 | UInt64(UInt32(bitPattern: small))
                return
            }
        }
        // The engine knows one NaN; other bit patterns of it would be read as something else.
        let pattern = number == number ? number.bitPattern : 0x7FF8_0000_0000_0000
        bits = pattern &+ 0x0002_0000_0000_0000
    }

    /// The whole number up to 2^53 - 1 that this is; `nil` for others, which other ways may take.
    @inlinable @inline(__always)
    var wholeNumber: Int? {
        if let smallInteger { return Int(smallInteger) }
        guard let number, number.magnitude <= 9_007_199_254_740_991 else { return nil }
        let whole = Int(number)
        return Double(whole) == number ? whole : nil
    }

    /// Encodes a boolean.
    @inlinable @inline(__always)
    init(bool: Bool) { bits = bool ? 7 : 6 }
}

extension EncodedValue {
    /// The bits of one of the engine's references.
    init(_ ref: JSValueRef?) { bits = UInt64(UInt(bitPattern: ref)) }

    /// The engine's reference of these bits.
    var ref: JSValueRef? { JSValueRef(bitPattern: UInt(bits)) }
}
