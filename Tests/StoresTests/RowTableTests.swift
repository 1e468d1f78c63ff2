import Foundation
import Stores
import Testing

@Suite struct RowTableTests {
    private let types: [AttributeType] = [.boolean, .integer, .double, .string, .date, .data]

    @Test("J2 a table returns the exact values that were added, and the UTF-16 ends of strings")
    func roundTrip() {
        let rows: [[AttributeValue]] = [
            [
                .boolean(true), .integer(.max), .double(.infinity), .string("a\0é \u{1F600}"),
                .date(Date(timeIntervalSince1970: 1.25)), .data(Data([0, 255])),
            ],
            [.null, .null, .null, .null, .null, .null],
            [
                .boolean(false), .integer(.min), .double(-0.5), .string(""),
                .date(Date(timeIntervalSince1970: -1e9)), .data(Data()),
            ],
            [.boolean(true), .integer(-(1 << 53)), .double(0x1p60), .string("x"), .null, .null],
        ]
        let table = RowTable(attributeCount: types.count)
        for (number, row) in rows.enumerated() { table.append(id: number == 0 ? .max : RowID(number), row) }
        table.appendMissing()
        #expect(table.count == 5)
        #expect(table.id(at: 0) == .max && table.id(at: 3) == 3)
        for (number, row) in rows.enumerated() {
            let read = types.indices.map { table.value(at: number, $0, types[$0]) }
            #expect(read == row)
        }
        #expect(table.cells[4 * table.width].isNaN)
        #expect(table.ends.last.map(Int.init) == table.text.count)
        table.removeAll()
        #expect(table.count == 0 && table.ends == [0] && table.text.isEmpty)
    }

    @Test("invalid UTF-8 becomes U+FFFD, and the table grows for long strings")
    func foreignText() {
        let table = RowTable(attributeCount: 1)
        for number in 0..<200 {
            table.append(integer: RowID(number))
            [UInt8](repeating: 0xFF, count: 100).withUnsafeBufferPointer { table.append(text: $0) }
        }
        let expected = AttributeValue.string(String(repeating: "\u{FFFD}", count: 100))
        #expect((0..<200).allSatisfy { table.value(at: $0, 0, .string) == expected })
    }
}
