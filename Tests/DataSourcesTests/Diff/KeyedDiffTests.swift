import DataSources
import Testing

@Suite struct KeyedDiffTests {
    private func difference(_ old: [Int], _ new: [Int], changed: Set<Int> = []) throws -> Difference {
        let keys = { (list: [Int]) in SectionedKeys(list.map(Int64.init)) }
        return try KeyedDiff.difference(from: keys(old), to: keys(new)) { old, _ in changed.contains(old) }
    }

    private func moves(_ difference: Difference) -> [[Int32]] {
        difference.moves.map { [$0.old.item, $0.new.item] }
    }

    @Test("X3 the first of 1,000 rows moved to the end is one move")
    func firstToLast() throws {
        let difference = try difference(Array(0..<1_000), Array(1..<1_000) + [0])
        #expect(moves(difference) == [[0, 999]])
        #expect(difference.deletes.isEmpty && difference.inserts.isEmpty && difference.updates.isEmpty)
    }

    @Test("X3 a reversed list keeps one row: the earliest")
    func reversed() throws {
        let difference = try difference(Array(0..<100), (0..<100).reversed())
        #expect(difference.moves.count == 99)
        #expect(!difference.moves.contains { $0.old.item == 0 })
    }

    @Test("X8 the tie rule keeps unchanged rows first, and earlier rows after that")
    func tieRule() throws {
        #expect(moves(try difference([1, 2], [2, 1])) == [[1, 0]])
        #expect(moves(try difference([1, 2], [2, 1], changed: [0])) == [[0, 1]])
        #expect(moves(try difference([1, 2, 3, 4], [3, 4, 1, 2])) == [[2, 0], [3, 1]])
        // Fewer moves have priority over unchanged rows: two changed rows stay, the one unchanged row moves.
        #expect(moves(try difference([1, 2, 3], [2, 3, 1], changed: [1, 2])) == [[0, 2]])
    }

    @Test(
        "X8 the rows that do not move are those that trying all subsets finds, for every order of up to 6 rows"
    )
    func tieRuleExhaustive() throws {
        for count in 1...6 {
            for order in Self.permutations(Array(0..<count)) {
                for mask in [0, 0b101010, 0b010011] {
                    let changed = Set((0..<count).filter { mask >> $0 & 1 == 1 })
                    let difference = try difference(Array(0..<count), order, changed: changed)
                    let moved = Set(difference.moves.map { Int($0.old.item) })
                    let kept = (0..<count).filter { !moved.contains($0) }
                    #expect(kept == Self.bestKept(order, changed), "order \(order), changed \(changed)")
                }
            }
        }
    }

    /// Tries all subsets of rows that keep their order: most rows, then most unchanged, then earliest.
    private static func bestKept(_ order: [Int], _ changed: Set<Int>) -> [Int] {
        var best: [Int] = []
        for subset in 0..<1 << order.count {
            let rows = (0..<order.count).filter { subset >> $0 & 1 == 1 }
            guard order.filter(rows.contains) == rows else { continue }
            let left = (rows.count, rows.filter { !changed.contains($0) }.count)
            let right = (best.count, best.filter { !changed.contains($0) }.count)
            if left > right || left == right && rows.lexicographicallyPrecedes(best) { best = rows }
        }
        return best
    }

    private static func permutations(_ values: [Int]) -> [[Int]] {
        guard let first = values.first else { return [[]] }
        return permutations(Array(values.dropFirst())).flatMap { rest in
            (0...rest.count).map { Array(rest[..<$0]) + [first] + Array(rest[$0...]) }
        }
    }

    @Test("X3 F11 rows of deleted and inserted sections are counted one by one, survivors as moves")
    func sections() throws {
        let old = [SectionSnapshot(key: "a", items: [1, 2]), SectionSnapshot(key: "b", items: [3])]
        let new = [SectionSnapshot(key: "b", items: [3, 1]), SectionSnapshot(key: "c", items: [4])]
        let difference = try KeyedDiff.difference(from: old, to: new, id: { $0 })
        #expect(difference.sectionDeletes == [0])
        #expect(difference.sectionInserts == [1])
        #expect(difference.sectionMoves.isEmpty)
        #expect(difference.deletes == [ItemPath(section: 0, item: 1)])
        #expect(difference.inserts == [ItemPath(section: 1, item: 0)])
        #expect(
            difference.moves
                == [
                    Difference.PathPair(
                        old: ItemPath(section: 0, item: 0),
                        new: ItemPath(section: 0, item: 1)
                    )
                ]
        )
        #expect(
            difference.description
                == """
                sections: 1 inserted, 1 deleted, 0 moved, 0 updated; \
                rows: 1 inserted, 1 deleted, 1 moved, 0 updated
                """
        )
        #expect(difference.changeSet.summary == difference.summary)
    }

    @Test("X3 a moved section is one section move, and its rows are compared inside it")
    func movedSection() throws {
        let old = ["a", "b", "c"].map { SectionSnapshot(key: $0, items: ["\($0)1", "\($0)2"]) }
        var new = [old[2], old[0], old[1]]
        new[0].items.reverse()
        let difference = try KeyedDiff.difference(from: old, to: new, id: { $0 })
        #expect(difference.sectionMoves.map { [$0.old, $0.new] } == [[2, 0]])
        #expect(difference.moves.map(\.old) == [ItemPath(section: 2, item: 1)])
        #expect(difference.moves.map(\.new) == [ItemPath(section: 0, item: 0)])
    }

    @Test("X4 an update has the row's path in both states, also when it moved")
    func updates() throws {
        let difference = try difference([1, 2, 3], [9, 2, 3, 1], changed: [0, 2])
        #expect(difference.updates.map { [$0.old.item, $0.new.item] } == [[0, 3], [2, 2]])
        #expect(moves(difference) == [[0, 3]])
        #expect(difference.updatesInPlace.map(\.old.item) == [2])
    }

    @Test(
        "U10 a duplicate row key in one state is an error with the key",
        arguments: [
            ([7, 7], [], "old"), ([], [7, 7], "new"), ([1, 7, 2, 7], [7, 3], "old"),
            ([7, 3], [1, 7, 2, 7], "new"),
            ([7, 1, 7], [7, 1], "old"), ([7, 1], [7, 1, 7], "new"), ([1, 7], [1, 7, 5, 7], "new"),
        ]
    )
    func duplicateRows(old: [Int], new: [Int], state: String) throws {
        let error = #expect(throws: DuplicateKeyError.self) { try difference(old, new) }
        #expect(error?.description == "two rows of the \(state) state have the key '7'")
        // Keys far apart use the other form of the index.
        let far = { (list: [Int]) in list.map { $0 == 7 ? "seven" : "\($0)" } }
        let named = #expect(throws: DuplicateKeyError.self) {
            try KeyedDiff.difference(from: far(old), to: far(new))
        }
        #expect(named?.description == "two rows of the \(state) state have the key 'seven'")
        let scattered = { (list: [Int]) in SectionedKeys(list.map { Int64($0) << 50 }) }
        #expect(throws: DuplicateKeyError.self) {
            try KeyedDiff.difference(from: scattered(old), to: scattered(new))
        }
    }

    @Test("U10 a duplicate section key in one state is an error with the key")
    func duplicateSections() {
        let twice = [SectionSnapshot(key: "x", items: [1]), SectionSnapshot(key: "x", items: [2])]
        let error = #expect(throws: DuplicateKeyError.self) {
            try KeyedDiff.difference(from: [], to: twice, id: { $0 })
        }
        #expect(error?.description == "two sections of the new state have the key 'x'")
    }

    @Test("X7 equal states have an empty difference, also at the extremes of the key range")
    func noDifference() throws {
        let keys = SectionedKeys([.min, 0, .max])
        #expect(try KeyedDiff.difference(from: keys, to: keys).isEmpty)
        let turned = try KeyedDiff.difference(from: keys, to: SectionedKeys([.max, .min, 0, 5]))
        #expect(turned.moves.count == 1 && turned.inserts.count == 1)
        #expect(try KeyedDiff.difference(from: [Int](), to: []).isEmpty)
    }
}
