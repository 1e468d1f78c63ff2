internal import BridgeValues
internal import CJavaScriptCore

/// A table of interned strings: short strings that the script already holds, so that they cross as a number.
///
/// Names of methods, states and units recur, and creating an engine string costs more than the rest of a small
/// message. A string of up to 15 bytes gets an index when it occurs for the second time. The script then keeps the
/// string at that index and confirms it in memory that both sides share. From then on only the index crosses. Another
/// string with the same index replaces it.
struct InternedStrings {
    static let count = 512
    /// The maximum length, in bytes of UTF-8.
    static let maximumLength = 15

    /// A string as two words: its bytes, with its length in the highest byte.
    struct Key: Equatable {
        var low: UInt64 = 0
        var high: UInt64 = 0

        /// Creates a key from a string of at most ``InternedStrings/maximumLength`` bytes.
        @inline(__always)
        init(_ bytes: UnsafeBufferPointer<UInt8>) {
            let count = bytes.count
            guard let start = UnsafeRawPointer(bytes.baseAddress) else { return }
            if count >= 8 {
                low = start.loadUnaligned(as: UInt64.self)
                // The last eight bytes, without those that the first word already has.
                high =
                    start.loadUnaligned(fromByteOffset: count - 8, as: UInt64.self)
                    >> UInt64((16 - count) * 8)
            } else if count >= 4 {
                let last = start.loadUnaligned(fromByteOffset: count - 4, as: UInt32.self)
                low = UInt64(start.loadUnaligned(as: UInt32.self)) | UInt64(last) << UInt64((count - 4) * 8)
            } else {
                for index in 0..<count { low |= UInt64(bytes[index]) << UInt64(index * 8) }
            }
            high |= UInt64(count) << 56
        }

        init() {}

        @inline(__always)
        var place: Int {
            Int(truncatingIfNeeded: ((low ^ high &* 0x9E37_79B9_7F4A_7C15) &* 0xD6E8_FEB8_6659_FD93) >> 55)
        }
    }

    private let keys: UnsafeMutablePointer<Key>
    /// For each index, the number of the payload that last instructed the script to keep a string there.
    private let instructed: UnsafeMutablePointer<UInt64>
    /// For each index, 1 if the script keeps the key's string there; the script writes it.
    let marks: UnsafeMutablePointer<Double>

    init() {
        keys = .allocate(capacity: Self.count)
        keys.initialize(repeating: Key(), count: Self.count)
        instructed = .allocate(capacity: Self.count)
        instructed.initialize(repeating: 0, count: Self.count)
        marks = .allocate(capacity: Self.count)
        marks.initialize(repeating: 0, count: Self.count)
    }

    /// Frees the memory.
    ///
    /// The script reads the marks only while it builds a value in its context.
    func deallocate() {
        keys.deallocate()
        instructed.deallocate()
        marks.deallocate()
    }

    /// The form in which a string is written to a cell.
    enum Cell {
        /// The script keeps the string at an index.
        case known(Int)
        /// The script must keep the string at an index.
        case remember(Int)
        case new
    }

    /// Looks up a string for a payload, whose numbers ascend, and records that the string has occurred.
    @inline(__always)
    func cell(of key: Key, in payload: UInt64) -> Cell {
        let place = key.place
        if keys[place] == key {
            if marks[place] == 1 { return .known(place) }
            instructed[place] = payload
            return .remember(place)
        }
        // The script follows an instruction of this payload only after the whole payload is written. Its mark would
        // then be mistaken for a mark of the later string.
        guard instructed[place] != payload else { return .new }
        keys[place] = key
        marks[place] = 0
        return .new
    }
}
