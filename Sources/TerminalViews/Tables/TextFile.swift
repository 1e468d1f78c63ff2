internal import BridgeValues
internal import Stores

/// A file that is read as UTF-8, into which a file in UTF-16 is converted while it is read.
struct TextFile {
    /// The order of the bytes of a unit of UTF-16.
    enum ByteOrder {
        case little, big
    }

    let file: RegularFile
    /// The order of bytes that the mark at the beginning of a file in UTF-16 names; `nil` for a file in UTF-8.
    let byteOrder: ByteOrder?

    init(_ file: RegularFile) {
        self.file = file
        var mark: [UInt8] = [0, 0]
        let count = (try? mark.withUnsafeMutableBytes { try file.read(into: $0, at: 0) }) ?? 0
        byteOrder =
            switch mark {
            case [0xFF, 0xFE] where count == 2: .little
            case [0xFE, 0xFF] where count == 2: .big
            default: nil
            }
    }

    /// Returns the position in the file of the record that a reader of all of it has read.
    func position(of reader: CSVReader) -> Int {
        byteOrder == nil ? reader.recordPosition : 2 * reader.recordUnits
    }

    /// Returns a closure that reads the next bytes of UTF-8 from a position of the file on; 0 bytes at the end.
    ///
    /// A half of a pair of surrogates becomes a byte that is not UTF-8.
    func source(from position: Int) -> (UnsafeMutableRawBufferPointer) throws -> Int {
        guard let byteOrder else {
            var position = position
            return { [file] bytes in
                let count = try file.read(into: bytes, at: position)
                position += count
                return count
            }
        }
        var conversion = UTF16Conversion(file: file, byteOrder: byteOrder, position: position)
        return { try conversion.read(into: $0) }
    }
}

/// The conversion of a file in UTF-16 to UTF-8.
private struct UTF16Conversion {
    let file: RegularFile
    let byteOrder: TextFile.ByteOrder
    var position: Int
    private var units: [UInt8] = []
    // The first half of a pair of surrogates, whose second half was not read yet.
    private var pending: UInt32?

    // Never a part of UTF-8, so that it is shown as U+FFFD and its record is malformed.
    private static let invalid: UInt8 = 0xC0

    init(file: RegularFile, byteOrder: TextFile.ByteOrder, position: Int) {
        self.file = file
        self.byteOrder = byteOrder
        self.position = position
    }

    /// Converts as many units as there is certainly room for; returns 0 at the end.
    mutating func read(into target: UnsafeMutableRawBufferPointer) throws -> Int {
        // A unit becomes at most three bytes, after the byte of a half that waited.
        let room = max(1, (target.count - 1) / 3) * 2
        var end = 0
        repeat {
            if units.count != room { units = [UInt8](repeating: 0, count: room) }
            let count = try units.withUnsafeMutableBytes { [file, position] in
                try file.read(into: $0, at: position)
            }
            position += count
            for index in stride(from: 0, to: count - 1, by: 2) {
                let (first, second) = (UInt32(units[index]), UInt32(units[index + 1]))
                append(byteOrder == .big ? first << 8 | second : second << 8 | first, to: target, &end)
            }
            guard count < room else { continue }
            if pending != nil || count % 2 == 1 {
                // The file ends within a pair or a unit.
                pending = nil
                target[end] = Self.invalid
                end += 1
            }
            return end
        } while end == 0
        return end
    }

    private mutating func append(_ unit: UInt32, to target: UnsafeMutableRawBufferPointer, _ end: inout Int) {
        func put(_ byte: UInt32) {
            target[end] = UInt8(truncatingIfNeeded: byte)
            end += 1
        }
        if let high = pending {
            pending = nil
            if (0xDC00...0xDFFF).contains(unit) {
                let value = 0x10000 + (high - 0xD800) << 10 + (unit - 0xDC00)
                put(0xF0 | value >> 18)
                put(0x80 | value >> 12 & 0x3F)
                put(0x80 | value >> 6 & 0x3F)
                return put(0x80 | value & 0x3F)
            }
            put(UInt32(Self.invalid))
        }
        switch unit {
        case 0xD800...0xDBFF: pending = unit
        case 0xDC00...0xDFFF: put(UInt32(Self.invalid))
        case ..<0x80: put(unit)
        case ..<0x800:
            put(0xC0 | unit >> 6)
            put(0x80 | unit & 0x3F)
        default:
            put(0xE0 | unit >> 12)
            put(0x80 | unit >> 6 & 0x3F)
            put(0x80 | unit & 0x3F)
        }
    }
}
