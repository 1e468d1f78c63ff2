internal import BridgeValues
internal import DataSources
internal import Foundation
internal import JavaScriptBridge
internal import Stores

extension DataSession {
    /// Returns the keys of a fetch's functions, if it has any.
    ///
    /// After the options, the arguments are the function that computes the keys, the description of each key, and
    /// whether there is a filter.
    func keys(_ call: HostCall, _ access: EntityAccess) throws -> ScriptKeys? {
        guard call.count > 3 else { return nil }
        return ScriptKeys(
            access,
            identities: (try call.value(at: 4).arrayValue ?? []).map {
                ScriptKeys.identity($0.stringValue ?? "")
            },
            hasFilter: call.double(at: 5) != 0,
            compute: call.jsValue(at: 3),
            session: self
        )
    }

    /// The functions that take keys as an array.
    static let keyFunctions: Set<String> = ["orderNumbers", "differenceOfNumbers"]

    /// Installs the functions that sort and compare a script's own objects by given keys.
    func installKeys(on functions: JSValue, in context: JSContext) throws {
        try defineReturningValue("orderNumbers", on: functions, in: context) { call in
            let isAscending = Self.isAscending(call)
            let positions = try JSTypedArray(call.jsValue(at: 0)).withUnsafeBytes { bytes in
                try OrderSort.positions(of: bytes.bindMemory(to: Double.self), ascending: isAscending)
            }
            return try Self.list(positions, in: call.context)
        }
        try defineReturningValue("keyTaker", on: functions, in: context) { call in
            let keys = ScriptOrderKeys()
            let take = call.context.makeHostFunction { call in
                try keys.append(call)
                return .undefined
            }
            if let border = self.border, border.hidesKeys { border.hideArgumentsOfNextFunction() }
            return try JSValue(newArrayIn: call.context, of: [take, call.context.makeHandle(keys)])
        }
        try defineReturningValue("orderTaken", on: functions, in: context) { call in
            guard let keys = call.handle(at: 0, as: ScriptOrderKeys.self) else {
                throw BridgeError(.invalidArgument, "not the keys of an order")
            }
            return try Self.list(keys.positions(ascending: Self.isAscending(call)), in: call.context)
        }
        try defineReturningValue("differenceOfNumbers", on: functions, in: context) { call in
            let (old, new) = (try JSTypedArray(call.jsValue(at: 0)), try JSTypedArray(call.jsValue(at: 1)))
            guard old.kind.isBig == new.kind.isBig, !old.kind.isBig || old.kind == new.kind else {
                throw BridgeError(
                    .invalidArgument,
                    "keys of \(old.kind) cannot be compared with keys of \(new.kind): pass both arrays as one kind"
                )
            }
            let isWhole =
                old.kind != .float64 && old.kind != .float32 && new.kind != .float64 && new.kind != .float32
            return try Self.difference(
                from: old.keys(areWhole: isWhole),
                to: new.keys(areWhole: isWhole),
                in: call.context
            ) { number in
                if isWhole {
                    return old.kind == .bigUint64 ? String(UInt64(bitPattern: number)) : String(number)
                }
                return AttributeValue.sectionName([.double(Double(bitPattern: UInt64(bitPattern: number)))])
            }
        }
    }

    private static func isAscending(_ call: HostCall) -> Bool {
        if case .bool(false) = call.key(at: 1) { false } else { true }
    }

    private static func list(_ numbers: [Int32], in context: JSContext) throws -> JSValue {
        try JSTypedArray(of: .int32, data: numbers.withUnsafeBytes { Data($0) }, in: context).value
    }

    /// Compares two arrays of keys.
    ///
    /// An empty array has no section, as in a list data source.
    private static func difference(
        from old: [Int64],
        to new: [Int64],
        in context: JSContext,
        name: (Int64) throws -> String
    ) throws -> JSValue {
        func keyed(_ keys: [Int64]) -> SectionedKeys {
            keys.isEmpty
                ? SectionedKeys(sectionKeys: [], rowCounts: [], rowKeys: [])
                : SectionedKeys(sectionKeys: [0], rowCounts: [keys.count], rowKeys: keys)
        }
        let difference: Difference
        do {
            difference = try KeyedDiff.limitedDifference(from: keyed(old), to: keyed(new))
        } catch let error as DuplicateKeyError {
            let key = try Int64(error.key).map(name) ?? error.key
            let side = error.state == .old ? "before" : "after"
            throw BridgeError(.invalidArgument, "the key \(key) appears twice among the keys \(side)")
        }
        return try list(difference.packed, in: context)
    }
}

/// The keys that a script passes one by one: numbers, strings and missing values in one order.
///
/// They are in native memory, which the engine's heap limit does not count, so their size is limited. Their memory is
/// released once they are sorted.
private final class ScriptOrderKeys {
    private var keys = OrderKeyBuffer()
    private var starts: [Int] = [0]

    func append(_ call: HostCall) throws {
        // The end position of a key takes memory too.
        let used = keys.count + MemoryLayout<Int>.size * starts.count
        try keys.append(call, used: used, place: "an order")
        starts.append(keys.count)
    }

    func positions(ascending: Bool) throws -> [Int32] {
        defer {
            keys = OrderKeyBuffer()
            starts = [0]
        }
        return try starts.withUnsafeBufferPointer {
            try OrderSort.positions(of: keys.bytes, starts: $0, ascending: ascending)
        }
    }
}

extension JSTypedArray.Kind {
    /// A Boolean value that indicates whether the elements are bigints in the script.
    fileprivate var isBig: Bool { self == .bigInt64 || self == .bigUint64 }
}

extension JSTypedArray {
    /// Returns the elements as keys: integers as they are, others by their bits.
    fileprivate func keys(areWhole: Bool) throws -> [Int64] {
        try withUnsafeBytes { bytes in
            func elements<Element>(_ type: Element.Type, _ key: (Element) -> Int64) -> [Int64] {
                (0..<bytes.count / MemoryLayout<Element>.size).map {
                    key(bytes.loadUnaligned(fromByteOffset: $0 * MemoryLayout<Element>.size, as: type))
                }
            }
            func whole<Element: BinaryInteger>(_ type: Element.Type) -> [Int64] {
                elements(type) { areWhole ? Int64(truncatingIfNeeded: $0) : Self.bits(Double($0)) }
            }
            return switch kind {
            case .int8: whole(Int8.self)
            case .uint8, .uint8Clamped: whole(UInt8.self)
            case .int16: whole(Int16.self)
            case .uint16: whole(UInt16.self)
            case .int32: whole(Int32.self)
            case .uint32: whole(UInt32.self)
            case .float32: elements(Float.self) { Self.bits(Double($0)) }
            case .float64: elements(Double.self) { Self.bits($0) }
            case .bigInt64: whole(Int64.self)
            case .bigUint64: whole(UInt64.self)
            }
        }
    }

    // The two zeros are one key, and so are all NaN values.
    private static func bits(_ number: Double) -> Int64 {
        let number = number == 0 ? 0 : number.isNaN ? .nan : number
        return Int64(bitPattern: number.bitPattern)
    }
}
