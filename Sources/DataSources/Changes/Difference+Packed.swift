extension Difference {
    /// All changes as one array of 32-bit numbers.
    ///
    /// The array begins with the seven counts. For each kind, in the order of this type's properties, its positions
    /// follow. A section takes one number and a path takes two; in a pair, old comes before new.
    ///
    /// Changes are sent to scripts in this form.
    ///
    /// - Complexity: O(c) in the changes.
    public var packed: [Int32] {
        var numbers: [Int32] = []
        let pairs = sectionMoves.count + deletes.count + inserts.count
        numbers.reserveCapacity(
            7 + sectionDeletes.count + sectionInserts.count + 2 * pairs + 4 * (moves.count + updates.count)
        )
        for count in [
            sectionDeletes.count, sectionInserts.count, sectionMoves.count, deletes.count, inserts.count,
            moves.count, updates.count,
        ] { numbers.append(Int32(count)) }
        numbers += sectionDeletes
        numbers += sectionInserts
        for pair in sectionMoves {
            numbers.append(pair.old)
            numbers.append(pair.new)
        }
        func append(_ path: ItemPath) {
            numbers.append(path.section)
            numbers.append(path.item)
        }
        for path in deletes { append(path) }
        for path in inserts { append(path) }
        for pairs in [moves, updates] {
            for pair in pairs {
                append(pair.old)
                append(pair.new)
            }
        }
        return numbers
    }

    /// Decodes the packed form.
    ///
    /// - Throws: ``PackedDifferenceError`` if the counts and the length disagree, a number is negative, or the
    ///   positions are not in strictly ascending order.
    public init(packed numbers: [Int32]) throws(PackedDifferenceError) {
        guard numbers.count >= 7, !numbers.contains(where: { $0 < 0 }) else {
            throw PackedDifferenceError(
                numbers.count < 7
                    ? "\(numbers.count) numbers, fewer than the 7 counts"
                    : "a position or count is negative"
            )
        }
        let counts = numbers.prefix(7).map(Int.init)
        let sizes = [1, 1, 2, 2, 2, 4, 4]
        let expected = zip(counts, sizes).reduce(7) { $0 + $1.0 * $1.1 }
        guard numbers.count == expected else {
            throw PackedDifferenceError("the counts require \(expected) numbers, found \(numbers.count)")
        }
        var next = 7
        func number() -> Int32 {
            defer { next += 1 }
            return numbers[next]
        }
        func path() -> ItemPath { ItemPath(section: number(), item: number()) }
        sectionDeletes = (0..<counts[0]).map { _ in number() }
        sectionInserts = (0..<counts[1]).map { _ in number() }
        sectionMoves = (0..<counts[2]).map { _ in SectionPair(old: number(), new: number()) }
        deletes = (0..<counts[3]).map { _ in path() }
        inserts = (0..<counts[4]).map { _ in path() }
        moves = (0..<counts[5]).map { _ in PathPair(old: path(), new: path()) }
        updates = (0..<counts[6]).map { _ in PathPair(old: path(), new: path()) }
        try Self.requireAscending(sectionDeletes, "section deletes")
        try Self.requireAscending(sectionInserts, "section inserts")
        try Self.requireAscending(sectionMoves.map(\.old), "section moves")
        try Self.requireAscending(deletes, "deletes")
        try Self.requireAscending(inserts, "inserts")
        try Self.requireAscending(moves.map(\.old), "moves")
        try Self.requireAscending(updates.map(\.old), "updates")
    }

    private static func requireAscending(
        _ places: [some Comparable],
        _ kind: String
    ) throws(PackedDifferenceError) {
        for (left, right) in zip(places, places.dropFirst()) where left >= right {
            throw PackedDifferenceError("the \(kind) are not in ascending order: \(right) after \(left)")
        }
    }
}

/// The reason why an array of numbers is not a packed difference.
public struct PackedDifferenceError: Error, Sendable, Hashable, CustomStringConvertible {
    /// A sentence that says what is wrong, with the numbers.
    public let message: String

    init(_ message: String) { self.message = "not a packed difference: \(message)" }

    /// The message.
    public var description: String { message }
}
