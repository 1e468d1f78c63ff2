internal import Foundation

/// Finds the fields of one record in bytes: the grammar of RFC 4180, without any reading.
struct CSVRecordScanner {
    /// What stands between fields.
    let delimiter: UInt8

    enum Outcome {
        /// A record of this many bytes, its line end included.
        case record(Int)
        /// The record may go on beyond these bytes.
        case incomplete
        /// The grammar is broken at an offset.
        case malformed(Int, String)
        /// There are more fields than a record may have.
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
    ///   - bytes: The bytes from the record's first one on.
    ///   - isLast: Whether no more bytes follow.
    ///   - fields: Takes the fields, with offsets from the record's start.
    /// - Returns: The record's length, or why there is none yet.
    mutating func scan(
        _ bytes: UnsafeBufferPointer<UInt8>,
        isLast: Bool,
        into fields: inout [CSVReader.Field]
    ) -> Outcome {
        fields.removeAll(keepingCapacity: true)
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

    private func plainField(
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
                return .malformed(index, "a quote in a field that does not begin with one")
            default: index += 1
            }
        }
        if index == bytes.count, !isLast { return .incomplete }
        fields.append(CSVReader.Field(start: start, end: index))
        return .at(index)
    }

    private func quotedField(
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
            fields.append(field)
            return .at(quote + 1)
        }
        return isLast ? .malformed(opening, "a quote is opened here and never closed") : .incomplete
    }
}
