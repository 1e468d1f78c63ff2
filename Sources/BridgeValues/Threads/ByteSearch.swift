internal import Foundation

/// A search for bytes in bytes, in time that is linear in the sum of their lengths.
package enum ByteSearch {
    private static let blockBytes = 4 << 20

    /// Returns whether the bytes contain the part.
    ///
    /// Uses the algorithm of Knuth, Morris and Pratt: no byte is compared again, however repetitive the bytes are.
    package static func isFound(_ part: UnsafeRawBufferPointer, in bytes: UnsafeRawBufferPointer) -> Bool {
        guard let first = part.first else { return true }
        guard let base = bytes.baseAddress, bytes.count >= part.count else { return false }
        return withUnsafeTemporaryAllocation(of: Int32.self, capacity: part.count) { borders in
            fill(borders, for: part)
            var matched = 0
            var position = 0
            while bytes.count - position >= part.count - matched {
                if matched == 0 {
                    guard let next = memchr(base + position, Int32(first), bytes.count - position) else {
                        return false
                    }
                    position = UnsafeRawPointer(next) - base
                } else {
                    while matched > 0, bytes[position] != part[matched] {
                        matched = Int(borders[matched - 1])
                    }
                }
                if bytes[position] == part[matched] { matched += 1 }
                if matched == part.count { return true }
                position += 1
            }
            return false
        }
    }

    /// Computes for each prefix of a part the length of its longest border, which is both a prefix and a suffix of it.
    private static func fill(_ borders: UnsafeMutableBufferPointer<Int32>, for part: UnsafeRawBufferPointer) {
        borders.initialize(repeating: 0)
        var length = 0
        for position in part.indices.dropFirst() {
            while length > 0, part[position] != part[length] { length = Int(borders[length - 1]) }
            if part[position] == part[length] { length += 1 }
            borders[position] = Int32(truncatingIfNeeded: length)
        }
    }

    /// Returns whether the bytes contain the part, under the thread's limit.
    ///
    /// - Throws: The error of the thread's ``WorkLimit``, which is checked before each 4 MiB but the first.
    package static func find(_ part: UnsafeRawBufferPointer, in bytes: UnsafeRawBufferPointer) throws -> Bool
    {
        let block = max(blockBytes, 2 * part.count)
        var rest = bytes[...]
        while rest.count > block {
            if isFound(part, in: UnsafeRawBufferPointer(rebasing: rest.prefix(block))) { return true }
            // A match may span the end of a block.
            rest = rest.dropFirst(block - max(part.count - 1, 0))
            try WorkLimit.check()
        }
        return isFound(part, in: UnsafeRawBufferPointer(rebasing: rest))
    }
}
