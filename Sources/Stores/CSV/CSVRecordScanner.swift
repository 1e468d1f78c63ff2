internal import Foundation

/// A scanner for the fields of one record, by the grammar of RFC 4180.
///
/// It reads no input itself. A lenient one takes quotes that the grammar does not allow as they are, ends an unclosed
/// quote at the end of the input, and notes that it did.
struct CSVRecordScanner {
    /// The separator of fields.
    let delimiter: UInt8
    /// A Boolean value that indicates whether violations of the grammar are noted instead of returned.
    let isLenient: Bool
    /// A Boolean value that indicates whether the record violates the grammar.
    private(set) var isMalformed = false

    init(delimiter: UInt8, isLenient: Bool = false) {
        self.delimiter = delimiter
        self.isLenient = isLenient
    }

    enum Outcome {
        /// A record of this many bytes, including its line end.
        case record(Int)
        /// A record that may continue beyond these bytes.
        case incomplete
        /// A violation of the grammar at an offset.
        case malformed(Int, String)
        /// A record with more fields than allowed.
        case tooManyFields
    }

    private enum FieldEnd {
        case at(Int)
        case incomplete
        case malformed(Int, String)
    }

    /// Scans from the start of a record.
    ///
    /// - Parameters:
    ///   - bytes: The bytes from the record's first byte on.
    ///   - isLast: Whether these are the last bytes of the input.
    ///   - fields: The array that receives the fields, with offsets from the record's start.
    /// - Returns: The record's length, or the reason why no record was found.
    mutating func scan(
        _ bytes: UnsafeBufferPointer<UInt8>,
        isLast: Bool,
        into fields: inout [CSVReader.Field]
    ) -> Outcome {
        fields.removeAll(keepingCapacity: true)
        isMalformed = false
        var index = 0
        while true {
            let isQuoted = index < bytes.count && bytes[index] == UInt8(ascii: "\"")
            let end =
                isQuoted
                ? quotedField(bytes, index, isLast, &fields) : plainField(bytes, index, isLast, &fields)
            switch end {
            case .incomplete: return .incomplete
            case .malformed(let offset, let problem): return .malformed(offset, problem)
            case .at(let fieldEnd): index = fieldEnd
            }
            guard index < bytes.count else { return .record(index) }
            switch bytes[index] {
            case delimiter:
                index += 1
                guard fields.count < CSVReader.maximumFields else { return .tooManyFields }
            case UInt8(ascii: "\n"): return .record(index + 1)
            case UInt8(ascii: "\r"):
                if index + 1 == bytes.count { return isLast ? .record(index + 1) : .incomplete }
                return .record(bytes[index + 1] == UInt8(ascii: "\n") ? index + 2 : index + 1)
            default: return .malformed(index, "text follows a closing quote")
            }
        }
    }

    private mutating func plainField(
        _ bytes: UnsafeBufferPointer<UInt8>,
        _ start: Int,
        _ isLast: Bool,
        _ fields: inout [CSVReader.Field]
    ) -> FieldEnd {
        var index = start
        scan: while index < bytes.count {
            switch bytes[index] {
            case delimiter, UInt8(ascii: "\n"), UInt8(ascii: "\r"): break scan
            case UInt8(ascii: "\""):
                guard isLenient else { return .malformed(index, "a quote in an unquoted field") }
                isMalformed = true
                index += 1
            default: index += 1
            }
        }
        if index == bytes.count, !isLast { return .incomplete }
        fields.append(CSVReader.Field(start: start, end: index))
        return .at(index)
    }

    /// Scans the text after the closing quote of a field, which belongs to the field.
    private mutating func rest(
        of field: CSVReader.Field,
        _ bytes: UnsafeBufferPointer<UInt8>,
        _ isLast: Bool,
        _ fields: inout [CSVReader.Field]
    ) -> FieldEnd {
        isMalformed = true
        let end = plainField(bytes, field.end + 1, isLast, &fields)
        guard case .at(let index) = end else { return end }
        var whole = field
        whole.closingQuote = field.end
        whole.end = index
        fields[fields.count - 1] = whole
        return end
    }

    private func endsField(_ byte: UInt8) -> Bool {
        byte == delimiter || byte == UInt8(ascii: "\n") || byte == UInt8(ascii: "\r")
    }

    private mutating func quotedField(
        _ bytes: UnsafeBufferPointer<UInt8>,
        _ opening: Int,
        _ isLast: Bool,
        _ fields: inout [CSVReader.Field]
    ) -> FieldEnd {
        var field = CSVReader.Field(start: opening + 1, end: opening + 1)
        var index = opening + 1
        while let base = bytes.baseAddress, let found = memchr(base + index, 0x22, bytes.count - index) {
            let quote = UnsafeRawPointer(found) - UnsafeRawPointer(base)
            if quote + 1 < bytes.count, bytes[quote + 1] == UInt8(ascii: "\"") {
                field.hasDoubledQuotes = true
                index = quote + 2
                continue
            }
            // The next byte may be a second quote.
            if quote + 1 == bytes.count, !isLast { return .incomplete }
            field.end = quote
            if isLenient, quote + 1 < bytes.count, !endsField(bytes[quote + 1]) {
                return rest(of: field, bytes, isLast, &fields)
            }
            fields.append(field)
            return .at(quote + 1)
        }
        guard isLast else { return .incomplete }
        guard isLenient else { return .malformed(opening, "unclosed quote") }
        isMalformed = true
        field.end = bytes.count
        fields.append(field)
        return .at(bytes.count)
    }
}
