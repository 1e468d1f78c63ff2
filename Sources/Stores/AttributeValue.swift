internal import BridgeValues
public import Foundation

/// The value of one attribute of one row.
///
/// Two values are equal if they have the same kind and ``compare(_:)`` returns 0. Strings are compared by their bytes,
/// so composed and decomposed letters differ, as they do in a store. Dates are compared by their seconds since 1970.
public enum AttributeValue: Sendable {
    /// No value.
    case null
    /// A Boolean value.
    case boolean(Bool)
    /// A signed 64-bit integer.
    case integer(Int64)
    /// A floating-point number.
    ///
    /// A store refuses NaN.
    case double(Double)
    /// A string, compared by its UTF-8 bytes.
    case string(String)
    /// A point in time, stored as seconds since 1970.
    case date(Date)
    /// A sequence of bytes.
    case data(Data)

    /// A Boolean value that indicates whether the value is ``null``.
    public var isNull: Bool {
        if case .null = self { true } else { false }
    }
}

extension AttributeValue: Hashable {
    /// Returns whether two values have the same kind and are equal.
    public static func == (left: AttributeValue, right: AttributeValue) -> Bool {
        switch (left, right) {
        case (.null, .null): true
        case (.boolean(let left), .boolean(let right)): left == right
        case (.integer(let left), .integer(let right)): left == right
        case (.double(let left), .double(let right)): left == right
        case (.string(let left), .string(let right)):
            left.utf8.count == right.utf8.count && order(left, right) == 0
        case (.date(let left), .date(let right)): left.timeIntervalSince1970 == right.timeIntervalSince1970
        case (.data(let left), .data(let right)): left == right
        default: false
        }
    }

    /// Feeds the value to a hasher, so that equal values have equal hashes.
    public func hash(into hasher: inout Hasher) {
        switch self {
        case .null: hasher.combine(0)
        case .boolean(let flag): hasher.combine(flag)
        case .integer(let number): hasher.combine(number)
        case .double(let number): hasher.combine(number)
        case .string(let text):
            var text = text
            text.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
        case .date(let date): hasher.combine(date.timeIntervalSince1970)
        case .data(let bytes): hasher.combine(bytes)
        }
    }
}

extension AttributeValue {
    /// Returns -1 if this value precedes another, 0 if the two are equal, and 1 if it follows.
    ///
    /// The whole package uses this order: ``null`` first, then Booleans and numbers by size, then strings by UTF-8
    /// bytes, then data. False counts as 0, true as 1, and a date as its seconds since 1970. The order is SQLite's
    /// BINARY order, so queries and native code always agree.
    public func compare(_ other: AttributeValue) -> Int {
        switch (self, other) {
        case (.integer(let left), .integer(let right)): Self.order(left, right)
        case (.string(let left), .string(let right)): Self.order(left, right)
        case (.double(let left), .double(let right)): Self.order(left, right)
        case (.data(let left), .data(let right)):
            left.lexicographicallyPrecedes(right) ? -1 : (left == right ? 0 : 1)
        default: compareAcrossKinds(other)
        }
    }

    private func compareAcrossKinds(_ other: AttributeValue) -> Int {
        guard rank == other.rank, rank == 1 else { return Self.order(rank, other.rank) }
        return switch (exactInteger, other.exactInteger) {
        case (let left?, let right?): Self.order(left, right)
        case (let left?, nil): Self.order(left, other.number)
        case (nil, let right?): -Self.order(right, number)
        case (nil, nil): Self.order(number, other.number)
        }
    }

    private var rank: Int {
        switch self {
        case .null: 0
        case .boolean, .integer, .double, .date: 1
        case .string: 2
        case .data: 3
        }
    }

    private var exactInteger: Int64? {
        switch self {
        case .boolean(let flag): flag ? 1 : 0
        case .integer(let number): number
        default: nil
        }
    }

    private var number: Double {
        switch self {
        case .double(let number): number
        case .date(let date): date.timeIntervalSince1970
        default: 0
        }
    }

    // Exact, as in SQLite: converting the integer to a double would make 2^53 and 2^53 + 1 equal.
    private static func order(_ whole: Int64, _ number: Double) -> Int {
        if number >= 0x1p63 { return -1 }
        if number < -0x1p63 { return 1 }
        let truncated = number.rounded(.towardZero)
        let difference = order(whole, Int64(truncated))
        return difference != 0 ? difference : order(truncated, number)
    }

    private static func order(_ left: String, _ right: String) -> Int {
        // `String` compares by canonical equivalence; a store compares bytes.
        var left = left
        var right = right
        return left.withUTF8 { leftBytes in
            right.withUTF8 { rightBytes in
                guard let leftStart = leftBytes.baseAddress, let rightStart = rightBytes.baseAddress else {
                    return order(leftBytes.count, rightBytes.count)
                }
                let first = memcmp(leftStart, rightStart, min(leftBytes.count, rightBytes.count))
                return first != 0 ? (first < 0 ? -1 : 1) : order(leftBytes.count, rightBytes.count)
            }
        }
    }

    private static func order<Key: Comparable>(_ left: Key, _ right: Key) -> Int {
        left < right ? -1 : (right < left ? 1 : 0)
    }
}

extension AttributeValue: CustomStringConvertible {
    /// The value as readable text; ``null`` is an empty string.
    public var description: String {
        switch self {
        case .null: ""
        case .boolean(let flag): String(flag)
        case .integer(let number): String(number)
        case .double(let number): String(number)
        case .string(let text): text
        case .date(let date): date.safeText
        case .data(let bytes): "\(bytes.count) bytes"
        }
    }
}
