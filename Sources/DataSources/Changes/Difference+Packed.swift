internal import Stores

extension Difference {
    /// All changes as one array of 32-bit numbers.
    ///
    /// The array begins with the seven counts. For each kind, in the order of this type's properties, its positions
    /// follow. A section takes one number and a path takes two; in a pair, old comes before new.
    ///
    /// For the rows of a store, five kinds of 64-bit numbers follow, each number as its low and its high half: the
    /// identities of the deleted, inserted, moved and updated rows, the first and the last version before, the first
    /// and the last version after, and the nanoseconds from the commit to the delivery, or -1. The values of the rows
    /// and the keys of sections are left out.
    ///
    /// Changes are sent to scripts in this form.
    ///
    /// - Complexity: O(c) in the changes.
    public var packed: [Int32] {
        var numbers: [Int32] = []
        numbers.reserveCapacity(packedCount)
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
        if let rows { rows.pack(into: &numbers) }
        return numbers
    }

    /// The count of numbers of the packed form.
    package var packedCount: Int {
        let pairs = sectionMoves.count + deletes.count + inserts.count
        let positions =
            7 + sectionDeletes.count + sectionInserts.count + 2 * pairs + 4 * (moves.count + updates.count)
        let named = deletes.count + inserts.count + moves.count + updates.count
        return rows == nil ? positions : positions + 2 * (named + Rows.versionCount)
    }

    /// Decodes the packed form.
    ///
    /// - Throws: ``PackedDifferenceError`` if the counts and the length disagree, a position is negative, or the
    ///   positions are not in strictly ascending order; for the rows of a store also if sections were inserted or
    ///   deleted, because their keys are unknown.
    public init(packed numbers: [Int32]) throws(PackedDifferenceError) {
        guard numbers.count >= 7 else {
            throw PackedDifferenceError("\(numbers.count) numbers, fewer than the 7 counts")
        }
        let counts = numbers.prefix(7).map(Int.init)
        let sizes = [1, 1, 2, 2, 2, 4, 4]
        let expected = zip(counts, sizes).reduce(7) { $0 + $1.0 * $1.1 }
        guard !counts.contains(where: { $0 < 0 }), !numbers.prefix(expected).contains(where: { $0 < 0 })
        else {
            throw PackedDifferenceError("a position or count is negative")
        }
        let named = counts[3...].reduce(0, +)
        let hasRows = numbers.count == expected + 2 * (named + Rows.versionCount)
        guard numbers.count == expected || hasRows else {
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
        guard hasRows else { return }
        guard sectionDeletes.isEmpty, sectionInserts.isEmpty else {
            throw PackedDifferenceError("the keys of its sections are missing")
        }
        rows = try Rows(packed: numbers[expected...], counts: Array(counts[3...]))
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

extension Difference.Rows {
    /// The count of 64-bit numbers after the identities.
    fileprivate static let versionCount = 5

    fileprivate func pack(into numbers: inout [Int32]) {
        func append(_ number: Int64) {
            numbers.append(Int32(truncatingIfNeeded: number))
            numbers.append(Int32(truncatingIfNeeded: number >> 32))
        }
        for ids in [deletedIDs, insertedIDs, movedIDs, updatedIDs] { for id in ids { append(id) } }
        for versions in [oldVersions, newVersions] {
            append(Int64(versions.lowerBound))
            append(Int64(versions.upperBound))
        }
        // As a number of a script: exact up to 2^53.
        append(duration.map { Int64(min($0 / .nanoseconds(1), 0x1p53)) } ?? -1)
    }

    fileprivate init(packed numbers: ArraySlice<Int32>, counts: [Int]) throws(PackedDifferenceError) {
        self.init()
        var next = numbers.startIndex
        func number() -> Int64 {
            defer { next += 2 }
            return Int64(numbers[next + 1]) << 32 | Int64(UInt32(bitPattern: numbers[next]))
        }
        func versions() throws(PackedDifferenceError) -> ClosedRange<Int> {
            let (first, last) = (Int(number()), Int(number()))
            guard first <= last else { throw PackedDifferenceError("version \(first) is after \(last)") }
            return first...last
        }
        deletedIDs = (0..<counts[0]).map { _ in number() }
        insertedIDs = (0..<counts[1]).map { _ in number() }
        movedIDs = (0..<counts[2]).map { _ in number() }
        updatedIDs = (0..<counts[3]).map { _ in number() }
        oldVersions = try versions()
        newVersions = try versions()
        let nanoseconds = number()
        duration = nanoseconds < 0 ? nil : .nanoseconds(nanoseconds)
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
