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
    /// - Throws: ``BridgeError`` where it nests too deep or holds too much.
    mutating func write(_ value: Value, depth: Int = 0) throws {
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
            for element in elements { try write(element, depth: depth + 1) }
        case .object(let object):
            try checkDepth(depth)
            put(ValueSlab.Tag.object, Double(object.count))
            for member in object.members {
                put(text: member.key)
                try write(member.value, depth: depth + 1)
            }
        }
    }

    private func checkDepth(_ depth: Int) throws {
        guard depth < maximumDepth else {
            throw BridgeError(
                .limitExceeded,
                "a payload may nest \(maximumDepth) levels deep, this one goes deeper"
            )
        }
    }

    private mutating func put(_ cells: Double...) {
        slab.reserveIncoming(used + cells.count, used: used)
        for cell in cells {
            slab.incoming[used] = cell
            used += 1
        }
    }

    private mutating func put(text: String) {
        let before = units.count
        units.append(contentsOf: text.utf16)
        put(Double(units.count - before))
    }
}
