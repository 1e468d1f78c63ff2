internal import BridgeValues
internal import Foundation

/// Puts many keys in order: by the bits of their first eight bytes at once, and only what these leave equal by the rest.
///
/// A sort ends at the limit of the thread's work. It is stable. It never asks anybody to compare two keys, so that what calls it may have got its keys from a
/// script: a million numbers take eight passes over memory at most, and fewer where their bytes are alike.
package enum OrderSort {
    /// The positions of numbers in ascending order; those that are NaN count as no value and come first.
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

    /// The bits of a number in an order that is the numbers' own.
    private static func bits(_ number: Double) -> UInt64 {
        if number.isNaN { return 0 }
        let bits = number == 0 ? 0 : number.bitPattern
        return bits >> 63 == 0 ? bits | 1 << 63 : ~bits
    }

    /// The positions of keys in ascending order of their bytes.
    ///
    /// - Parameters:
    ///   - keys: The keys, one behind the other.
    ///   - starts: Where each begins, and behind the last one where it ends.
    ///   - ascending: Whether small comes first; equal keys keep their order either way.
    /// - Returns: The positions.
    /// - Throws: What ends work of this thread.
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
        // Runs of equal words are few and short where keys differ early.
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

    /// What of a key is behind an offset; a key that ends before it is empty, and its end counts.
    private static func range(_ index: Int, _ offset: Int, _ starts: UnsafeBufferPointer<Int>) -> Range<Int> {
        // From the key's start, since two keys of different length may be equal in their padded first words.
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

    /// How many bytes all keys begin with; at most what the shortest has.
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

    /// Eight bytes as a number in their order, zeros behind the end.
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

    /// Words and where they came from, in memory of their own.
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

        /// Sorts by the words, byte by byte from the lowest; bytes that all words share are passed over.
        ///
        /// A pass over millions takes some milliseconds; the limit is asked before each.
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
