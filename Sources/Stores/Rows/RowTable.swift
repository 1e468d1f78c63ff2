package import Foundation

/// Rows on their way to a script: numbers in one array, all texts in one text, bytes beside them.
///
/// A row is its id and its attributes, one cell each, so that a script reads a value when it is touched and not
/// before. What a cell means is said by its column's type: a number is itself (a date in seconds), NaN is no
/// value, a text is the number of its piece, bytes are the number of their block. A whole number that a double
/// cannot hold is a piece too: its digits, told apart by cells beyond ``firstPiece``. A row that is not there has
/// no id.
package final class RowTable {
    /// From here on, by steps of 4, a cell of whole numbers is the number of a piece.
    package static let firstPiece = 0x1p54
    /// The largest whole number that a double holds with all below it.
    private static let largestExact: Int64 = 1 << 53 - 1

    /// How many cells a row has: its id, and its attributes.
    package let width: Int
    /// The rows' cells, one row behind the other.
    package private(set) var cells: [Double] = []
    /// Where each piece of the text ends, behind a zero.
    package private(set) var ends: [Int32] = [0]
    /// The blocks of bytes.
    package private(set) var blocks: [Data] = []
    private var units: UnsafeMutablePointer<UInt16>
    private var capacity = 1024
    private var unitCount = 0

    /// Makes a table without rows.
    package init(attributeCount: Int) {
        width = attributeCount + 1
        units = .allocate(capacity: capacity)
    }

    deinit { units.deallocate() }

    /// How many rows there are.
    package var count: Int { cells.count / width }

    /// All texts, one behind the other.
    package var text: UnsafeBufferPointer<UInt16> { UnsafeBufferPointer(start: units, count: unitCount) }

    /// Empties the table, and keeps its room.
    package func removeAll() {
        cells.removeAll(keepingCapacity: true)
        ends.removeAll(keepingCapacity: true)
        ends.append(0)
        blocks = []
        unitCount = 0
    }

    /// Makes room for some rows.
    package func reserve(rows: Int) { cells.reserveCapacity(cells.count + rows * width) }

    // MARK: - Rows

    /// Adds a row that is not there.
    package func appendMissing() { for _ in 0..<width { cells.append(.nan) } }

    /// Adds a row by its values, in the order of the entity's attributes.
    package func append(id: RowID, _ values: [AttributeValue]) {
        append(integer: id)
        for value in values { append(value) }
    }

    // MARK: - Cells

    /// Adds a cell.
    package func append(_ value: AttributeValue) {
        switch value {
        case .null: appendNull()
        case .boolean(let flag): append(number: flag ? 1 : 0)
        case .integer(let number): append(integer: number)
        case .double(let number): append(number: number)
        case .date(let date): append(seconds: date.timeIntervalSince1970)
        case .string(var text): text.withUTF8 { append(text: $0) }
        case .data(let data): append(data: data)
        }
    }

    /// Adds "no value".
    package func appendNull() { cells.append(.nan) }

    /// Adds a number that is not NaN.
    package func append(number: Double) { cells.append(number) }

    /// Adds a point in time.
    package func append(seconds: Double) { cells.append(seconds) }

    /// Adds a whole number.
    package func append(integer: Int64) {
        guard integer.magnitude > Self.largestExact.magnitude else { return cells.append(Double(integer)) }
        cells.append(Self.firstPiece + 4 * Double(ends.count - 1))
        var digits = String(integer)
        digits.withUTF8 { addPiece($0) }
    }

    /// Adds a text in UTF-8; what is no UTF-8 in it becomes U+FFFD.
    package func append(text: UnsafeBufferPointer<UInt8>) {
        cells.append(Double(ends.count - 1))
        addPiece(text)
    }

    /// Adds bytes.
    package func append(data: Data) {
        cells.append(Double(blocks.count))
        blocks.append(data)
    }

    // MARK: - Reading back

    /// The id of a row that is there.
    package func id(at row: Int) -> RowID {
        let value = value(at: row, cell: 0, .integer)
        if case .integer(let id) = value { return id }
        preconditionFailure("row \(row) of the table has no id")
    }

    /// The value of a row's attribute.
    package func value(at row: Int, _ attribute: Int, _ type: AttributeType) -> AttributeValue {
        value(at: row, cell: attribute + 1, type)
    }

    private func value(at row: Int, cell column: Int, _ type: AttributeType) -> AttributeValue {
        let cell = cells[row * width + column]
        if cell.isNaN { return .null }
        switch type {
        case .boolean: return .boolean(cell != 0)
        case .integer:
            guard cell >= Self.firstPiece else { return .integer(Int64(cell)) }
            return Int64(piece(Int((cell - Self.firstPiece) / 4))).map(AttributeValue.integer) ?? .null
        case .double: return .double(cell)
        case .date: return .date(Date(timeIntervalSince1970: cell))
        case .string: return .string(piece(Int(cell)))
        case .data: return .data(blocks[Int(cell)])
        }
    }

    private func piece(_ number: Int) -> String {
        String(decoding: text[Int(ends[number])..<Int(ends[number + 1])], as: UTF16.self)
    }

    private func addPiece(_ bytes: UnsafeBufferPointer<UInt8>) {
        reserve(units: bytes.count)
        let target = units + unitCount
        if let source = bytes.baseAddress {
            var seen: UInt8 = 0
            for index in 0..<bytes.count {
                let byte = source[index]
                seen |= byte
                target[index] = UInt16(truncatingIfNeeded: byte)
            }
            if seen < 0x80 {
                unitCount += bytes.count
            } else {
                // Never more units than bytes, except for bytes that are no text: one unit for each.
                for unit in String(decoding: bytes, as: UTF8.self).utf16 {
                    units[unitCount] = unit
                    unitCount += 1
                }
            }
        }
        ends.append(Int32(truncatingIfNeeded: unitCount))
    }

    private func reserve(units needed: Int) {
        guard unitCount + needed > capacity else { return }
        // A script's text is not longer; where one window's is, it is a mistake that must not go on.
        precondition(
            unitCount + needed <= Int32.max,
            "the texts of one window of rows have more than 2^31 characters"
        )
        capacity = max(capacity * 2, unitCount + needed)
        let larger = UnsafeMutablePointer<UInt16>.allocate(capacity: capacity)
        larger.update(from: units, count: unitCount)
        units.deallocate()
        units = larger
    }
}

@available(*, unavailable)
extension RowTable: Sendable {}

/// A transaction that can write rows into a table without making values of them first.
package protocol RowTabling: ReadTransaction {
    /// Adds the rows with given ids, in the order of the ids; one that is not there is added as missing.
    func appendRows(of entityName: String, ids: [RowID], to table: RowTable) throws

    /// Walks the rows of a request and adds each to a table, whose rows the body takes when it likes.
    func scanRows(_ request: FetchRequest, into table: RowTable, _ body: () throws -> Void) throws
}

extension ReadTransaction {
    /// Adds the rows with given ids to a table, in the order of the ids.
    package func writeRows(of entityName: String, ids: [RowID], to table: RowTable) throws {
        table.reserve(rows: ids.count)
        if let tabling = self as? any RowTabling {
            return try tabling.appendRows(of: entityName, ids: ids, to: table)
        }
        for (id, row) in zip(ids, try rows(of: entityName, ids: ids)) {
            if let row { table.append(id: id, row.values) } else { table.appendMissing() }
        }
    }

    /// Walks the rows of a request and adds each to a table; the body is called after each row.
    package func walkRows(
        _ request: FetchRequest,
        of entity: EntityDescription,
        into table: RowTable,
        _ body: () throws -> Void
    ) throws {
        if let tabling = self as? any RowTabling {
            return try tabling.scanRows(request, into: table, body)
        }
        try scan(request, attributes: entity.attributes.map(\.name)) { id, values in
            table.append(id: id, values)
            try body()
        }
    }
}
