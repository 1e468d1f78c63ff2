import DataSources
import Foundation
import Testing

/// A change set, the states it is applied to, and the expected error.
struct IllegalChangeSet: Sendable, CustomStringConvertible {
    var description: String
    var changes: [Change]
    var rule: ChangeSetError.Rule
    var message: String
}

@Suite struct ApplyTests {
    private static func path(_ section: Int, _ item: Int) -> IndexPath {
        IndexPath(item: item, section: section)
    }

    private let old = [
        SectionSnapshot(key: "a", items: ["a0", "a1", "a2"]), SectionSnapshot(key: "b", items: ["b0"]),
    ]

    @Test("U1 U2 U3 U4 old and new paths are read in their own state, in any order of the changes")
    func anyOrder() throws {
        let new = [
            SectionSnapshot(key: "n", items: ["n0"]), SectionSnapshot(key: "a", items: ["a2!", "x", "a0"]),
        ]
        var changes: [Change] = [
            .section(type: .delete(Self.path(1, 0))), .section(type: .insert(Self.path(0, 0))),
            .item(type: .delete(Self.path(1, 0))), .item(type: .delete(Self.path(0, 1))),
            .item(type: .insert(Self.path(0, 0))), .item(type: .insert(Self.path(1, 1))),
            .item(type: .move(Self.path(0, 0), Self.path(1, 2))), .item(type: .update(Self.path(0, 2))),
        ]
        for _ in 0..<8 {
            #expect(try ChangeSet.some(changes).applied(to: old, arrivingFrom: new) == new)
            changes.append(changes.removeFirst())
        }
        let inverse = ChangeSet.some(changes).inverse
        #expect(try inverse.applied(to: new, arrivingFrom: old) == old)
        #expect(inverse.list.contains(.item(type: .update(Self.path(1, 0)))))
    }

    @Test("U8 the rows of a deleted section need no changes of their own, but those of an inserted one do")
    func deletedSection() throws {
        let changes = ChangeSet.some([.section(type: .delete(Self.path(0, 0)))])
        #expect(try changes.applied(to: old, arrivingFrom: [old[1]]) == [old[1]])
        let error = #expect(throws: ChangeSetError.self) {
            try changes.inverse.applied(to: [old[1]], arrivingFrom: old)
        }
        #expect(error?.rule == .countsAddUp)
    }

    @Test(
        "U9 a section move, row moves inside it and updates of moved rows work in one batch; a section update reads its key"
    )
    func oneBatch() throws {
        let new = [
            SectionSnapshot(key: "B", items: ["b0"]), SectionSnapshot(key: "a", items: ["a2", "a0!", "a1"]),
        ]
        let changes = ChangeSet.some([
            .section(type: .move(Self.path(0, 0), Self.path(1, 0))), .section(type: .update(Self.path(1, 0))),
            .item(type: .move(Self.path(0, 2), Self.path(1, 0))), .item(type: .update(Self.path(0, 2))),
            .item(type: .update(Self.path(0, 0))),
        ])
        #expect(try changes.applied(to: old, arrivingFrom: new) == new)
        #expect(try changes.inverse.applied(to: new, arrivingFrom: old) == old)
        #expect(try ChangeSet.all.applied(to: old, arrivingFrom: new) == new)
        #expect(ChangeSet.all.inverse == .all)
    }

    static let illegal: [IllegalChangeSet] = [
        IllegalChangeSet(
            description: "old section out of range",
            changes: [.item(type: .delete(path(2, 0)))],
            rule: .pathInRange,
            message: "delete [2, 0]: there are 2 sections before"
        ),
        IllegalChangeSet(
            description: "old item out of range",
            changes: [.item(type: .update(path(1, 1)))],
            rule: .pathInRange,
            message: "update [1, 1]: section 1 has 1 rows before"
        ),
        IllegalChangeSet(
            description: "new item out of range",
            changes: [.item(type: .move(path(0, 0), path(0, 3)))],
            rule: .pathInRange,
            message: "move [0, 0] to [0, 3]: section 0 has 3 rows after"
        ),
        IllegalChangeSet(
            description: "negative item",
            changes: [.item(type: .insert(path(0, -1)))],
            rule: .pathInRange,
            message: "insert [0, -1]: section 0 has 3 rows after"
        ),
        IllegalChangeSet(
            description: "section out of range",
            changes: [.section(type: .insert(path(2, 0)))],
            rule: .pathInRange,
            message: "insert section 2: there are 2 sections after"
        ),
        IllegalChangeSet(
            description: "deleted twice",
            changes: [.item(type: .delete(path(0, 1))), .item(type: .delete(path(0, 1)))],
            rule: .namedOnce,
            message: "delete [0, 1]: the same row is named twice"
        ),
        IllegalChangeSet(
            description: "deleted and moved",
            changes: [.item(type: .delete(path(0, 1))), .item(type: .move(path(0, 1), path(0, 0)))],
            rule: .notDeletedAndUsed,
            message: "move [0, 1] to [0, 0]: the row is deleted and used"
        ),
        IllegalChangeSet(
            description: "updated and deleted",
            changes: [.item(type: .update(path(0, 1))), .item(type: .delete(path(0, 1)))],
            rule: .notDeletedAndUsed,
            message: "delete [0, 1]: the row is deleted and used"
        ),
        IllegalChangeSet(
            description: "two arrivals at one place",
            changes: [.item(type: .insert(path(0, 1))), .item(type: .move(path(0, 1), path(0, 1)))],
            rule: .namedOnce,
            message: "move [0, 1] to [0, 1]: another row arrives at the same position"
        ),
        IllegalChangeSet(
            description: "section deleted and moved",
            changes: [.section(type: .delete(path(0, 0))), .section(type: .move(path(0, 0), path(1, 0)))],
            rule: .notDeletedAndUsed,
            message: "move section 0 to 1: the section is deleted too"
        ),
        IllegalChangeSet(
            description: "update inside a deleted section",
            changes: [
                .section(type: .delete(path(1, 0))), .section(type: .insert(path(1, 0))),
                .item(type: .update(path(1, 0))),
            ],
            rule: .notDeletedAndUsed,
            message: "update [1, 0]: its section is deleted too"
        ),
        IllegalChangeSet(
            description: "counts",
            changes: [.item(type: .delete(path(0, 1)))],
            rule: .countsAddUp,
            message:
                "rows of section 0: 3 before + 0 inserted - 1 deleted + 0 moved in - 0 moved out is not 3 after"
        ),
        IllegalChangeSet(
            description: "section counts",
            changes: [.section(type: .delete(path(1, 0)))],
            rule: .countsAddUp,
            message: "sections: 2 before + 0 inserted - 1 deleted + 0 moved in - 0 moved out is not 2 after"
        ),
        IllegalChangeSet(
            description: "another row",
            changes: [.item(type: .move(path(0, 1), path(0, 0)))],
            rule: .sameRow,
            message: "move [0, 1] to [0, 0]: another row is at [0, 0] after: 'a1' became 'a0'"
        ),
    ]

    @Test("U6 U7 an illegal batch is an error with its rule, paths, counts and rows", arguments: illegal)
    func illegalBatch(_ batch: IllegalChangeSet) {
        let error = #expect(throws: ChangeSetError.self) {
            try ChangeSet.some(batch.changes).applied(to: old, arrivingFrom: old, isSameItem: ==)
        }
        #expect(error?.rule == batch.rule)
        #expect(error?.description == batch.message)
        #expect(error?.identifiers == (batch.rule == .sameRow ? ["a1", "a0"] : []))
    }
}
