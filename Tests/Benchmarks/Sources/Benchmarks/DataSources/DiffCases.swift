import BenchmarkHarness
import DataSources
import Foundation

/// Comparisons of two states of 100,000 rows.
@MainActor let diffCases = [
    BenchmarkCase(
        "diff.100k.1k",
        baseline:
            "the standard library's difference(from:) of the same 100,000 Ints; ours makes a change set",
        wanted: 15
    ) {
        let edit = Edit.scattered()
        let old = edit.old.map(Int.init)
        let new = edit.new.map(Int.init)
        try edit.check(KeyedDiff.difference(from: SectionedKeys(edit.old), to: SectionedKeys(edit.new)))
        return Contest(
            plain: .synchronous { operations in
                var sum = 0.0
                for _ in 0..<operations {
                    sum += edit.checksum(new.difference(from: old), number: Double.init)
                }
                return Outcome(sum)
            },
            ours: .synchronous { operations in
                var sum = 0.0
                for _ in 0..<operations {
                    let difference = try KeyedDiff.difference(
                        from: SectionedKeys(edit.old),
                        to: SectionedKeys(edit.new)
                    )
                    sum += edit.checksum(difference.changeSet)
                }
                return Outcome(sum)
            },
            expected: { Double($0) * edit.checksum }
        )
    },
    BenchmarkCase(
        "diff.readme.100k.uuid",
        baseline:
            "the standard library's difference(from:) of the same 100,000 UUIDs; ours makes a change set",
        wanted: 400
    ) {
        let edit = Edit.blocks()
        let old = edit.old.map(UUID.init(number:))
        let new = edit.new.map(UUID.init(number:))
        try edit.check(KeyedDiff.difference(from: old, to: new))
        return Contest(
            plain: .synchronous { operations in
                var sum = 0.0
                for _ in 0..<operations {
                    sum += edit.checksum(new.difference(from: old)) { Double($0.number) }
                }
                return Outcome(sum)
            },
            ours: .synchronous { operations in
                var sum = 0.0
                for _ in 0..<operations {
                    sum += edit.checksum(try KeyedDiff.difference(from: old, to: new).changeSet)
                }
                return Outcome(sum)
            },
            expected: { Double($0) * edit.checksum }
        )
    },
]

/// Two states as numbers, and their differences.
private struct Edit {
    var old: [Int64]
    var new: [Int64]
    var deleted: Int
    var inserted: Int

    /// Creates 1,000 changes spread over 100,000 rows: a third each deleted, inserted and moved.
    static func scattered() -> Edit {
        var generator = FixedGenerator()
        let old = (0..<100_000).map { Int64($0) }
        var new = old
        for _ in 0..<333 { new.remove(at: .random(in: new.indices, using: &generator)) }
        for _ in 0..<334 {
            let row = new.remove(at: .random(in: new.indices, using: &generator))
            new.insert(row, at: .random(in: 0...new.count, using: &generator))
        }
        for number in 0..<333 {
            new.insert(100_000 + Int64(number), at: .random(in: 0...new.count, using: &generator))
        }
        return Edit(old: old, new: new, deleted: 333, inserted: 333)
    }

    /// Creates the case for which libraries of list differences publish figures.
    ///
    /// Of 100,000 rows a block of 10,000 is deleted, one of 10,000 inserted, and the first 2,000 are shuffled.
    static func blocks() -> Edit {
        var generator = FixedGenerator()
        let old = (0..<100_000).map { Int64($0) }
        var new = old
        new.removeSubrange(20_000..<30_000)
        new.insert(contentsOf: 100_000..<110_000, at: 30_000)
        new[0..<2_000].shuffle(using: &generator)
        return Edit(old: old, new: new, deleted: 10_000, inserted: 10_000)
    }

    /// The expected result of both: the sum of the inserted numbers less that of the deleted ones; moves cancel out.
    var checksum: Double { Double(new.reduce(0, +) - old.reduce(0, +)) }

    func checksum<Key>(_ difference: CollectionDifference<Key>, number: (Key) -> Double) -> Double {
        difference.reduce(0) { sum, change in
            switch change {
            case .insert(_, let key, _): sum + number(key)
            case .remove(_, let key, _): sum - number(key)
            }
        }
    }

    func checksum(_ changes: ChangeSet) -> Double {
        guard case .some(let changes) = changes else { return .nan }
        return changes.reduce(0) { sum, change in
            switch change {
            case .item(type: .insert(let path)): sum + Double(new[path.item])
            case .item(type: .delete(let path)): sum - Double(old[path.item])
            default: sum
            }
        }
    }

    /// Checks once that a difference turns the old state into the new one.
    func check(_ difference: Difference) throws {
        let summary = difference.summary
        let result = try difference.changeSet.applied(
            to: [SectionSnapshot(key: 0, items: old)],
            arrivingFrom: [SectionSnapshot(key: 0, items: new)]
        )
        guard result.first?.items == new, summary.rows.deleted == deleted, summary.rows.inserted == inserted
        else {
            throw DiffError(
                description: "the difference (\(summary)) does not lead from the old state to the new one"
            )
        }
    }
}

private struct DiffError: Error, CustomStringConvertible {
    let description: String
}

extension UUID {
    /// Creates an identifier that looks random and is always the same for a number.
    fileprivate init(number: Int64) {
        let high = FixedGenerator.mix(UInt64(bitPattern: number)).littleEndian
        let low = UInt64(bitPattern: number).littleEndian
        var bytes: uuid_t = (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)
        withUnsafeMutableBytes(of: &bytes) {
            $0.storeBytes(of: high, as: UInt64.self)
            $0.storeBytes(of: low, toByteOffset: 8, as: UInt64.self)
        }
        self.init(uuid: bytes)
    }

    /// The number from which it was created.
    fileprivate var number: Int64 {
        withUnsafeBytes(of: uuid) { Int64(littleEndian: $0.loadUnaligned(fromByteOffset: 8, as: Int64.self)) }
    }
}
