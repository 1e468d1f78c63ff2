internal import Foundation

/// A reusable buffer for consecutive order keys.
package struct OrderKeyBuffer: ~Copyable {
    private var memory: UnsafeMutablePointer<UInt8>
    private var capacity: Int
    /// The number of bytes written.
    package private(set) var count = 0

    /// Creates an empty buffer.
    package init() {
        capacity = 256
        memory = .allocate(capacity: capacity)
    }

    deinit { memory.deallocate() }

    /// Clears the buffer and keeps its capacity.
    package mutating func removeAll() { count = 0 }

    /// The written bytes.
    ///
    /// Valid until the next append.
    package var bytes: UnsafeRawBufferPointer { UnsafeRawBufferPointer(start: memory, count: count) }

    // MARK: - Values

    /// Appends a value of a row.
    package mutating func append(_ value: AttributeValue, _ field: OrderKeyFormat.Field) {
        switch (field.type, value) {
        case (_, .null): appendNull(field.isAscending)
        case (.boolean, .boolean(let flag)): append(Int64(flag ? 1 : 0), field.isAscending)
        case (.integer, .integer(let number)): append(number, field.isAscending)
        case (.double, .double(let number)): append(number, field.isAscending)
        case (.double, .integer(let number)): append(Double(number), field.isAscending)
        case (.date, .date(let date)): append(date.timeIntervalSince1970, field.isAscending)
        // A computed key has no fixed type: it may be a number for one row and a string for the next.
        case (.string, .string(var text)), (.double, .string(var text)):
            text.withUTF8 { append(text: UnsafeRawBufferPointer($0), field.isAscending) }
        case (.data, .data(let data)):
            data.withUnsafeBytes { append(data: $0, field.isAscending) }
        default:
            preconditionFailure("a store gave \(value.kindAndText) for an attribute of type \(field.type)")
        }
    }

    /// Appends a null value.
    package mutating func appendNull(_ isAscending: Bool) {
        reserve(1)
        memory[count] = isAscending ? OrderKeyTag.null : ~OrderKeyTag.null
        count += 1
    }

    /// Appends an integer.
    package mutating func append(_ number: Int64, _ isAscending: Bool) {
        append(bits: UInt64(bitPattern: number) ^ (1 << 63), isAscending)
    }

    /// Appends a double that is not NaN.
    package mutating func append(_ number: Double, _ isAscending: Bool) {
        // Both zeros are equal.
        let bits = number == 0 ? 0 : number.bitPattern
        append(bits: bits >> 63 == 0 ? bits | 1 << 63 : ~bits, isAscending)
    }

    /// Appends the UTF-8 bytes of a string.
    package mutating func append(text: UnsafeRawBufferPointer, _ isAscending: Bool) {
        append(OrderKeyTag.text, text, isAscending)
    }

    /// Appends data.
    package mutating func append(data: UnsafeRawBufferPointer, _ isAscending: Bool) {
        append(OrderKeyTag.data, data, isAscending)
    }

    // MARK: - Bytes

    /// Appends bytes of a key unchanged.
    package mutating func append(raw bytes: [UInt8]) { bytes.withUnsafeBytes { append(raw: $0) } }

    /// Appends bytes of a key unchanged.
    package mutating func append(raw bytes: UnsafeRawBufferPointer) {
        guard let source = bytes.baseAddress else { return }
        reserve(bytes.count)
        memcpy(memory + count, source, bytes.count)
        count += bytes.count
    }

    private mutating func append(bits: UInt64, _ isAscending: Bool) {
        reserve(9)
        let turn: UInt64 = isAscending ? 0 : .max
        memory[count] = OrderKeyTag.number ^ UInt8(truncatingIfNeeded: turn)
        UnsafeMutableRawPointer(memory + count + 1)
            .storeBytes(of: (bits ^ turn).bigEndian, as: UInt64.self)
        count += 9
    }

    private mutating func append(_ tag: UInt8, _ bytes: UnsafeRawBufferPointer, _ isAscending: Bool) {
        reserve(2 * bytes.count + 3)
        let start = count
        memory[count] = tag
        count += 1
        if let source = bytes.baseAddress {
            if memchr(source, 0, bytes.count) == nil {
                memcpy(memory + count, source, bytes.count)
                count += bytes.count
            } else {
                for byte in bytes {
                    memory[count] = byte
                    count += 1
                    guard byte == 0 else { continue }
                    memory[count] = 0xFF
                    count += 1
                }
            }
        }
        memory[count] = 0
        count += 1
        guard !isAscending else { return }
        // The inverted end mark must sort after an escaped zero, which starts with the same byte: 00 00 before 00 FF.
        memory[count] = 0
        count += 1
        for index in start..<count { memory[index] = ~memory[index] }
    }

    private mutating func reserve(_ needed: Int) {
        guard count + needed > capacity else { return }
        capacity = max(capacity * 2, count + needed)
        let larger = UnsafeMutablePointer<UInt8>.allocate(capacity: capacity)
        larger.update(from: memory, count: count)
        memory.deallocate()
        memory = larger
    }
}

/// The first byte of a key's field, which orders the kinds of values.
enum OrderKeyTag {
    static let null: UInt8 = 1
    static let number: UInt8 = 2
    static let text: UInt8 = 3
    static let data: UInt8 = 4
}
