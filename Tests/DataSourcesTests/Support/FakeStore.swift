import Foundation
import Stores
import Synchronization

/// A store of plain dictionaries and sorted arrays, with its own evaluation of requests, which fetched results are
/// compared with.
final class FakeStore: Store {
    typealias Table = [RowID: [AttributeValue]]

    struct State {
        var version = 0
        var nextID: RowID = 1
        var tables: [String: Table] = [:]
        var observers: [Int: @Sendable (TransactionChanges) -> Void] = [:]
        var nextObserver = 0
        /// A closure that is called once, before the next read takes its state.
        var beforeRead: (@Sendable () -> Void)?
        /// A closure that is called once, in the middle of the next scan.
        var duringScan: (@Sendable () -> Void)?
        var failsReads = false
    }

    let identifier = UUID()
    let entities: [String: EntityDescription]
    let state = Mutex(State())
    // Held during a whole write, so that observers are notified of commits in their order.
    private let writing = NSRecursiveLock()

    init(_ entities: EntityDescription...) {
        self.entities = Dictionary(uniqueKeysWithValues: entities.map { ($0.name, $0) })
    }

    func createEntity(_ entity: EntityDescription) throws {
        throw StoreError(.failed, "a fake store has its entities")
    }

    func read<Result>(_ body: (any ReadTransaction) throws -> Result) throws -> Result {
        guard !state.withLock(\.failsReads) else { throw StoreError(.cannotOpen, "the fake store fails") }
        let hook = state.withLock { state in
            defer { state.beforeRead = nil }
            return state.beforeRead
        }
        hook?()
        return try body(FakeTransaction(self, state.withLock { ($0.version, $0.nextID, $0.tables) }))
    }

    func write<Result>(_ body: (any WriteTransaction) throws -> Result) throws -> Result {
        writing.lock()
        defer { writing.unlock() }
        let before = state.withLock { ($0.version, $0.nextID, $0.tables) }
        let transaction = FakeTransaction(self, before)
        let result = try body(transaction)
        let changes = Self.changes(from: before.2, to: transaction.tables)
        let observers = state.withLock { state in
            state.nextID = transaction.nextID
            state.tables = transaction.tables
            if !changes.isEmpty { state.version += 1 }
            return changes.isEmpty ? [] : Array(state.observers.values)
        }
        for observer in observers { observer(TransactionChanges(version: before.0 + 1, changes: changes)) }
        return result
    }

    func observe(_ observer: @escaping @Sendable (TransactionChanges) -> Void) -> StoreObservation {
        let key = state.withLock { state in
            state.nextObserver += 1
            state.observers[state.nextObserver] = observer
            return state.nextObserver
        }
        return StoreObservation { [weak self] in self?.state.withLock { $0.observers[key] = nil } }
    }

    private static func changes(
        from old: [String: Table],
        to new: [String: Table]
    ) -> [String: [TransactionChanges.RowChange]] {
        var changes: [String: [TransactionChanges.RowChange]] = [:]
        for name in Set(old.keys).union(new.keys) {
            let before = old[name] ?? [:]
            let after = new[name] ?? [:]
            let changed = Set(before.keys).union(after.keys).filter { id in
                !isShared(before[id], after[id]) && bytes(before[id]) != bytes(after[id])
            }
            let rows = changed.sorted().map { id in
                TransactionChanges.RowChange(id: id, old: before[id], new: after[id])
            }
            if !rows.isEmpty { changes[name] = rows }
        }
        return changes
    }

    /// Returns whether two arrays are one in memory, as for a row that the transaction did not write: comparing all rows
    /// of a table after each write took a tenth of the time of the tests.
    private static func isShared(_ old: [AttributeValue]?, _ new: [AttributeValue]?) -> Bool {
        guard let old, let new, !old.isEmpty else { return false }
        return old.withUnsafeBufferPointer { old in
            new.withUnsafeBufferPointer { $0.baseAddress == old.baseAddress }
        }
            && old.count == new.count
    }

    /// Strings are compared by bytes, which `==` of `String` does not do.
    private static func bytes(_ values: [AttributeValue]?) -> [[UInt8]]? {
        values?.map { Array("\($0.isNull)\($0)".utf8) }
    }
}

final class FakeTransaction: WriteTransaction {
    let version: Int
    var nextID: RowID
    var tables: [String: FakeStore.Table]
    private let store: FakeStore

    init(_ store: FakeStore, _ state: (Int, RowID, [String: FakeStore.Table])) {
        self.store = store
        (version, nextID, tables) = state
    }

    func fetch(_ request: FetchRequest) throws -> [Row] {
        let entity = try entity(request.entityName)
        let sorted = (tables[request.entityName] ?? [:]).filter {
            Self.holds(request.predicate, $0.value, entity)
        }
        .sorted { Self.isBefore($0, $1, request.sortDescriptors, entity) }
        return sorted.dropFirst(request.fetchOffset).prefix(request.fetchLimit ?? .max)
            .map { Row(id: $0.key, values: $0.value, entity: entity) }
    }

    func count(_ request: FetchRequest) throws -> Int { try fetch(request).count }

    func rows(of entityName: String, ids: [RowID]) throws -> [Row?] {
        let entity = try entity(entityName)
        return ids.map { id in
            tables[entityName]?[id].map { Row(id: id, values: $0, entity: entity) }
        }
    }

    func scan(
        _ request: FetchRequest,
        attributes: [String],
        _ body: (RowID, [AttributeValue]) throws -> Void
    ) throws {
        let hook = store.state.withLock { state in
            defer { state.duringScan = nil }
            return state.duringScan
        }
        let rows = try fetch(request)
        for (number, row) in rows.enumerated() {
            if number == rows.count / 2 { hook?() }
            try body(row.id, attributes.map { row[$0] ?? .null })
        }
    }

    func insert(into entityName: String, _ values: [String: AttributeValue]) throws -> RowID {
        let entity = try entity(entityName)
        let id = nextID
        nextID += 1
        tables[entityName, default: [:]][id] = entity.attributes.map { values[$0.name] ?? .null }
        return id
    }

    func update(_ entityName: String, id: RowID, _ values: [String: AttributeValue]) throws -> Bool {
        let entity = try entity(entityName)
        guard tables[entityName]?[id] != nil else { return false }
        for (name, value) in values {
            guard let index = entity.index(of: name) else {
                throw StoreError(.schema, "no attribute \(name)")
            }
            tables[entityName]?[id]?[index] = value
        }
        return true
    }

    func delete(from entityName: String, id: RowID) throws -> Bool {
        tables[entityName]?.removeValue(forKey: id) != nil
    }

    func upsert(into entityName: String, by: String, _ values: [String: AttributeValue]) throws -> RowID {
        throw StoreError(.failed, "a fake store cannot upsert")
    }

    func savepoint<Result>(_ body: () throws -> Result) throws -> Result {
        let before = tables
        do { return try body() } catch {
            tables = before
            throw error
        }
    }

    private func entity(_ name: String) throws -> EntityDescription {
        guard let entity = store.entities[name] else { throw StoreError(.schema, "no entity \(name)") }
        return entity
    }

    // MARK: - Requests, evaluated independently

    private static func isBefore(
        _ left: (key: RowID, value: [AttributeValue]),
        _ right: (key: RowID, value: [AttributeValue]),
        _ sort: [FetchRequest.SortDescriptor],
        _ entity: EntityDescription
    ) -> Bool {
        for step in sort {
            let index = entity.index(of: step.key) ?? 0
            let (a, b) = (orderKey(left.value[index]), orderKey(right.value[index]))
            guard a != b else { continue }
            return a.lexicographicallyPrecedes(b) == step.ascending
        }
        return left.key < right.key
    }

    /// Returns integers whose lexicographic order is the order of values: a rank, then the value.
    private static func orderKey(_ value: AttributeValue) -> [Int64] {
        switch value {
        case .null: [0]
        case .boolean(let flag): [1, flag ? 1 : 0]
        case .integer(let number): [1, number]
        case .string(let text): [2] + text.utf8.map(Int64.init)
        case .double, .date, .data: fatalError("the tests use no \(value)")
        }
    }

    private static func holds(
        _ predicate: FetchPredicate?,
        _ values: [AttributeValue],
        _ entity: EntityDescription
    ) -> Bool {
        switch predicate {
        case nil: return true
        case .and(let parts): return parts.filter { !holds($0, values, entity) }.isEmpty
        case .or(let parts): return !parts.filter { holds($0, values, entity) }.isEmpty
        case .idIsIn, .related, .relatedCount: fatalError("a fake store has rows without relations")
        case .not(let part): return !holds(part, values, entity)
        case .isIn(let name, let list):
            return list.map(orderKey).contains(orderKey(values[entity.index(of: name) ?? 0]))
        case .compare(let name, let comparison, let value):
            let (a, b) = (orderKey(values[entity.index(of: name) ?? 0]), orderKey(value))
            let bothThere = a != [0] && b != [0]
            let bothTexts = a[0] == 2 && b[0] == 2
            return switch comparison {
            case .equal: a == b
            case .notEqual: a != b
            case .lessThan: bothThere && a.lexicographicallyPrecedes(b)
            case .lessThanOrEqual: bothThere && !b.lexicographicallyPrecedes(a)
            case .greaterThan: bothThere && b.lexicographicallyPrecedes(a)
            case .greaterThanOrEqual: bothThere && !a.lexicographicallyPrecedes(b)
            case .beginsWith: bothTexts && Array(a.prefix(b.count)) == b
            case .contains:
                bothTexts
                    && (0..<a.count).contains {
                        Array(a[$0...].dropFirst().prefix(b.count - 1)) == Array(b.dropFirst())
                    }
            }
        }
    }
}
