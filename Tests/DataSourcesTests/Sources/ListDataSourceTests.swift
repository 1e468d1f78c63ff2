import DataSources
import Foundation
import Testing

private final class Fruits: ListDataSource {
    var items: [String]
    var reloadBlock: ReloadBlock?

    init(_ items: [String]) { self.items = items }
}

/// A source that implements only the requirements, and not with an array.
private final class Numbers: DataSource {
    var reloadBlock: ReloadBlock?
    var numberOfSections: Int { 2 }
    func numberOfItems(in section: Int) -> Int { section == 0 ? 2 : section == 1 ? 1 : 0 }
    func item(at indexPath: IndexPath) -> Int? { indexPath.section * 10 + indexPath.item }
}

@Suite struct ListDataSourceTests {
    private let source = Fruits(["apple", "pear", "plum"])

    private func path(_ section: Int, _ item: Int) -> IndexPath { IndexPath(item: item, section: section) }

    @Test(
        "D1 a data source is an object with a reload block that can be set and read, and four ways to read it"
    )
    func requirements() {
        let any: any DataSource = source
        #expect(any === source)
        #expect(any.reloadBlock == nil)
        var received: [ChangeSet] = []
        any.reloadBlock = { received.append($0) }
        source.reloadBlock?(.all)
        #expect(received == [.all])
        any.reloadBlock = nil
        #expect(source.reloadBlock == nil)
        let numbers: any DataSource<Int> = Numbers()
        #expect(numbers.numberOfSections == 2 && numbers.numberOfItems(in: 0) == 2)
        #expect(numbers.item(at: path(1, 0)) == 10)
        #expect(numbers.indexPath(after: path(0, 1)) == path(1, 0))
    }

    @Test(
        "D5 a list has no items in sections out of range and no item at paths out of range; it never traps",
        arguments: [(0, -1), (0, 3), (0, Int.max), (0, Int.min), (-1, 0), (1, 0), (Int.max, 0), (Int.min, 0)]
    )
    func missing(section: Int, item: Int) {
        #expect(source.item(at: path(section, item)) == nil)
        if section != 0 { #expect(source.numberOfItems(in: section) == 0) }
        #expect(source.item(at: IndexPath()) == nil)
        #expect(source.item(at: [0]) == nil)
    }

    @Test("D6 a list has one section, and none while it is empty")
    func sections() {
        #expect(source.numberOfSections == 1)
        #expect(Fruits([]).numberOfSections == 0)
        #expect(Fruits([]).numberOfItems(in: 0) == 0)
    }

    @Test("D6 the first item's insert inserts the section as well, and the last one's delete deletes it")
    func emptyToOne() throws {
        let list = ListSource<String, String>(values: [])
        var received: [ChangeSet] = []
        list.reloadBlock = { received.append($0) }
        try list.setItems(["fig"])
        try list.setItems([])
        #expect(
            received == [
                .some([.section(type: .insert(path(0, 0))), .item(type: .insert(path(0, 0)))]),
                .some([.section(type: .delete(path(0, 0))), .item(type: .delete(path(0, 0)))]),
            ]
        )
    }

    @Test("D7 every section of a list but 0 has no items, no item and no next path")
    func otherSections() {
        for section in [-1, 1, 2] {
            #expect(source.numberOfItems(in: section) == 0)
            #expect(source.item(at: path(section, 0)) == nil)
            #expect(source.indexPath(after: path(section, 0)) == nil)
        }
        #expect(source.numberOfItems(in: 0) == 3)
        #expect(source.item(at: path(0, 2)) == "plum")
    }

    @Test("D8 the next path steps through a list and is nil after its last item")
    func next() {
        #expect(source.indexPath(after: path(0, 0)) == path(0, 1))
        #expect(source.indexPath(after: path(0, 1)) == path(0, 2))
        #expect(source.indexPath(after: path(0, 2)) == nil)
        #expect(source.indexPath(after: path(0, -1)) == path(0, 0))
        #expect(Fruits([]).indexPath(after: path(0, 0)) == nil)
    }

    @Test(
        "D10 the next path of an impossible path is nil; the shipped code trapped or gave a negative path"
    )
    func nextOfNothing() {
        for item in [-2, Int.min, Int.max, 99] { #expect(source.indexPath(after: path(0, item)) == nil) }
        #expect(source.indexPath(after: IndexPath()) == nil)
    }

    @Test("D2 X7 a list source reports its differences, and nothing when it is set to equal items")
    func listSource() throws {
        struct Fruit: Identifiable, Equatable {
            var id: Int
            var name: String
        }
        let list = ListSource([Fruit(id: 1, name: "apple"), Fruit(id: 2, name: "pear")])
        var received: [ChangeSet] = []
        list.reloadBlock = { received.append($0) }
        try list.setItems(list.items)
        #expect(received.isEmpty)
        try list.setItems([Fruit(id: 2, name: "pear"), Fruit(id: 1, name: "quince")])
        let changes: [Change] = [
            .item(type: .move(path(0, 0), path(0, 1))), .item(type: .update(path(0, 0))),
        ]
        #expect(received == [.some(changes)])
        #expect(throws: DuplicateKeyError.self) { try list.setItems([list.items[0], list.items[0]]) }
        #expect(list.items.map(\.name) == ["pear", "quince"])
        #expect(received.count == 1)
    }
}
