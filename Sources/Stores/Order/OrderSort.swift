internal import BridgeValues
internal import Foundation

/// A stable sort of many keys.
///
/// It sorts by the bits of the first eight bytes, and then equal ones by the rest.
///
/// It checks the limit of the thread's work. It calls no comparison function, so keys may come from a script without
/// calling back into it. A million numbers take at most eight passes over memory, and fewer if their bytes are similar.
package enum OrderSort {
    /// Returns the positions of numbers in sorted order; NaN counts as null, the smallest value.
    package static func positions(
        of numbers: UnsafeBufferPointer<Double>,
        ascending: Bool = true
    ) throws -> [Int32] {
        var pairs = Pairs(count: numbers.count)
        let turn: UInt64 = ascending ? 0 : .max
        for index in 0..<numbers.count { pairs.set(index, bits(numbers[index]) ^ turn) }
        try pairs.sort()
        return pairs.positions
    }

    /// Returns the bits of a number as an integer with the same order.
    private static func bits(_ number: Double) -> UInt64 {
        if number.isNaN { return 0 }
        let bits = number == 0 ? 0 : number.bitPattern
        return bits >> 63 == 0 ? bits | 1 << 63 : ~bits
    }

    /// Returns the positions of keys in the order of their bytes.
    ///
    /// - Parameters:
    ///   - keys: The consecutive keys.
    ///   - starts: The start of each key, followed by the end of the last one.
    ///   - ascending: Whether small keys come first; the sort is stable either way.
    /// - Returns: The positions.
    /// - Throws: The error of the thread's work limit.
    package static func positions(
        of keys: UnsafeRawBufferPointer,
        starts: UnsafeBufferPointer<Int>,
        ascending: Bool = true
    ) throws -> [Int32] {
        let count = max(starts.count - 1, 0)
        var pairs = Pairs(count: count)
        guard count > 1 else { return pairs.positions }
        let turn: UInt64 = ascending ? 0 : .max
        var meter = WorkMeter()
        let common = try commonPrefix(keys, starts, &meter)
        for index in 0..<count {
            pairs.set(index, word(keys, starts[index] + common, starts[index + 1]) ^ turn)
        }
        try pairs.sort()
        // Runs of equal words are few and short if keys differ early.
        try pairs.forEachRun { run in
            try sort(&run, by: common + 8, keys, starts, ascending, &meter)
        }
        return pairs.positions
    }

    private static func sort(
        _ run: inout UnsafeMutableBufferPointer<Pairs.Pair>,
        by offset: Int,
        _ keys: UnsafeRawBufferPointer,
        _ starts: UnsafeBufferPointer<Int>,
        _ ascending: Bool,
        _ meter: inout WorkMeter
    ) throws {
        try run.sort { left, right in
            let first = range(Int(left.position), offset, starts)
            let second = range(Int(right.position), offset, starts)
            try meter.step(1 + min(first.count, second.count) / 64)
            let order = compare(keys, first, second)
            if order != 0 { return ascending ? order < 0 : order > 0 }
            return left.position < right.position
        }
    }

    /// Returns the range of a key after an offset; empty if the key ends before it.
    private static func range(_ index: Int, _ offset: Int, _ starts: UnsafeBufferPointer<Int>) -> Range<Int> {
        // Includes the previous word, because two keys of different length may have equal words after padding.
        let end = starts[index + 1]
        return min(starts[index] + offset - 8, end)..<end
    }

    private static func compare(_ keys: UnsafeRawBufferPointer, _ left: Range<Int>, _ right: Range<Int>)
        -> Int
    {
        guard let base = keys.baseAddress else { return 0 }
        let order = memcmp(base + left.lowerBound, base + right.lowerBound, min(left.count, right.count))
        return order != 0 ? Int(order) : left.count - right.count
    }

    /// Returns the length of the common prefix of all keys.
    private static func commonPrefix(
        _ keys: UnsafeRawBufferPointer,
        _ starts: UnsafeBufferPointer<Int>,
        _ meter: inout WorkMeter
    ) throws -> Int {
        var common = starts[1] - starts[0]
        for index in 1..<starts.count - 1 where common > 0 {
            common = min(common, starts[index + 1] - starts[index])
            var same = 0
            while same < common, keys[starts[index] + same] == keys[starts[0] + same] { same += 1 }
            try meter.step(1 + same / 64)
            common = same
        }
        return common
    }

    /// Returns eight bytes as a big-endian number, padded with zeros.
    private static func word(_ keys: UnsafeRawBufferPointer, _ start: Int, _ end: Int) -> UInt64 {
        if end - start >= 8 {
            return UInt64(bigEndian: keys.loadUnaligned(fromByteOffset: start, as: UInt64.self))
        }
        var word: UInt64 = 0
        for index in start..<max(start, end) {
            word |= UInt64(keys[index]) << (56 - 8 * UInt64(index - start))
        }
        return word
    }

    /// Words with their original positions, in manually allocated memory.
    private struct Pairs: ~Copyable {
        struct Pair {
            var word: UInt64
            var position: Int32
        }

        private var pairs: UnsafeMutableBufferPointer<Pair>
        private var spare: UnsafeMutableBufferPointer<Pair>

        init(count: Int) {
            pairs = .allocate(capacity: count)
            spare = .allocate(capacity: count)
            for index in 0..<count {
                pairs.initializeElement(at: index, to: Pair(word: 0, position: Int32(index)))
            }
            for index in 0..<count { spare.initializeElement(at: index, to: Pair(word: 0, position: 0)) }
        }

        deinit {
            pairs.deallocate()
            spare.deallocate()
        }

        mutating func set(_ index: Int, _ word: UInt64) { pairs[index].word = word }

        var positions: [Int32] { pairs.map(\.position) }

        /// Sorts by the words, byte by byte from the lowest; bytes that all words share are skipped.
        ///
        /// A pass over millions of words takes some milliseconds; the limit is checked before each pass.
        mutating func sort() throws {
            let count = pairs.count
            guard count > 64 else {
                pairs.sort { $0.word != $1.word ? $0.word < $1.word : $0.position < $1.position }
                return
            }
            var counts = [Int](repeating: 0, count: 8 * 256)
            for pair in pairs {
                var word = pair.word
                for byte in 0..<8 {
                    counts[byte * 256 + Int(word & 0xFF)] += 1
                    word >>= 8
                }
            }
            for byte in 0..<8 {
                let first = byte * 256
                var sum = 0
                var isShared = false
                for value in first..<first + 256 {
                    if counts[value] == count { isShared = true }
                    let next = sum + counts[value]
                    counts[value] = sum
                    sum = next
                }
                if isShared { continue }
                try WorkLimit.check()
                let shift = UInt64(8 * byte)
                counts.withUnsafeMutableBufferPointer { places in
                    for index in 0..<count {
                        let pair = pairs[index]
                        let value = first + Int(pair.word >> shift & 0xFF)
                        spare[places[value]] = pair
                        places[value] += 1
                    }
                }
                swap(&pairs, &spare)
            }
        }

        /// Calls a body with each run of two or more equal words.
        mutating func forEachRun(
            _ body: (inout UnsafeMutableBufferPointer<Pair>) throws -> Void
        ) rethrows {
            var start = 0
            while start < pairs.count {
                var end = start + 1
                while end < pairs.count, pairs[end].word == pairs[start].word { end += 1 }
                if end - start > 1 {
                    var run = UnsafeMutableBufferPointer(rebasing: pairs[start..<end])
                    try body(&run)
                }
                start = end
            }
        }
    }
}
