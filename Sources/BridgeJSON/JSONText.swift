internal import BridgeValues

/// The units between the quotes of a scanned string, whose escapes are known to be complete.
struct JSONText {
    let units: UnsafePointer<UInt16>
    let count: Int

    init(units: UnsafePointer<UInt16>, count: Int) {
        self.units = units
        self.count = count
    }

    /// Returns the next unit, unescaped, and the index after it.
    @inline(__always)
    private func unit(at index: Int) -> (unit: UInt16, end: Int) {
        let unit = units[index]
        guard unit == .backslash else { return (unit, index + 1) }
        switch units[index + 1] {
        case .letterB: return (0x08, index + 2)
        case .letterF: return (0x0C, index + 2)
        case .letterN: return (0x0A, index + 2)
        case .letterR: return (0x0D, index + 2)
        case .letterT: return (0x09, index + 2)
        case .letterU:
            var result: UInt16 = 0
            for place in index + 2..<index + 6 { result = result << 4 | (units[place].hexadecimalValue ?? 0) }
            return (result, index + 6)
        case let other: return (other, index + 2)
        }
    }

    /// A Boolean value that indicates whether a surrogate has no partner, escaped or not.
    var isIllFormed: Bool {
        var index = 0
        while index < count {
            let (first, end) = unit(at: index)
            index = end
            guard first.isSurrogate else { continue }
            guard first.isHighSurrogate, index < count else { return true }
            let (second, secondEnd) = unit(at: index)
            guard second.isLowSurrogate else { return true }
            index = secondEnd
        }
        return false
    }

    /// The units without escapes.
    var unescaped: [UInt16] {
        // For a capacity of 0 the standard library would write into its empty array, which all threads share.
        guard count > 0 else { return [] }
        return Array(unsafeUninitializedCapacity: count) { buffer, initializedCount in
            var index = 0
            while index < count {
                let (unit, end) = unit(at: index)
                buffer[initializedCount] = unit
                initializedCount += 1
                index = end
            }
        }
    }

    /// The string of plain ASCII without escapes.
    @inline(__always)
    var plainString: String {
        String(unsafeUninitializedCapacity: count) { buffer in
            guard let bytes = buffer.baseAddress else { return 0 }
            for index in 0..<count { bytes[index] = UInt8(truncatingIfNeeded: units[index]) }
            return count
        }
    }

    /// The string, with U+FFFD for each lone surrogate.
    var string: String {
        // A unit becomes three bytes at most; an escape has more units than bytes.
        String(unsafeUninitializedCapacity: count * 3) { writeUTF8(to: $0) }
    }

    private func writeUTF8(to buffer: UnsafeMutableBufferPointer<UInt8>) -> Int {
        var written = 0
        func write(_ scalar: UInt32, _ continuations: Int, _ lead: UInt32) {
            buffer[written] = UInt8(truncatingIfNeeded: lead | scalar >> UInt32(6 * continuations))
            written += 1
            for place in (0..<continuations).reversed() {
                buffer[written] = UInt8(truncatingIfNeeded: 0x80 | scalar >> UInt32(6 * place) & 0x3F)
                written += 1
            }
        }
        var index = 0
        while index < count {
            let (first, end) = unit(at: index)
            index = end
            switch first {
            case 0..<0x80:
                buffer[written] = UInt8(truncatingIfNeeded: first)
                written += 1
            case 0x80..<0x800: write(UInt32(first), 1, 0xC0)
            case 0xD800..<0xE000:
                if first.isHighSurrogate, index < count {
                    let (second, secondEnd) = unit(at: index)
                    if second.isLowSurrogate {
                        index = secondEnd
                        let scalar = 0x10000 + (UInt32(first & 0x3FF) << 10 | UInt32(second & 0x3FF))
                        write(scalar, 3, 0xF0)
                        continue
                    }
                }
                write(0xFFFD, 2, 0xE0)
            default: write(UInt32(first), 2, 0xE0)
            }
        }
        return written
    }
}
