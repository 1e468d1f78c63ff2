import BenchmarkHarness
import DataSources
import Foundation
import Stores
import Synchronization

/// Differences that are derived from a store's change feed instead of a comparison of two states.
@MainActor let logCases = [
    BenchmarkCase(
        "diff.1M.log",
        baseline: "one pass over two arrays of 1,000,000 keys that compares them element by element",
        granularity: 2,
        wanted: 0.3
    ) {
        let feed = FeedStore(count: 1_000_000)
        let controller = try feed.controller()
        let there = feed.changes()
        let back = there.map { TransactionChanges.RowChange(id: $0.id, old: $0.new, new: $0.old) }
        let old = (0..<Int64(feed.count)).map { $0 }
        var new = old
        for index in stride(from: 0, to: new.count, by: 1_000) { new[index] += 1 }
        var delivered = 0
        controller.onChange = { changes in
            guard case .some(let list) = changes.changeSet else { return }
            delivered += list.count
        }
        let size = try feed.changeSetSize(there, back, controller) {
            defer { delivered = 0 }
            return delivered
        }
        return Contest(
            plain: .synchronous { operations in
                var different = 0
                for _ in 0..<operations {
                    different += countDifferences(opaque(old), opaque(new)) == 1_000 ? size / 2 : 0
                }
                return Outcome(Double(different))
            },
            ours: .synchronous { operations in
                delivered = 0
                for operation in 0..<operations {
                    feed.commit(operation % 2 == 0 ? there : back)
                    controller.processPendingChanges()
                }
                return Outcome(Double(delivered))
            },
            expected: { Double($0 / 2 * size) }
        )
    },
    BenchmarkCase(
        "diff.minimal",
        baseline: "what is counted: our changes divided by the fewest that lead from the old rows to the new",
        figure: .amount("of the minimum"),
        granularity: 2,
        wanted: 1
    ) {
        let feed = FeedStore(count: 20_000)
        let controller = try feed.controller()
        let old = controller.fetchedObjectIDs ?? []
        var found: Difference?
        controller.onChange = { found = $0 }
        feed.commit(feed.changes())
        controller.processPendingChanges()
        let new = controller.fetchedObjectIDs ?? []
        let log = Double(found.map(structuralChanges) ?? 0)
        let compared = Double(
            structuralChanges(
                try KeyedDiff.difference(from: SectionedKeys(old), to: SectionedKeys(new))
            )
        )
        let minimum = Double(fewestChanges(old, new))
        return Contest(
            plain: nil,
            ours: .synchronous { Outcome(Double($0), amount: max(log, compared) / minimum) },
            expected: { Double($0) }
        )
    },
]

private func structuralChanges(_ difference: Difference) -> Int {
    difference.deletes.count + difference.inserts.count + difference.moves.count
}

/// Returns the smallest number of deletes, inserts and moves by the textbook method: the deleted and inserted rows, and
/// of the others all that are not in a longest increasing subsequence, found by patience sorting.
private func fewestChanges(_ old: [Int64], _ new: [Int64]) -> Int {
    let places = Dictionary(uniqueKeysWithValues: new.enumerated().map { ($1, $0) })
    let staying = old.compactMap { places[$0] }
    var piles: [Int] = []
    for place in staying {
        let pile = piles.firstIndex { $0 > place } ?? piles.count
        if pile == piles.count { piles.append(place) } else { piles[pile] = place }
    }
    return old.count + new.count - 2 * staying.count + staying.count - piles.count
}

// Not optimized for its arguments, because the pass must be made each time.
@inline(never) @_optimize(none)
private func opaque(_ keys: [Int64]) -> [Int64] { keys }

@inline(never)
private func countDifferences(_ old: [Int64], _ new: [Int64]) -> Int {
    var count = 0
    for index in old.indices where old[index] != new[index] { count += 1 }
    return count
}

/// A store without a database, with rows by a rule.
///
/// It passes changes to observers as a commit would.
private final class FeedStore: Store {
    let identifier = UUID()
    let count: Int
    private let state = Mutex((version: 0, observer: (@Sendable (TransactionChanges) -> Void)?.none))

    init(count: Int) { self.count = count }

    var entities: [String: EntityDescription] {
        ["row": EntityDescription(name: "row", attributes: [AttributeDescription("rank", .integer)])]
    }

    func controller() throws -> FetchedResultsController {
        let request = FetchRequest(
            entityName: "row",
            sortDescriptors: [FetchRequest.SortDescriptor("rank")]
        )
        let controller = try FetchedResultsController(fetchRequest: request, store: self)
        controller.onChange = { _ in }
        try controller.performFetch()
        return controller
    }

    /// Creates a thousand changes all over: a third each deleted, inserted and moved.
    func changes() -> [TransactionChanges.RowChange] {
        var random = FixedGenerator()
        var changes: [TransactionChanges.RowChange] = []
        var used: Set<Int> = []
        func rank() -> [AttributeValue] {
            [.integer(Int64.random(in: 0..<Int64(count) * 10, using: &random))]
        }
        while used.count < 667 {
            let row = Int.random(in: 0..<count, using: &random)
            guard used.insert(row).inserted else { continue }
            let isDeleted = used.count <= 333
            changes.append(.init(id: Int64(row), old: values(row), new: isDeleted ? nil : rank()))
        }
        for row in count..<count + 333 { changes.append(.init(id: Int64(row), old: nil, new: rank())) }
        return changes.sorted { $0.id < $1.id }
    }

    /// Returns the number of changes in both change sets together, computed once.
    func changeSetSize(
        _ there: [TransactionChanges.RowChange],
        _ back: [TransactionChanges.RowChange],
        _ controller: FetchedResultsController,
        _ delivered: () -> Int
    ) throws -> Int {
        for changes in [there, back] {
            commit(changes)
            controller.processPendingChanges()
        }
        return delivered()
    }

    func commit(_ changes: [TransactionChanges.RowChange]) {
        let (version, observer) = state.withLock { state in
            state.version += 1
            return (state.version, state.observer)
        }
        observer?(TransactionChanges(version: version, changes: ["row": changes]))
    }

    private func values(_ row: Int) -> [AttributeValue] { [.integer(Int64(row) * 10 + 5)] }

    // MARK: - Store

    func createEntity(_ entity: EntityDescription) throws {
        throw StoreError(.failed, "a feed has its entity")
    }

    func read<Result>(_ body: (any ReadTransaction) throws -> Result) throws -> Result {
        try body(Reading(store: self, version: state.withLock(\.version)))
    }

    func write<Result>(_ body: (any WriteTransaction) throws -> Result) throws -> Result {
        throw StoreError(.failed, "a feed is not written")
    }

    func observe(_ observer: @escaping @Sendable (TransactionChanges) -> Void) -> StoreObservation {
        state.withLock { $0.observer = observer }
        return StoreObservation {}
    }

    private struct Reading: ReadTransaction {
        let store: FeedStore
        let version: Int

        func scan(
            _ request: FetchRequest,
            attributes: [String],
            _ body: (RowID, [AttributeValue]) throws -> Void
        ) throws {
            for row in 0..<store.count { try body(Int64(row), store.values(row)) }
        }

        func fetch(_ request: FetchRequest) throws -> [Stores.Row] { [] }

        func count(_ request: FetchRequest) throws -> Int { store.count }

        func rows(of entityName: String, ids: [RowID]) throws -> [Stores.Row?] { ids.map { _ in nil } }
    }
}
