internal import CJavaScriptCore
internal import CJavaScriptCoreSPI

/// A reader of the engine's memory by the layout of its profile.
///
/// Nothing here is used before ``EngineProfile`` has a layout for the library and ``FastPath/fault(of:)`` has confirmed
/// it. Decision 0004 explains what each check protects.
enum FastPath {
    /// Returns the number of arguments in a frame.
    @inline(__always)
    static func argumentCount(of frame: UnsafePointer<UInt64>) -> Int {
        max(0, Int(jsb_frame_count(frame)) - 1)
    }

    /// Returns the arguments in a frame.
    @inline(__always)
    static func arguments(of frame: UnsafePointer<UInt64>) -> UnsafePointer<UInt64> {
        jsb_frame_arguments(frame)
    }

    /// Returns the characters of a string in place; `nil` if the value is not a string, or is a rope that is not yet
    /// flat.
    ///
    /// The characters are valid for as long as the value lives. The value may be any cell.
    @inline(__always)
    static func characters(of value: EncodedValue) -> Characters? {
        guard value.isCell else { return nil }
        var found = jsb_characters()
        guard jsb_string_characters(value.bits, &found) else { return nil }
        guard let start = found.start else { return .latin1(UnsafeBufferPointer(start: nil, count: 0)) }
        let count = Int(found.count)
        return found.is_narrow
            ? .latin1(UnsafeBufferPointer(start: start.assumingMemoryBound(to: UInt8.self), count: count))
            : .utf16(UnsafeBufferPointer(start: start.assumingMemoryBound(to: UInt16.self), count: count))
    }

    /// Characters in the engine's memory.
    enum Characters {
        case latin1(UnsafeBufferPointer<UInt8>)
        case utf16(UnsafeBufferPointer<UInt16>)

        /// The number of UTF-16 code units.
        var count: Int {
            switch self {
            case .latin1(let bytes): bytes.count
            case .utf16(let units): units.count
            }
        }

        /// The address of the first unit.
        var start: UnsafeRawPointer? {
            switch self {
            case .latin1(let bytes): UnsafeRawPointer(bytes.baseAddress)
            case .utf16(let units): UnsafeRawPointer(units.baseAddress)
            }
        }

        /// The string; `nil` with a lone surrogate.
        var string: String? {
            switch self {
            case .latin1(let bytes): EngineString.string(latin1: bytes)
            case .utf16(let units): EngineString.narrow(units)
            }
        }

        /// The string with each lone surrogate as U+FFFD.
        var repairedString: String {
            switch self {
            case .latin1(let bytes): EngineString.string(latin1: bytes)
            case .utf16(let units): EngineString.repaired(units)
            }
        }
    }

    /// Returns the number of a cell's structure.
    ///
    /// Objects with the same structure have the same layout.
    @inline(__always)
    static func structure(of cell: EncodedValue) -> UInt32 {
        UnsafePointer<UInt32>(bitPattern: UInt(cell.bits))?.pointee ?? 0
    }

    /// Returns what `JSObjectGetPrivate` returns, which takes 3 ns.
    ///
    /// The object must be one that `JSObjectMake` made.
    @inline(__always)
    static func privateData(of object: EncodedValue) -> UnsafeMutableRawPointer? {
        jsb_private_data(object.bits)
    }
}

extension FastPath {
    /// Compares a layout with the loaded engine, in a new virtual machine, and activates the layout.
    ///
    /// Reads that cannot fail check every field before anything is read by the layout (``EngineProbe``).
    ///
    /// - Returns: The first assumption that fails; `nil` if all hold.
    static func fault(of layout: EngineProfile.Layout) -> String? {
        guard let context = JSGlobalContextCreate(nil) else { return "the engine made no context" }
        defer { JSGlobalContextRelease(context) }
        JSLock(context)
        defer { JSUnlock(context) }
        return fault(of: layout, probe: EngineProbe(in: context), in: context)
    }

    /// Does the same in an existing context with its probe.
    ///
    /// The caller must hold the lock.
    static func fault(
        of layout: EngineProfile.Layout,
        probe: EngineProbe?,
        in context: JSGlobalContextRef
    ) -> String? {
        guard let probe else { return "the engine could not be probed" }
        guard let fields = layout.cLayout else { return "a field of the layout is out of range" }
        if let misfit = probe.misfit(of: layout) { return misfit }
        jsb_set_layout(fields)
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
            guard JSValueIsNumber(context, ours.ref) else {
                return "the engine does not read an encoded number as a number"
            }
            let back = JSValueToNumber(context, ours.ref, nil)
            guard back.bitPattern == number.bitPattern || back.isNaN && number.isNaN else {
                return "the engine reads an encoded number as a different one"
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
                return "the engine made no string"
            }
            defer { JSStringRelease(copy) }
            guard let found = characters(of: EncodedValue(value)) else {
                return "a string is stored in another way"
            }
            let isSame = EngineString.withUnits(of: copy) { units in
                switch found {
                case .latin1(let bytes): units.elementsEqual(bytes.lazy.map(UInt16.init))
                case .utf16(let found): units.elementsEqual(found)
                }
            }
            guard isSame else { return "a string is stored in another way" }
        }
        // A value that is not a flat string must be recognized: its words mean something else.
        let others = [
            "(a => a + a)('rope, not put together' + Math.random())", "({})", "[1]", "Symbol('text')", "1n",
        ]
        for script in others {
            guard let value = evaluate(script, in: context) else { return "the engine made no value" }
            guard characters(of: EncodedValue(value)) == nil else {
                return "another value is read as a string"
            }
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
            return "an object without private data has the structure of one with it"
        }
        return nil
    }

    private static func testOfFrames(in context: JSGlobalContextRef) -> String? {
        guard
            let probe = jsb_make_host_function(
                context,
                { global, frame in
                    guard let global, let frame, let index = FastPath.index(in: frame, global: global) else {
                        return EncodedValue.false.bits
                    }
                    return EncodedValue(number: Double(index) / 4).bits
                }
            )
        else { return "the engine made no host function" }
        var exception: JSValueRef?
        EngineString.with("probe") {
            JSObjectSetProperty(context, JSContextGetGlobalObject(context), $0, probe, 0, &exception)
        }
        // The loop runs often enough that compiled code makes the call, which lays out the frame in its own way.
        let script = """
            (function () {
                let sum = 0;
                for (let index = 0; index < 20000; index++) {
                    const result = probe(probe, globalThis, index, 0.5, 'text', true, null);
                    if (typeof result !== 'number') return result;
                    sum += result;
                }
                return sum;
            })()
            """
        guard let result = evaluate(script, in: context), JSValueIsNumber(context, result),
            JSValueToNumber(context, result, nil) == 49_997_500
        else { return "a call's frame is laid out in another way" }
        return nil
    }

    /// Returns the loop's index in a frame; `nil` if the frame does not hold the arguments that the self-test's script
    /// passes.
    private static func index(in frame: UnsafePointer<UInt64>, global: UnsafeMutableRawPointer) -> Int? {
        guard argumentCount(of: frame) == 7 else { return nil }
        // Called 20,000 times at the start of each process: without an array of the arguments.
        let arguments = FastPath.arguments(of: frame)
        func argument(_ index: Int) -> EncodedValue { EncodedValue(bits: arguments[index]) }
        guard arguments[0] == jsb_frame_callee(frame), argument(0).isCell, argument(1).isCell,
            let index = argument(2).smallInteger, argument(3).number == 0.5, argument(5) == .true,
            argument(6) == .null
        else { return nil }
        // These take the engine's lock or read memory. All calls of one piece of code have the same layout.
        guard index.isMultiple(of: 16) else { return Int(index) }
        // A global's `this` is a proxy or the object itself; the object's address identifies the context.
        guard let object = argument(1).ref, JSContextGetGlobalObject(OpaquePointer(global)) == object,
            case .latin1(let bytes)? = characters(of: argument(4)), bytes.elementsEqual("text".utf8)
        else { return nil }
        return Int(index)
    }

    private static func evaluate(_ script: String, in context: JSGlobalContextRef) -> JSValueRef? {
        // The name hides the script from debuggers.
        EngineString.with(script) { script in
            EngineString.with(JSContext.internalSourceURL) {
                JSEvaluateScript(context, script, nil, $0, 1, nil)
            }
        }
    }
}

/// One value of the engine as the 64 bits that a call passes.
///
/// A cell is alive only as long as the engine holds it, in a call's frame or through a handle.
@frozen @usableFromInline struct EncodedValue: Hashable {
    /// The bits of the value's `JSValueRef`.
    @usableFromInline let bits: UInt64

    /// Creates a value from its bits.
    @inlinable
    init(bits: UInt64) { self.bits = bits }

    // All of these are set in a 32-bit integer, none in a cell, some in a double (which has 2^49 added).
    @usableFromInline static let numberMask: UInt64 = 0xFFFE_0000_0000_0000
    @usableFromInline static let doubleOffset: UInt64 = 0x0002_0000_0000_0000

    @usableFromInline static let null = EncodedValue(bits: 2)
    @usableFromInline static let `false` = EncodedValue(bits: 6)
    @usableFromInline static let `true` = EncodedValue(bits: 7)
    @usableFromInline static let undefined = EncodedValue(bits: 10)

    /// The number; `nil` if the value is not a number.
    @inlinable @inline(__always)
    var number: Double? {
        if bits & 0xFFFE_0000_0000_0000 == 0xFFFE_0000_0000_0000 {
            return Double(Int32(truncatingIfNeeded: bits))
        }
        guard bits & 0xFFFE_0000_0000_0000 != 0 else { return nil }
        return Double(bitPattern: bits &- 0x0002_0000_0000_0000)
    }

    /// The integer; `nil` if the engine does not store the value as a 32-bit integer.
    @inlinable @inline(__always)
    var smallInteger: Int32? {
        bits & 0xFFFE_0000_0000_0000 == 0xFFFE_0000_0000_0000 ? Int32(truncatingIfNeeded: bits) : nil
    }

    /// The boolean; `nil` if the value is not a boolean.
    @inlinable @inline(__always)
    var bool: Bool? { bits & ~1 == 6 ? bits == 7 : nil }

    /// A Boolean value that indicates whether the value is `null` or `undefined`.
    @inlinable @inline(__always)
    var isNil: Bool { bits & ~8 == 2 }

    /// A Boolean value that indicates whether the value is a string, an object, a symbol or a big integer, which the
    /// engine stores in its heap.
    @inlinable @inline(__always)
    var isCell: Bool { bits & 0xFFFE_0000_0000_0002 == 0 && bits != 0 }

    /// Encodes a number, as a 32-bit integer if it is one, because the engine's code is fastest with those.
    @inlinable @inline(__always)
    init(number: Double) {
        // Not `Int32(exactly:)`, which calls a function of the mathematics library.
        if number.magnitude < 2_147_483_648 {
            let small = Int32(number)
            if Double(small) == number, small != 0 || number.bitPattern == 0 {
                bits = 0xFFFE_0000_0000_0000 | UInt64(UInt32(bitPattern: small))
                return
            }
        }
        // The engine uses a single NaN. It would read other bit patterns of NaN as something else.
        let pattern = number == number ? number.bitPattern : 0x7FF8_0000_0000_0000
        bits = pattern &+ 0x0002_0000_0000_0000
    }

    /// The integer up to 2^53 - 1; `nil` for other values, which the slower conversions may accept.
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
    /// Creates a value from one of the engine's references.
    init(_ ref: JSValueRef?) { bits = UInt64(UInt(bitPattern: ref)) }

    /// The engine's reference with these bits.
    var ref: JSValueRef? { JSValueRef(bitPattern: UInt(bits)) }
}
