internal import BridgeValues
internal import CJavaScriptCore

/// Short texts that the script has seen before and keeps, so that they cross as a number.
///
/// Names of methods, states and units come again and again, and to make a text of the engine costs more than all
/// else of a small message. A text of up to 15 bytes that comes a second time is given a place; the script
/// keeps it there and says so in memory that both sides see; from then on only the place crosses. Another text
/// for the same place takes it over.
struct KnownTexts {
    static let count = 512
    /// The longest text, in bytes of UTF-8.
    static let maximumLength = 15

    /// A text as two words: its bytes, and its length in the highest byte.
    struct Key: Equatable {
        var low: UInt64 = 0
        var high: UInt64 = 0

        /// Takes a text that is no longer than ``KnownTexts/maximumLength``.
        @inline(__always)
        init(_ bytes: UnsafeBufferPointer<UInt8>) {
            let count = bytes.count
            guard let start = UnsafeRawPointer(bytes.baseAddress) else { return }
            if count >= 8 {
                low = start.loadUnaligned(as: UInt64.self)
                // The last eight bytes, without those that the first word has already.
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
    /// For each place the payload in which the script was last told to keep a text there.
    private let told: UnsafeMutablePointer<UInt64>
    /// For each place 1 where the script keeps the text of the key there; the script writes it.
    let marks: UnsafeMutablePointer<Double>

    init() {
        keys = .allocate(capacity: Self.count)
        keys.initialize(repeating: Key(), count: Self.count)
        told = .allocate(capacity: Self.count)
        told.initialize(repeating: 0, count: Self.count)
        marks = .allocate(capacity: Self.count)
        marks.initialize(repeating: 0, count: Self.count)
    }

    /// Gives the memory back; the script asks for the marks only while something is built in its context.
    func deallocate() {
        keys.deallocate()
        told.deallocate()
        marks.deallocate()
    }

    /// The cell of a text.
    enum Cell {
        /// The script keeps it at a place.
        case known(Int)
        /// The script is to keep it at a place.
        case remember(Int)
        case new
    }

    /// Looks a text up for a payload, whose numbers ascend, and notes that it was seen.
    @inline(__always)
    func cell(of key: Key, in payload: UInt64) -> Cell {
        let place = key.place
        if keys[place] == key {
            if marks[place] == 1 { return .known(place) }
            told[place] = payload
            return .remember(place)
        }
        // What the script is told in this payload it does only after all of it is written: its mark would be
        // taken for that of the text that came after.
        guard told[place] != payload else { return .new }
        keys[place] = key
        marks[place] = 0
        return .new
    }
}
