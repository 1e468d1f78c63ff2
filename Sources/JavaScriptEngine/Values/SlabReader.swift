internal import BridgeValues
internal import Foundation

/// Reads one value that the script put into the slab.
struct SlabReader {
    let cells: UnsafePointer<Double>
    let units: UnsafeBufferPointer<UInt16>
    /// The bytes of the next typed array that travels beside the slab.
    let nextBytes: () throws -> Data
    private var cell = 0
    private var unit = 0

    init(
        cells: UnsafePointer<Double>,
        units: UnsafeBufferPointer<UInt16>,
        nextBytes: @escaping () throws -> Data
    ) {
        self.cells = cells
        self.units = units
        self.nextBytes = nextBytes
    }

    /// The value.
    ///
    /// Depth and count were limited when it was taken.
    mutating func read() throws -> Value {
        switch next() {
        case ValueSlab.Tag.null: return .null
        case ValueSlab.Tag.false: return .bool(false)
        case ValueSlab.Tag.true: return .bool(true)
        case ValueSlab.Tag.number: return .number(next())
        case ValueSlab.Tag.string:
            let text = nextUnits()
            return EngineText.narrow(text).map(Value.string) ?? .illFormedString(Array(text))
        case ValueSlab.Tag.array:
            let count = Int(next())
            var elements: [Value] = []
            elements.reserveCapacity(count)
            for _ in 0..<count { elements.append(try read()) }
            return .array(elements)
        case ValueSlab.Tag.object:
            var object = ValueObject()
            for _ in 0..<Int(next()) {
                let units = nextUnits()
                guard let key = EngineText.narrow(units) else {
                    throw BridgeError(
                        .encodeFailed,
                        "a key with a lone surrogate cannot cross: \(EngineText.repaired(units))"
                    )
                }
                object[key] = try read()
            }
            return .object(object)
        case ValueSlab.Tag.date: return .date(Date(timeIntervalSince1970: next() / 1000))
        case ValueSlab.Tag.bytes: return .bytes(try nextBytes())
        case ValueSlab.Tag.bigInt: return .bigInteger(digits: EngineText.repaired(nextUnits()))
        default: return .undefined
        }
    }

    private mutating func next() -> Double {
        defer { cell += 1 }
        return cells[cell]
    }

    private mutating func nextUnits() -> UnsafeBufferPointer<UInt16> {
        let count = Int(next())
        defer { unit += count }
        return UnsafeBufferPointer(rebasing: units[unit..<unit + count])
    }
}
