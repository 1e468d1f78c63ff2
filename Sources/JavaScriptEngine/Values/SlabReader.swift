internal import BridgeValues
internal import Foundation

/// A reader of one value that the script has put into the slab.
///
/// Nothing in the slab is trusted: every count is checked against the remaining cells and units. A mistake or an attack
/// in the script is therefore an error here, and never a read outside the slab.
struct SlabReader {
    /// The cells from the value's first one to the end of the area.
    let cells: UnsafeBufferPointer<Double>
    let units: UnsafeBufferPointer<UInt16>
    /// A closure that returns the bytes of the next typed array that accompanies the slab.
    let nextBytes: () throws -> Data
    /// A closure that returns the reference for the script's description of a function or an object.
    let reference: (String) throws -> Reference
    /// The first key with a lone surrogate, which no `String` can hold: it is replaced by U+FFFD.
    private(set) var repairedKey: String?
    private var cell = 0
    private var unit = 0
    /// The long strings so far, which may occur again.
    private var longStrings: [Value] = []

    /// The number of units from which a string crosses only once, however often a payload contains it.
    static let longLength = 16_384

    init(
        cells: UnsafeBufferPointer<Double>,
        units: UnsafeBufferPointer<UInt16>,
        nextBytes: @escaping () throws -> Data,
        reference: @escaping (String) throws -> Reference
    ) {
        self.cells = cells
        self.units = units
        self.nextBytes = nextBytes
        self.reference = reference
    }

    /// A container that is being read.
    private struct Container {
        var isArray: Bool
        /// The number of remaining elements or members.
        var left: Int
        var elements: [Value] = []
        var object = ValueObject()
        /// The key of the member that is being read.
        var key = ""

        var value: Value { isArray ? .array(elements) : .object(object) }

        mutating func add(_ value: Value) {
            left -= 1
            if isArray { elements.append(value) } else { object[key] = value }
        }
    }

    private enum Head {
        case leaf(Value)
        case container(Container)
    }

    /// Reads the value.
    ///
    /// The script has limited depth and count when it put the value into the slab. The open containers are in an array
    /// and not on the stack, of which a script that calls native code may have left little.
    ///
    /// - Throws: ``BridgeError`` with the code `internal` if the slab is damaged.
    mutating func read() throws -> Value {
        var current: Container
        switch try readHead() {
        case .leaf(let value): return value
        case .container(let container): current = container
        }
        var open: [Container] = []
        while true {
            while current.left > 0 {
                if !current.isArray { current.key = try nextKey() }
                switch try readHead() {
                case .leaf(let value): current.add(value)
                case .container(let inner):
                    open.append(current)
                    current = inner
                }
            }
            let done = current.value
            // The element is added before the outer container is passed on: with a second reference, each addition
            // would copy the whole array.
            guard var outer = open.popLast() else { return done }
            outer.add(done)
            current = outer
        }
    }

    private static func string(_ units: UnsafeBufferPointer<UInt16>) -> Value {
        EngineString.narrow(units).map(Value.string) ?? .illFormedString(Array(units))
    }

    /// Reads a scalar, or the head of a container whose content must then be read.
    private mutating func readHead() throws -> Head {
        switch try next() {
        case ValueSlab.Tag.undefined, ValueSlab.Tag.hole: return .leaf(.undefined)
        case ValueSlab.Tag.null: return .leaf(.null)
        case ValueSlab.Tag.false: return .leaf(.bool(false))
        case ValueSlab.Tag.true: return .leaf(.bool(true))
        case ValueSlab.Tag.number: return .leaf(.number(try next()))
        case ValueSlab.Tag.string:
            let text = try nextUnits()
            return .leaf(Self.string(text))
        case ValueSlab.Tag.longString:
            longStrings.append(Self.string(try nextUnits()))
            return .leaf(longStrings[longStrings.count - 1])
        case ValueSlab.Tag.longStringAgain:
            return .leaf(longStrings[try nextCount(upTo: longStrings.count - 1)])
        case ValueSlab.Tag.array:
            // An element takes at least one cell, a member at least two.
            let count = try nextCount(upTo: cells.count - cell - 1)
            var container = Container(isArray: true, left: count)
            container.elements.reserveCapacity(count)
            return .container(container)
        case ValueSlab.Tag.object:
            let count = try nextCount(upTo: (cells.count - cell - 1) / 2)
            return .container(Container(isArray: false, left: count))
        case ValueSlab.Tag.date: return .leaf(.date(Date(javaScriptMilliseconds: try next())))
        case ValueSlab.Tag.bytes: return .leaf(.bytes(try nextBytes()))
        case ValueSlab.Tag.bigInt:
            return .leaf(.bigInteger(digits: EngineString.repaired(try nextUnits())))
        case ValueSlab.Tag.reference:
            return .leaf(.reference(try reference(EngineString.repaired(try nextUnits()))))
        case let tag: throw Self.damaged("holds a tag \(tag)")
        }
    }

    private mutating func next() throws -> Double {
        guard cell < cells.count else { throw Self.damaged("ends inside a value") }
        defer { cell += 1 }
        return cells[cell]
    }

    private mutating func nextCount(upTo limit: Int) throws -> Int {
        let count = try next()
        guard let exact = Int(exactly: count), exact >= 0, exact <= limit else {
            throw Self.damaged("holds a count of \(count) where at most \(max(limit, 0)) can be")
        }
        return exact
    }

    private mutating func nextUnits() throws -> UnsafeBufferPointer<UInt16> {
        let count = try nextCount(upTo: units.count - unit)
        defer { unit += count }
        return UnsafeBufferPointer(rebasing: units[unit..<unit + count])
    }

    private mutating func nextKey() throws -> String {
        let units = try nextUnits()
        if let key = EngineString.narrow(units) { return key }
        let key = EngineString.repaired(units)
        if repairedKey == nil { repairedKey = key }
        return key
    }

    private static func damaged(_ what: String) -> BridgeError {
        BridgeError(.internal, "the slab of a script's value \(what)")
    }
}
