import BridgeValues
import Stores
import TestSupport
import Testing

@Suite struct OrderSortTests {
    @Test(
        "numbers are sorted with NaN first, and equal ones keep their order",
        arguments: [3, 64, 5000]
    )
    func numbers(count: Int) throws {
        var generator = SeededGenerator.fromEnvironment()
        let special: [Double] = [0, -0.0, .infinity, -.infinity, .nan, .leastNonzeroMagnitude, -1, 1, 1e300]
        let numbers = (0..<count).map { _ -> Double in
            Bool.random(using: &generator)
                ? special.randomElement(using: &generator) ?? 0
                : Double.random(in: -1e3...1e3, using: &generator).rounded()
        }
        for ascending in [true, false] {
            let positions = try numbers.withUnsafeBufferPointer {
                try OrderSort.positions(of: $0, ascending: ascending)
            }
            let expected = numbers.indices.sorted { left, right in
                let (first, second) = (numbers[left], numbers[right])
                if first.isNaN || second.isNaN {
                    return first.isNaN && second.isNaN ? left < right : first.isNaN == ascending
                }
                if first == second { return left < right }
                return ascending ? first < second : first > second
            }
            #expect(positions.map(Int.init) == expected, "\(generator.origin)")
        }
    }

    @Test("R19 R33 comparing long keys counts their bytes, so that the limit is checked in time")
    func longKeys() throws {
        let (count, length) = (64, 65_536)
        // All keys are equal except for the last byte, so every comparison reads a whole key. The first two differ in
        // their first byte, so the common prefix is empty.
        var bytes = [UInt8](repeating: 7, count: count * length)
        bytes[0] = 6
        for index in 0..<count { bytes[index * length + length - 1] = UInt8(count - index) }
        let starts = (0...count).map { $0 * length }
        var asked = 0
        let ask: () throws -> Void = { asked += 1 }
        let positions = try WorkLimit.withLimit(ask) {
            try bytes.withUnsafeBytes { bytes in
                try starts.withUnsafeBufferPointer { try OrderSort.positions(of: bytes, starts: $0) }
            }
        }
        #expect(positions.map(Int.init) == [0] + (1..<count).reversed())
        #expect(asked >= count - 2)
    }

    @Test(
        "keys are sorted by their bytes, for any length of the common prefix",
        arguments: [1, 2, 65, 3000]
    )
    func keys(count: Int) throws {
        var generator = SeededGenerator.fromEnvironment()
        let prefix = [UInt8](repeating: 7, count: Int.random(in: 0...20, using: &generator))
        let keys = (0..<count).map { _ in
            prefix
                + (0..<Int.random(in: 0...12, using: &generator)).map { _ in
                    [0, 0, 1, 255].randomElement(using: &generator) ?? UInt8(0)
                }
        }
        var starts = [0]
        for key in keys { starts.append(starts[starts.count - 1] + key.count) }
        let bytes = keys.flatMap { $0 }
        for ascending in [true, false] {
            let positions = try bytes.withUnsafeBytes { bytes in
                try starts.withUnsafeBufferPointer {
                    try OrderSort.positions(of: bytes, starts: $0, ascending: ascending)
                }
            }
            let expected = keys.indices.sorted { left, right in
                if keys[left] == keys[right] { return left < right }
                return keys[left].lexicographicallyPrecedes(keys[right]) == ascending
            }
            #expect(positions.map(Int.init) == expected, "\(generator.origin)")
        }
    }
}
