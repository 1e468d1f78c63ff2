internal import BridgeValues
internal import Foundation

/// Reads one value that the script put into the slab.
///
/// Nothing in the slab is trusted: every count is held against what is left of cells and text, so that a
/// mistake in the script, or a way to mislead it, is an error here and never a read elsewhere in memory.
struct SlabReader {
    /// From the value's first cell to the end of the area.
    let cells: UnsafeBufferPointer<Double>
    let units: UnsafeBufferPointer<UInt16>
    /// The bytes of the next typed array that travels beside the slab.
    let nextBytes: () throws -> Data
    /// What stands for what a script tells of a function or an object that stays there.
    let reference: (String) throws -> Reference
    /// The first key with a lone surrogate, which no `String` can hold: U+FFFD stands in its place.
    private(set) var repairedKey: String?
    private var cell = 0
    private var unit = 0
    /// The long strings so far, which may come again.
    private var longStrings: [Value] = []

    /// From how many units on a string crosses once, however often a payload has it.
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

    /// A container that is being filled.
    private struct Container {
        var isArray: Bool
        /// How many elements or members are still to come.
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

    /// The value.
    ///
    /// Depth and count were limited when it was taken. The containers on the way down stand in a list and not
    /// on the stack, of which a script that calls native code may have left little.
    ///
    /// - Throws: ``BridgeError`` with the code `internal` where the slab is damaged.
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
            // Added before it is given on: a second holder would make each addition copy the whole array.
            guard var outer = open.popLast() else { return done }
            outer.add(done)
            current = outer
        }
    }

    private static func string(_ units: UnsafeBufferPointer<UInt16>) -> Value {
        EngineText.narrow(units).map(Value.string) ?? .illFormedString(Array(units))
    }

    /// Reads a leaf, or the head of a container whose content is then still to be read.
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
            // An element takes a cell at least, a member two.
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
            return .leaf(.bigInteger(digits: EngineText.repaired(try nextUnits())))
        case ValueSlab.Tag.reference:
            return .leaf(.reference(try reference(EngineText.repaired(try nextUnits()))))
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
        if let key = EngineText.narrow(units) { return key }
        let key = EngineText.repaired(units)
        if repairedKey == nil { repairedKey = key }
        return key
    }

    private static func damaged(_ what: String) -> BridgeError {
        BridgeError(.internal, "what a script's value was taken into \(what)")
    }
}
