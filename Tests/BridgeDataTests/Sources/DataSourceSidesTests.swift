import BridgeData
import DataSources
import Foundation
import JavaScriptBridge
import Stores
import StoresSQLite
import Testing

/// One suite for data sources, run over a source of Swift, a script's source used from Swift, and a source of Swift
/// used from a script.
@Suite(.serialized) struct DataSourceSidesTests {
    private func path(_ section: Int, _ item: Int) -> IndexPath { IndexPath(item: item, section: section) }

    private func list(_ way: SourceSide, _ body: (SourceAPI) throws -> Void) throws {
        try TurnWorld().turn { context in
            let face = try way.list(in: context)
            try face.set([["a", "b", "c"]])
            try body(face)
        }
    }

    private func sectioned(_ way: SourceSide, _ body: (SourceAPI) throws -> Void) throws {
        try TurnWorld().turn { context in
            let face = try way.sectioned(in: context)
            try face.set([["a", "b"], ["c"], [], [], ["d"], []])
            try body(face)
        }
    }

    private func next(_ face: SourceAPI, _ section: Int, _ item: Int) throws -> [Int]? {
        try face.next(section, item)
    }

    // MARK: - Lists

    @Test(
        "D22 D1 D5 D6 D7 a list has one section with its items, and nothing at any other path",
        arguments: SourceSide.allCases
    )
    func listReading(way: SourceSide) throws {
        try list(way) { face in
            let counts = try [face.numberOfSections(), face.numberOfItems(0)]
            #expect(counts == [1, 3])
            let items = try (0..<3).map { try face.item(0, $0) }
            #expect(items == ["a", "b", "c"])
            for section in [-1, 1, 2, Int(Int32.max), -(1 << 40)] {
                let count = try face.numberOfItems(section)
                let item = try face.item(section, 0)
                let next = try face.next(section, 0)
                #expect(count == 0 && item == nil && next == nil, "section \(section)")
            }
            for item in [-1, 3, Int(Int32.max), 1 << 40, -(1 << 40)] {
                let found = try face.item(0, item)
                #expect(found == nil, "item \(item)")
            }
            try face.set([])
            let empty = try [face.numberOfSections(), face.numberOfItems(0)]
            let first = try face.item(0, 0)
            #expect(empty == [0, 0] && first == nil)
        }
    }

    @Test(
        "D22 D8 D10 the next path steps through a list, and is nil after the end",
        arguments: SourceSide.allCases
    )
    func listNext(way: SourceSide) throws {
        try list(way) { face in
            let steps = try [-1, 0, 1, 2].map { try face.next(0, $0) }
            #expect(steps == [[0, 0], [0, 1], [0, 2], nil])
            for item in [-2, -(1 << 40), 1 << 40] {
                let next = try face.next(0, item)
                #expect(next == nil, "item \(item)")
            }
        }
    }

    @Test(
        "D22 D2 D3 D6 D12 D17 each announced change is reported once, in the same form; others are not reported",
        arguments: SourceSide.allCases
    )
    func listChanges(way: SourceSide) throws {
        try list(way) { face in
            try face.listen(true)
            let steps: [([String], ChangeSet)] = [
                (["a", "b", "c", "d"], .some([.item(type: .insert(path(0, 3)))])),
                (["a", "c", "d"], .some([.item(type: .delete(path(0, 1)))])),
                (["d", "a", "c"], .some([.item(type: .move(path(0, 2), path(0, 0)))])),
                (["d", "A", "c"], .some([.item(type: .update(path(0, 1)))])),
                (["x"], .all),
                ([], .some([.section(type: .delete(path(0, 0))), .item(type: .delete(path(0, 0)))])),
                (["y"], .some([.section(type: .insert(path(0, 0))), .item(type: .insert(path(0, 0)))])),
            ]
            for (items, changes) in steps {
                try face.set(items.isEmpty ? [] : [items])
                let silent = try face.received()
                #expect(silent.isEmpty)
                try face.tell(changes)
                let received = try face.received()
                #expect(received == [changes])
                let count = try face.numberOfItems(0)
                #expect(count == items.count)
            }
            // D14: afterwards no change arrives.
            try face.listen(false)
            try face.tell(.all)
            let rest = try face.received()
            #expect(rest.isEmpty)
        }
    }

    // MARK: - Sections

    @Test(
        "D22 D5 D11 D12 sections have their items and titles, nil if missing",
        arguments: SourceSide.allCases
    )
    func sections(way: SourceSide) throws {
        try sectioned(way) { face in
            let count = try face.numberOfSections()
            let counts = try (-1...6).map { try face.numberOfItems($0) }
            #expect(count == 6 && counts == [0, 2, 1, 0, 0, 1, 0, 0])
            let items = try [(0, 1), (1, 0), (4, 0), (0, 2), (2, 0), (-1, 0), (6, 0), (0, -1)].map {
                try face.item($0, $1)
            }
            #expect(items == ["b", "c", "d", nil, nil, nil, nil, nil])
            let headers = try (-1...6).map { try face.header($0) }
            #expect(headers == [nil, "A", "C", nil, nil, "D", nil, nil])
            let footers = try (-1...6).map { try face.footer($0) }
            #expect(footers == [nil, "first", nil, nil, nil, nil, nil, nil])
        }
    }

    @Test(
        "D22 D8 D9 D10 the next path continues over empty sections to the last item",
        arguments: SourceSide.allCases
    )
    func sectionsNext(way: SourceSide) throws {
        try sectioned(way) { face in
            let found = try [(0, 0), (0, 1), (1, 0), (2, -1), (4, 0), (-1, 0), (6, 0), (0, -2), (0, 1 << 40)]
                .map { try face.next($0, $1) }
            #expect(found == [[0, 1], [1, 0], [4, 0], [4, 0], nil, nil, nil, nil, [1, 0]])
        }
    }

    @Test(
        "D22 D2 D3 D16 changes of sections and items are reported in one array",
        arguments: SourceSide.allCases
    )
    func sectionChanges(way: SourceSide) throws {
        try sectioned(way) { face in
            try face.set([["a", "b"], ["c"], ["d"]])
            try face.tell(.all)
            try face.listen(true)
            let steps: [([[String]], ChangeSet)] = [
                ([["a", "b"], ["d"]], .some([.section(type: .delete(path(1, 0)))])),
                ([["e"], ["a", "b"], ["d"]], .some([.section(type: .insert(path(0, 0)))])),
                ([["a", "b"], ["d"], ["e"]], .some([.section(type: .move(path(0, 0), path(2, 0)))])),
                ([["a", "b"], ["d!"], ["e"]], .some([.section(type: .update(path(1, 0)))])),
                (
                    [["a"], ["d!", "b"], ["e", "f"]],
                    .some([.item(type: .insert(path(2, 1))), .item(type: .move(path(0, 1), path(1, 1)))])
                ),
            ]
            for (content, changes) in steps {
                try face.set(content)
                try face.tell(changes)
                let received = try face.received()
                #expect(received == [changes])
            }
        }
    }

    // MARK: - Fetched

    /// Returns a fetched source from a side, and a closure that changes the store and delivers the change.
    private func fetched(_ way: SourceSide, _ world: TurnWorld) throws -> FetchedSourceAPI {
        try world.store.createEntity(
            EntityDescription(
                name: "city",
                attributes: [AttributeDescription("country", .string), AttributeDescription("name", .string)]
            )
        )
        let face = FetchedSourceAPI(way: way, world: world)
        try face.make()
        return face
    }

    @Test(
        "D22 D13 a fetched source is empty before the fetch, and follows the sections afterwards",
        arguments: SourceSide.allCases
    )
    func fetchedReading(way: SourceSide) throws {
        let world = try TurnWorld()
        let fetched = try fetched(way, world)
        try world.store.write { transaction in
            for (country, name) in [("DE", "Bonn"), ("FR", "Lyon"), ("DE", "Ulm")] {
                try transaction.insert(into: "city", ["country": .string(country), "name": .string(name)])
            }
        }
        try world.turn { _ in
            let face = try fetched.required()
            let before = try [face.numberOfSections(), face.numberOfItems(0)]
            let item = try face.item(0, 0)
            let next = try face.next(0, 0)
            #expect(before == [0, 0] && item == nil && next == nil)
        }
        try fetched.fetch()
        try world.turn { _ in
            let face = try fetched.required()
            let counts = try [
                face.numberOfSections(), face.numberOfItems(0), face.numberOfItems(1), face.numberOfItems(2),
            ]
            #expect(counts == [2, 2, 1, 0])
            let items = try [(0, 0), (0, 1), (1, 0), (1, 1), (-1, 0)].map { try face.item($0, $1) }
            #expect(items == ["Bonn", "Ulm", "Lyon", nil, nil])
            let next = try [(0, 0), (0, 1), (1, 0)].map { try face.next($0, $1) }
            #expect(next == [[0, 1], [1, 0], nil])
            let headers = try [0, 1, 2].map { try face.header($0) }
            #expect(headers == ["DE", "FR", nil])
        }
    }

    @Test(
        "D22 D4 D14 D16 D17 D18 a fetched source reports each change once, sections first, and none when unregistered",
        arguments: SourceSide.allCases
    )
    func fetchedChanges(way: SourceSide) throws {
        let world = try TurnWorld()
        let fetched = try fetched(way, world)
        try fetched.fetch()
        try world.turn { _ in try fetched.required().listen(true) }
        func expect(_ changes: [ChangeSet], _ body: (any WriteTransaction) throws -> Void) throws {
            try fetched.change(body)
            try world.turn { _ in
                let received = try fetched.required().received()
                #expect(received == changes)
            }
        }
        let city = { (country: String, name: String) in
            ["country": AttributeValue.string(country), "name": AttributeValue.string(name)]
        }
        try expect([
            .some([
                .section(type: .insert(path(0, 0))), .section(type: .insert(path(1, 0))),
                .item(type: .insert(path(0, 0))), .item(type: .insert(path(0, 1))),
                .item(type: .insert(path(1, 0))),
            ])
        ]) { transaction in
            for (country, name) in [("DE", "Bonn"), ("FR", "Lyon"), ("DE", "Ulm")] {
                try transaction.insert(into: "city", city(country, name))
            }
        }
        // A row that ends as it began, and one that is not in the results, change nothing.
        try expect([]) { transaction in
            try transaction.update("city", id: 1, city("DE", "Berlin"))
            try transaction.update("city", id: 1, city("DE", "Bonn"))
        }
        try expect([.some([.item(type: .move(path(0, 0), path(0, 1)))])]) {
            try $0.update("city", id: 1, city("DE", "Worms"))
        }
        try expect([
            .some([.section(type: .delete(path(1, 0))), .item(type: .move(path(1, 0), path(0, 0)))])
        ]) { try $0.update("city", id: 2, city("DE", "Aachen")) }
        try expect([.some([.item(type: .delete(path(0, 0))), .item(type: .insert(path(0, 1)))])]) {
            transaction in
            try transaction.delete(from: "city", id: 2)
            try transaction.insert(into: "city", city("DE", "Vechta"))
        }
        try world.turn { _ in try fetched.required().listen(false) }
        try expect([]) { try $0.delete(from: "city", id: 1) }
    }

    // MARK: - Views and erasers

    @Test(
        "D22 D19 D20 a view applies the reported changes from each side as one batch, and redraws a moved item",
        arguments: SourceSide.allCases
    )
    func views(way: SourceSide) throws {
        try list(way) { face in
            try face.listen(true)
            try face.set([["c", "a", "x"]])
            try face.tell(
                .some([
                    .item(type: .move(path(0, 2), path(0, 0))), .item(type: .delete(path(0, 1))),
                    .item(type: .insert(path(0, 2))),
                ])
            )
            try face.tell(.all)
            let received = try face.received()
            let view = CountingView()
            var ended: [Bool] = []
            for changes in received { view.performUpdates(withChangeSet: changes) { ended.append($0) } }
            #expect(view.calls == ["batch", "move", "delete", "insert", "reload", "reloadData"])
            #expect(ended == [true, true])
        }
    }

    @Test(
        "D22 D15 D21 an eraser forwards to its source from any side, and a released source receives nothing",
        arguments: SourceSide.allCases
    )
    func erasers(way: SourceSide) throws {
        try TurnWorld().turn { context in
            switch way {
            case .swift, .swiftSeenFromScript:
                let source = TextList()
                source.items = ["a", "b"]
                let eraser = AnyListDataSource(dataSource: source)
                try context.showDataSource(eraser, named: "erased")
                try context.evaluate(
                    "globalThis.face = bridge.dataSource('erased'); globalThis.received = 0; face.onChange(() => received++)"
                )
                source.reloadBlock?(.all)
                let answers = try context.evaluate(
                    "[face.numberOfSections, face.item(0, 1), [...face].join(), face.count, received]"
                ).toValue()
                #expect(answers == [1, "b", "a,b", 2, 1])
            case .scriptSeenFromSwift:
                try context.evaluate(
                    "globalThis.handle = bridge.registerDataSource('list', { numberOfItems: 2, item: (s, i) => 'ab'[i] })"
                )
                weak var weakSource: ScriptDataSource?
                var received = 0
                do {
                    let source = try context.dataSource(named: "list")
                    weakSource = source
                    let eraser = AnyDataSource(dataSource: source)
                    eraser.reloadBlock = { _ in received += 1 }
                    #expect(eraser.item(at: path(0, 1)) == "b")
                    #expect(eraser.numberOfSections == 1 && eraser.numberOfItems(in: 0) == 2)
                    #expect(eraser.indexPath(after: path(0, 0)) == path(0, 1))
                    try context.evaluate("handle.reload()")
                    #expect(received == 1 && source.reloadBlock != nil)
                }
                #expect(weakSource == nil)
                try context.evaluate("handle.reload()")
                #expect(received == 1)
            }
        }
    }
}

/// A view that records the names of its calls.
private final class CountingView: BatchUpdatingView {
    private(set) var calls: [String] = []

    func performBatchUpdates(_ updates: (() -> Void)?, completion: ((Bool) -> Void)?) {
        calls.append("batch")
        updates?()
        completion?(true)
    }

    func reloadData() { calls.append("reloadData") }
    func insertSections(_ sections: IndexSet) { calls.append("insert sections") }
    func deleteSections(_ sections: IndexSet) { calls.append("delete sections") }
    func reloadSections(_ sections: IndexSet) { calls.append("reload sections") }
    func moveSection(_ section: Int, toSection newSection: Int) { calls.append("move section") }
    func insertItems(at indexPaths: [IndexPath]) { calls.append("insert") }
    func deleteItems(at indexPaths: [IndexPath]) { calls.append("delete") }
    func reloadItems(at indexPaths: [IndexPath]) { calls.append("reload") }
    func moveItem(at indexPath: IndexPath, to newIndexPath: IndexPath) { calls.append("move") }
}

/// A fetched source from one of the three sides, used over turns.
private final class FetchedSourceAPI {
    private let way: SourceSide
    private let world: TurnWorld
    private var face: SourceAPI?
    private var controller: FetchedResultsController?
    private var source: FetchedSource?

    private static let request = FetchRequest(
        entityName: "city",
        sortDescriptors: [FetchRequest.SortDescriptor("country"), FetchRequest.SortDescriptor("name")],
        sectionKeys: ["country"]
    )

    init(way: SourceSide, world: TurnWorld) {
        self.way = way
        self.world = world
    }

    func required() throws -> SourceAPI { try #require(face) }

    func make() throws {
        try world.turn { context in
            if way == .scriptSeenFromSwift {
                try context.evaluate(
                    """
                    globalThis.query = undefined;
                    globalThis.handle = bridge.registerDataSource("cities", {
                        numberOfSections: () => query?.numberOfSections ?? 0,
                        numberOfItems: section => query.numberOfItems(section),
                        window: (section, from, to) => query.window(section, from, to).map(row => row.name),
                        headerTitle: section => query.section(section).name,
                    });
                    globalThis.fetchCities = () => {
                        query = bridge.store().fetch("city", { sectionBy: "country", sort: ["country", "name"] });
                        query.onChange(changes => handle.reload([
                            ...changes.sections.map(change => ({ kind: "section", ...change })),
                            ...changes.items.filter(change => change.type !== "update" || !changes.items.some(other => other.type === "move" && other.id === change.id)),
                        ]));
                    };
                    """
                )
                face = SourceAPI(
                    of: try context.dataSource(named: "cities"),
                    text: \.stringValue,
                    set: { _ in }
                )
                return
            }
            let controller = try FetchedResultsController(fetchRequest: Self.request, store: world.store)
            let source = FetchedSource(controller)
            self.controller = controller
            self.source = source
            guard way == .swiftSeenFromScript else {
                face = SourceAPI(
                    of: source,
                    text: { row in
                        if case .string(let name)? = row["name"] { name } else { nil }
                    },
                    set: { _ in }
                )
                return
            }
            try context.showDataSource(source, named: "cities")
            try context.evaluate("globalThis.face = bridge.dataSource('cities')")
            face = SourceAPI(inScriptOf: context, member: "?.name", set: { _ in }, tell: { _ in })
        }
    }

    func fetch() throws {
        try world.turn { context in
            if way == .scriptSeenFromSwift {
                try context.evaluate("fetchCities()")
            } else {
                try controller?.performFetch()
            }
        }
    }

    /// Runs a transaction and delivers its changes.
    func change(_ body: (any WriteTransaction) throws -> Void) throws {
        try world.turn { _ in
            try world.store.write(body)
            controller?.processPendingChanges()
        }
    }
}
