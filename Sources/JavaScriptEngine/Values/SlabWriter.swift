internal import BridgeValues
internal import Foundation

/// Writes one value into the slab for the script to build.
struct SlabWriter {
    let slab: ValueSlab
    private(set) var units: [UInt16] = []
    private(set) var bytes: [Data] = []
    private var used = 0
    private var nodes = 0
    private let maximumDepth: Int
    private let maximumNodes: Int

    init(slab: ValueSlab, limits: ExecutionLimits) {
        self.slab = slab
        maximumDepth = limits.maximumDepth
        maximumNodes = limits.maximumNodes
    }

    /// Writes a value.
    ///
    /// The containers on the way down stand in a list and not on the stack, of which a script that calls
    /// native code may have left little.
    ///
    /// - Throws: ``BridgeError`` where it nests too deep or holds too much.
    mutating func write(_ value: Value) throws {
        var open: [Container] = []
        guard var current = try writeHead(of: value, depth: 0) else { return }
        while true {
            var inner: Container?
            switch current {
            case .array(var elements):
                while inner == nil, let element = elements.next() {
                    inner = try writeHead(of: element, depth: open.count + 1)
                }
                current = .array(elements)
            case .object(var members):
                while inner == nil, let member = members.next() {
                    put(text: member.key)
                    inner = try writeHead(of: member.value, depth: open.count + 1)
                }
                current = .object(members)
            }
            if let inner {
                open.append(current)
                current = inner
            } else if let outer = open.popLast() {
                current = outer
            } else {
                return
            }
        }
    }

    /// What is still to be written of a container.
    private enum Container {
        case array(IndexingIterator<[Value]>)
        case object(IndexingIterator<[ValueObject.Member]>)
    }

    /// Writes a leaf, or the head of a container whose content is then still to be written.
    private mutating func writeHead(of value: Value, depth: Int) throws -> Container? {
        nodes += 1
        guard nodes <= maximumNodes else {
            throw BridgeError(
                .limitExceeded,
                "a payload may hold \(maximumNodes) values, this one holds more"
            )
        }
        switch value {
        case .undefined: put(ValueSlab.Tag.undefined)
        case .null: put(ValueSlab.Tag.null)
        case .bool(let flag): put(flag ? ValueSlab.Tag.true : ValueSlab.Tag.false)
        case .integer(let number):
            if number.magnitude <= UInt64(Value.maximumSafeInteger) {
                put(ValueSlab.Tag.number, Double(number))
            } else {
                put(ValueSlab.Tag.bigInt)
                put(text: String(number))
            }
        case .double(let number): put(ValueSlab.Tag.number, number)
        case .bigInt(let digits):
            put(ValueSlab.Tag.bigInt)
            put(text: digits)
        case .string(let text):
            put(ValueSlab.Tag.string)
            put(text: text)
        case .illFormedString(let text):
            put(ValueSlab.Tag.string, Double(text.count))
            units += text
        case .date(let date): put(ValueSlab.Tag.date, (date.timeIntervalSince1970 * 1000).rounded())
        case .bytes(let data):
            put(ValueSlab.Tag.bytes)
            bytes.append(data)
        case .array(let elements):
            try checkDepth(depth)
            put(ValueSlab.Tag.array, Double(elements.count))
            return .array(elements.makeIterator())
        case .object(let object):
            try checkDepth(depth)
            put(ValueSlab.Tag.object, Double(object.count))
            return .object(object.members.makeIterator())
        }
        return nil
    }

    private func checkDepth(_ depth: Int) throws {
        guard depth < maximumDepth else {
            throw BridgeError(
                .limitExceeded,
                "a payload may nest \(maximumDepth) levels deep, this one goes deeper"
            )
        }
    }

    private mutating func put(_ cell: Double) {
        slab.reserveIncoming(used + 1, used: used)
        slab.incoming[used] = cell
        used += 1
    }

    private mutating func put(_ tag: Double, _ cell: Double) {
        slab.reserveIncoming(used + 2, used: used)
        slab.incoming[used] = tag
        slab.incoming[used + 1] = cell
        used += 2
    }

    private mutating func put(text: String) {
        let before = units.count
        units.append(contentsOf: text.utf16)
        put(Double(units.count - before))
    }
}
