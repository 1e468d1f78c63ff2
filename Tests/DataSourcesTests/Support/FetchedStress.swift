import DataSources
import Stores
import TestSupport

/// Random transactions on a store, with the six checks of the well-known stress test on a controller after each.
///
/// The order is right, the rows equal a fresh fetch, the sections are right, they are consistent, none is empty, and
/// the change set applied to the old rows gives the new ones. It accepts any store that has the entity `city`, so that
/// a backend's tests can run it too.
struct FetchedStress {
    let request: FetchRequest

    init(_ request: FetchRequest) { self.request = request }

    /// Runs 40 rounds; returns a description of the first problem, or `nil`.
    func run(on store: any Store, seed: UInt64) throws -> String? {
        var random = SeededGenerator(seed: seed)
        for _ in 0..<random.int(0..<5) { try transaction(store, &random) }
        let controller = try FetchedResultsController(fetchRequest: request, store: store)
        let source = FetchedSource(controller)
        var deliveries: [Difference] = []
        var changeSets: [ChangeSet] = []
        controller.onChange = { deliveries.append($0) }
        source.reloadBlock = { changeSets.append($0) }
        try controller.performFetch()
        var model = Model()
        var shown = model.state(of: try store.read { try $0.fetch(request) }, request)
        for round in 0..<40 {
            for _ in 0..<(random.chance(70) ? 1 : random.int(2..<90)) { try transaction(store, &random) }
            let rows = try shown.items.isEmpty ? [] : controller.window(section: 0, 0..<2)
            guard rows.allSatisfy({ $0 != nil }) else {
                return "round \(round): a shown row is gone before processing"
            }
            deliveries = []
            changeSets = []
            let isDelivered = controller.processPendingChanges()
            let fresh = try store.read { try $0.fetch(request) }
            let now = model.state(of: fresh, request)
            if let problem = check(controller, fresh, now, request) { return "round \(round): \(problem)" }
            guard isDelivered == (now != shown), deliveries.count == (isDelivered ? 1 : 0),
                changeSets.count == deliveries.count
            else {
                return "round \(round): \(deliveries.count) deliveries and \(changeSets.count) change sets"
            }
            if let delivery = deliveries.first, let changes = changeSets.first {
                let found = DifferenceOracle(old: shown, new: now).violations(delivery)
                guard found.isEmpty else { return "round \(round): \(found)" }
                guard try delivery.positions == KeyedDiff.packed(shown, now) else {
                    return "round \(round): X8 comparing all rows gives another difference"
                }
                if let problem = check(delivery, shown, now) { return "round \(round): \(problem)" }
                let result = try changes.applied(to: shown, arrivingFrom: now) { $0.id == $1.id }
                guard result == now else {
                    return "round \(round): the delegate's change set does not give the rows"
                }
            }
            shown = now
        }
        return nil
    }

    /// Checks whether the identities and values of a delivery are those of the rows at its paths.
    private func check(_ delivery: Difference, _ old: State, _ new: State) -> String? {
        func id(_ path: ItemPath, _ state: State) -> RowID {
            state[Int(path.section)].items[Int(path.item)].id
        }
        let difference = delivery
        guard delivery.deletedIDs == difference.deletes.map({ id($0, old) }),
            delivery.insertedIDs == difference.inserts.map({ id($0, new) }),
            delivery.movedIDs == difference.moves.map({ id($0.old, old) }),
            delivery.updatedIDs == difference.updates.map({ id($0.new, new) })
        else { return "a path has another row's identity" }
        for id in delivery.updatedIDs {
            guard let change = delivery.values(of: id), !change.changedAttributes.isEmpty else {
                return "an updated row has no changed attributes"
            }
        }
        return nil
    }

    /// Performs the six checks except the last: order, fresh fetch, sections, consistency, no empty section.
    private func check(
        _ controller: FetchedResultsController,
        _ fresh: [Row],
        _ now: State,
        _ request: FetchRequest
    ) -> String? {
        guard controller.fetchedObjectIDs == fresh.map(\.id) else {
            return "not the rows of a fresh fetch, in order"
        }
        guard let sections = controller.sections else { return "no sections" }
        guard sections.map({ Array($0.objectIDs) }) == now.map({ $0.items.map(\.id) }) else {
            return "wrong sections"
        }
        guard sections.allSatisfy({ $0.numberOfObjects == $0.objectIDs.count }) else { return "wrong counts" }
        if request.sectionKeys.isEmpty {
            guard sections.count == 1 else { return "not exactly one section" }
        } else {
            guard sections.allSatisfy({ $0.numberOfObjects > 0 }) else { return "an empty section" }
        }
        for row in fresh {
            guard let path = controller.indexPath(forObject: row.id), controller.rowID(at: path) == row.id
            else {
                return "the path of row \(row.id) does not lead to it"
            }
        }
        for (index, section) in sections.enumerated() {
            let rows = try? controller.window(section: index, 0..<section.numberOfObjects)
            guard
                rows?.map({ $0.map(Model.content) })
                    == fresh.filter({ section.objectIDs.contains($0.id) }).map(Model.content)
            else { return "the window of section \(index) has other values" }
        }
        return nil
    }

    private func transaction(_ store: any Store, _ random: inout SeededGenerator) throws {
        try store.write { transaction in
            let ids = try transaction.fetch(FetchRequest(entityName: "city")).map(\.id)
            if random.chance(2) { for id in ids { try transaction.delete(from: "city", id: id) } }
            for _ in 0..<(random.chance(80) ? random.int(0..<4) : random.int(0..<20)) {
                switch random.int(0..<10) {
                case 0...3: try transaction.insert(into: "city", values(&random))
                case 4, 5:
                    if let id = ids.randomElement(using: &random) {
                        try transaction.delete(from: "city", id: id)
                    }
                default:
                    guard let id = ids.randomElement(using: &random) else { continue }
                    let changed = values(&random).filter { _ in random.chance(40) }
                    try transaction.update("city", id: id, changed)
                }
            }
        }
    }

    /// Returns one of few values, so that ties, empty sections and equal names are common.
    private func values(_ random: inout SeededGenerator) -> [String: AttributeValue] {
        // The last two are equal to `==`, but differ in bytes.
        let names = ["a", "b", "d", "e", "f", "xyz", "Z", "", "\u{E9}", "e\u{301}"]
        return [
            "country": random.chance(15)
                ? .null : .string(["A", "B", "C", "\u{E9}", "e\u{301}"][random.int(0..<5)]),
            "region": random.chance(15) ? .null : .integer(Int64(random.int(-1..<2))),
            "name": random.chance(10) ? .null : .string(names[random.int(0..<names.count)]),
            "note": .string(["x", "y", "yx"][random.int(0..<3)]),
        ]
    }
}

/// A conversion of rows into the states of the differ's oracle: sections and contents get numbers by their bytes.
private struct Model {
    private var sections: [[[UInt8]]: Int] = [:]
    private var contents: [[[UInt8]]: Int] = [:]

    static func content(_ row: Row) -> [[UInt8]] { row.values.map { Array("\($0.isNull)\($0)".utf8) } }

    mutating func state(of rows: [Row], _ request: FetchRequest) -> State {
        var state: State = request.sectionKeys.isEmpty ? [SectionSnapshot(key: -1, items: [])] : []
        for row in rows {
            let content = Self.content(row)
            let key = request.sectionKeys.map { content[row.entity.index(of: $0) ?? 0] }
            let number = key.isEmpty ? -1 : sections[key, default: sections.count]
            if !key.isEmpty { sections[key] = number }
            if state.last?.key != number { state.append(SectionSnapshot(key: number, items: [])) }
            let stamp = contents[content, default: contents.count]
            contents[content] = stamp
            state[state.count - 1].items.append(TestRow(id: row.id, stamp: stamp))
        }
        return state
    }
}

extension State {
    fileprivate var items: [TestRow] { flatMap(\.items) }
}
