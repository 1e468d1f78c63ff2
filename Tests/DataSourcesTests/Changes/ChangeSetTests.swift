import DataSources
import Foundation
import Testing

@Suite struct ChangeSetTests {
    private let path = IndexPath(item: 1, section: 2)
    private let other = IndexPath(item: 4, section: 0)

    @Test(
        "D2 a change set is some changes or all; a change is of a section or an item, under both of its names"
    )
    func vocabulary() {
        let reload: ReloadBlock = { changes in
            switch changes {
            case .some(let list): #expect(list.count == 2)
            case .all: Issue.record("not all")
            }
        }
        reload(.some([.section(type: .insert(path)), .item(type: .delete(path))]))
        #expect(Change.object(type: .update(path)) == Change.item(type: .update(path)))
        #expect(Change.object(type: .update(path)).type == .update(path))
    }

    @Test("D3 a change type is an insert, delete or update of a path, or a move between two")
    func types() {
        let types: [ChangeType] = [.insert(path), .delete(path), .move(path, other), .update(path)]
        let texts = types.map { Change.item(type: $0).description }
        #expect(texts == ["insert [2, 1]", "delete [2, 1]", "move [2, 1] to [0, 4]", "update [2, 1]"])
        #expect(types.map { Change.section(type: $0).description }[2] == "move section 2 to 0")
    }

    @Test("D4 a fetched change becomes a change type only with the paths that its kind needs")
    func fetchedChange() {
        func type(_ kind: FetchedResultsChangeType?, _ old: IndexPath?, _ new: IndexPath?) -> ChangeType? {
            ChangeType(type: kind, indexPath: old, newIndexPath: new)
        }
        #expect(type(.insert, nil, path) == .insert(path))
        #expect(type(.insert, other, path) == .insert(path))
        #expect(type(.insert, path, nil) == nil)
        #expect(type(.delete, path, nil) == .delete(path))
        #expect(type(.delete, nil, path) == nil)
        #expect(type(.move, path, other) == .move(path, other))
        #expect(type(.move, path, nil) == nil)
        #expect(type(.move, nil, other) == nil)
        #expect(type(.update, path, nil) == .update(path))
        #expect(type(.update, path, other) == .update(path))
        #expect(type(.update, nil, other) == nil)
        #expect(type(FetchedResultsChangeType(rawValue: 9), path, other) == nil)
    }

    @Test("D2 a summary counts every kind, and `all` has none")
    func summary() {
        let set = ChangeSet.some([
            .section(type: .delete(path)), .item(type: .insert(path)), .item(type: .move(path, other)),
            .item(type: .update(path)), .item(type: .update(other)),
        ])
        #expect(
            set.description
                == """
                sections: 0 inserted, 1 deleted, 0 moved, 0 updated; \
                rows: 1 inserted, 0 deleted, 1 moved, 2 updated
                """
        )
        #expect(ChangeSet.all.summary == nil)
    }

    @Test("D2 index paths have sections and items on every platform, and a short path has neither")
    func indexPaths() {
        var path = IndexPath(item: 3, section: 5)
        #expect(path == [5, 3])
        path.item = 4
        path.section = 6
        #expect((path.section, path.item, path.row) == (6, 4, 4))
        #expect((IndexPath().section, IndexPath().item) == (-1, -1))
        #expect(IndexPath(row: 1, section: 0) == [0, 1])
        #expect(ItemPath(IndexPath()) == ItemPath(section: -1, item: -1))
        #expect(ItemPath(IndexPath(item: Int.max, section: 0)) == nil)
    }
}
