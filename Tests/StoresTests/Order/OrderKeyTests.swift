import Foundation
import Stores
import TestSupport
import Testing

/// Tests that the bytewise order of keys is the order of their values.
@Suite struct OrderKeyTests {
    private static let entity = EntityDescription(
        name: "thing",
        attributes: [
            AttributeDescription("flag", .boolean), AttributeDescription("whole", .integer),
            AttributeDescription("number", .double), AttributeDescription("text", .string),
            AttributeDescription("day", .date), AttributeDescription("bytes", .data),
        ]
    )

    /// Values at the edges of each type, few enough that equal ones are common.
    private static let values: [[AttributeValue]] = [
        [.boolean(false), .boolean(true)],
        [.min, -256, -1, 0, 1, 255, 256, .max].map { .integer($0) },
        [-.infinity, -1e300, -1.5, -0.0, 0, .leastNonzeroMagnitude, 1, 1.5, 1e300, .infinity].map {
            .double($0)
        },
        [
            "", "\u{0}", "\u{0}\u{FF}", "a", "a\u{0}", "a\u{0}b", "aa", "ab", "b", "\u{E9}", "e\u{301}",
            "\u{10FFFF}",
        ]
        .map { .string($0) },
        [-1e10, -0.5, 0, 978_307_200.25, 4e9].map { .date(Date(timeIntervalSince1970: $0)) },
        [[], [0], [0, 0], [0, 0xFF], [0, 1], [1], [0xFF], [0xFF, 0]].map { .data(Data($0 as [UInt8])) },
    ]

    private static func format(_ keys: [(Int, Bool)], sections: Int = 0) throws -> OrderKeyFormat {
        let names = keys.map { entity.attributes[$0.0].name }
        return try OrderKeyFormat(
            FetchRequest(
                entityName: "thing",
                sortDescriptors: zip(names, keys).map { .init($0, ascending: $1.1) },
                sectionKeys: Array(names.prefix(sections))
            ),
            of: entity
        )
    }

    private static func key(_ values: [AttributeValue], _ format: OrderKeyFormat) -> (
        bytes: [UInt8], section: Int
    ) {
        var buffer = OrderKeyBuffer()
        let section = format.append(values, to: &buffer)
        return (Array(buffer.bytes), section)
    }

    private static func row(_ random: inout SeededGenerator) -> [AttributeValue] {
        values.map { choices in
            Int.random(in: 0..<8, using: &random) == 0
                ? .null : choices.randomElement(using: &random) ?? .null
        }
    }

    @Test("F2 X8 keys have the order of their values, for every type, both directions and several keys")
    func order() throws {
        var random = SeededGenerator.fromEnvironment("OrderKeyTests")
        for _ in 0..<6_000 {
            let fields = (0..<Int.random(in: 1..<4, using: &random)).map { _ in
                (Int.random(in: 0..<6, using: &random), Bool.random(using: &random))
            }
            let format = try Self.format(fields)
            let left = Self.row(&random)
            let right = Self.row(&random)
            var expected = 0
            for (attribute, isAscending) in fields where expected == 0 {
                expected = left[attribute].compare(right[attribute]) * (isAscending ? 1 : -1)
            }
            let first = Self.key(left, format).bytes
            let second = Self.key(right, format).bytes
            let found = first == second ? 0 : first.lexicographicallyPrecedes(second) ? -1 : 1
            #expect(found == expected, "\(left) and \(right) by \(fields), seed \(random.seed)")
        }
    }

    @Test("F3 a section's values are decoded exactly from its part of the key")
    func sections() throws {
        var random = SeededGenerator.fromEnvironment("OrderKeyTests")
        for _ in 0..<2_000 {
            let fields = (0..<3).map { _ in
                (Int.random(in: 0..<6, using: &random), Bool.random(using: &random))
            }
            let format = try Self.format(fields, sections: 2)
            let row = Self.row(&random)
            let (bytes, count) = Self.key(row, format)
            let read = bytes.withUnsafeBytes {
                format.sectionValues(UnsafeRawBufferPointer(rebasing: $0[..<count]))
            }
            for (value, field) in zip(read, fields) {
                // Both zeros are equal.
                #expect(value.compare(row[field.0]) == 0, "\(value) for \(row[field.0]), seed \(random.seed)")
            }
            #expect(read.count == 2)
        }
    }
}
