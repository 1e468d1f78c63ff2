package import Foundation

/// A table for passing rows to a script: all numbers in one array, all strings in one string, and data in separate
/// blocks.
///
/// A row is its identity and its attributes, one cell each, so that a script decodes a value only when it is accessed.
/// The column's type determines the meaning of a cell. A number is stored as itself, and a date in seconds; NaN means
/// null. For a string, the cell is the number of its piece; for data, the number of its block. An integer that a double
/// cannot represent exactly is stored as a piece of digits; its cell is at least ``firstPiece``. A missing row has no
/// identity.
package final class RowTable {
    /// The cell of the first piece that contains an integer.
    ///
    /// Further pieces follow in steps of 4.
    package static let firstPiece = 0x1p54
    /// The largest integer up to which a double represents all integers exactly.
    private static let largestExact: Int64 = 1 << 53 - 1

    /// The number of cells per row: its identity and its attributes.
    package let width: Int
    /// The cells of all rows, row by row.
    package private(set) var cells: [Double] = []
    /// The end of each piece in the text, after an initial zero.
    package private(set) var ends: [Int32] = [0]
    /// The blocks of data.
    package private(set) var blocks: [Data] = []
    private var units: UnsafeMutablePointer<UInt16>
    private var capacity = 1024
    private var unitCount = 0

    /// Creates a table without rows.
    package init(attributeCount: Int) {
        width = attributeCount + 1
        units = .allocate(capacity: capacity)
    }

    deinit { units.deallocate() }

    /// The number of rows.
    package var count: Int { cells.count / width }

    /// The text of all pieces, concatenated.
    package var text: UnsafeBufferPointer<UInt16> { UnsafeBufferPointer(start: units, count: unitCount) }

    /// Clears the table and keeps its capacity.
    package func removeAll() {
        cells.removeAll(keepingCapacity: true)
        ends.removeAll(keepingCapacity: true)
        ends.append(0)
        blocks = []
        unitCount = 0
    }

    /// Reserves capacity for some rows.
    package func reserve(rows: Int) { cells.reserveCapacity(cells.count + rows * width) }

    // MARK: - Rows

    /// Appends a missing row.
    package func appendMissing() { for _ in 0..<width { cells.append(.nan) } }

    /// Appends a row by its values, in the order of the entity's attributes.
    package func append(id: RowID, _ values: [AttributeValue]) {
        append(integer: id)
        for value in values { append(value) }
    }

    // MARK: - Cells

    /// Appends a cell.
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

    /// Appends a null cell.
    package func appendNull() { cells.append(.nan) }

    /// Appends a number that is not NaN.
    package func append(number: Double) { cells.append(number) }

    /// Appends a date in seconds.
    package func append(seconds: Double) { cells.append(seconds) }

    /// Appends an integer.
    package func append(integer: Int64) {
        guard integer.magnitude > Self.largestExact.magnitude else { return cells.append(Double(integer)) }
        cells.append(Self.firstPiece + 4 * Double(ends.count - 1))
        var digits = String(integer)
        digits.withUTF8 { addPiece($0) }
    }

    /// Appends a string in UTF-8; invalid bytes become U+FFFD.
    package func append(text: UnsafeBufferPointer<UInt8>) {
        cells.append(Double(ends.count - 1))
        addPiece(text)
    }

    /// Appends data.
    package func append(data: Data) {
        cells.append(Double(blocks.count))
        blocks.append(data)
    }

    // MARK: - Reading back

    /// Returns the identity of an existing row.
    package func id(at row: Int) -> RowID {
        let value = value(at: row, cell: 0, .integer)
        if case .integer(let id) = value { return id }
        preconditionFailure("row \(row) of the table has no id")
    }

    /// Returns the value of a row's attribute.
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
                // UTF-16 never has more units than UTF-8 has bytes; each invalid byte becomes at most one unit.
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
        // Strings of a script are not longer than this; a longer window is a programming error.
        precondition(
            unitCount + needed <= Int32.max,
            "the strings of one window of rows exceed 2^31 UTF-16 units"
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

/// A transaction that can write rows into a table directly, without creating attribute values.
package protocol RowTabling: ReadTransaction {
    /// Appends the rows with given identities, in that order; a row that does not exist is appended as missing.
    func appendRows(of entityName: String, ids: [RowID], to table: RowTable) throws

    /// Appends each row of a request to a table and calls the body, which may clear the table at any time.
    func scanRows(_ request: FetchRequest, into table: RowTable, _ body: () throws -> Void) throws
}

extension ReadTransaction {
    /// Appends the rows with given identities to a table, in that order.
    package func writeRows(of entityName: String, ids: [RowID], to table: RowTable) throws {
        table.reserve(rows: ids.count)
        if let tabling = self as? any RowTabling {
            return try tabling.appendRows(of: entityName, ids: ids, to: table)
        }
        for (id, row) in zip(ids, try rows(of: entityName, ids: ids)) {
            if let row { table.append(id: id, row.values) } else { table.appendMissing() }
        }
    }

    /// Appends each row of a request to a table; the body is called after each row.
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
