internal import Foundation
public import Stores
internal import Synchronization

/// The rows of an entity of a store, in the order of their identities.
///
/// Commits of the store are reported as changes. The identities of all rows are kept in memory.
public final class StoreTable: TableSource {
    /// The name of the entity.
    public let name: String
    /// The attributes.
    public let columns: [TableColumn]
    /// The number of rows in the first block.
    public let firstRowCount: Int

    private let store: any Store
    private let attributes: [String]

    private struct State {
        /// The identities by row number; `nil` for deleted rows.
        var ids: [RowID?]
        /// The row numbers by identity, only after all rows were found.
        var numbers: [RowID: Int] = [:]
        var blocks = RowBlocks()
        var loading = Loading.unfinished
        /// Set when the first observer has received the waiting commits.
        var isObserved = false
        /// The number of reported changes, by which a read notices one.
        var changeCount = 0
        /// The version that the rows were found in, and the changes that were committed before the first observer.
        var version = 0
        var waiting: [TransactionChanges] = []
        var handler: (@Sendable (TableChange) -> Void)?
    }
    private enum Loading {
        case unfinished, complete, failed
    }
    private let state: Mutex<State>
    private let observation: Mutex<StoreObservation?>

    /// Opens the rows of an entity, and reads the first ones.
    ///
    /// - Throws: ``StoreError`` if the store has no such entity, or cannot be read.
    public init(store: any Store, entityName: String) throws {
        guard let entity = store.entities[entityName] else {
            let names = store.entities.keys.sorted().joined(separator: ", ")
            throw StoreError(
                .schema,
                "the store has no entity '\(entityName)'; it has \(names.isEmpty ? "none" : names)"
            )
        }
        name = entityName
        attributes = entity.attributes.map(\.name)
        columns = attributes.map { TableColumn($0) }
        self.store = store
        var ids: [RowID?] = []
        try store.read { transaction in
            let request = FetchRequest(entityName: entityName, fetchLimit: RowBlocks.length)
            try transaction.scan(request, attributes: []) { id, _ in ids.append(id) }
        }
        firstRowCount = ids.count
        state = Mutex(State(ids: ids))
        observation = Mutex(nil)
        // Before the rows are found, so that no commit is missed.
        let token = store.observe { [weak self] changes in self?.receive(changes) }
        observation.withLock { $0 = token }
    }

    /// Finds the identities of all rows.
    public func load(_ report: (TableLoad) -> Bool) throws {
        var ids: [RowID?] = []
        var isStopped = false
        struct Stop: Error {}
        do {
            try store.read { transaction in
                let version = transaction.version
                state.withLock { $0.version = version }
                let total = try transaction.count(FetchRequest(entityName: name))
                ids.reserveCapacity(total)
                var next = TableLoad.nextReport(after: 0)
                try transaction.scan(FetchRequest(entityName: name), attributes: []) { id, _ in
                    ids.append(id)
                    guard ids.count == next else { return }
                    next = TableLoad.nextReport(after: ids.count)
                    state.withLock { $0.ids = ids }
                    let progress = Double(ids.count) / Double(max(1, total))
                    isStopped = !report(TableLoad(rowCount: ids.count, progress: progress))
                    if isStopped { throw Stop() }
                }
            }
        } catch {
            // The numbers of the rows stay unknown, so commits cannot be reported.
            state.withLock { state in
                state.loading = .failed
                state.waiting = []
            }
            if error is Stop { return }
            throw error
        }
        state.withLock { state in
            state.ids = ids
            state.blocks.removeAll()
            for (number, id) in ids.enumerated() { if let id { state.numbers[id] = number } }
            state.loading = .complete
        }
        _ = report(TableLoad(rowCount: ids.count, progress: 1))
    }

    /// Returns the values of a row as strings.
    public func row(_ number: Int) throws -> [String] {
        let block = number / RowBlocks.length
        let (known, ids, changes) = state.withLock { state in
            let range = block * RowBlocks.length..<min(state.ids.count, (block + 1) * RowBlocks.length)
            return (state.blocks.row(number), range.isEmpty ? [] : Array(state.ids[range]), state.changeCount)
        }
        if let known { return known }
        // Not while the lock is held: a commit waits for this object to receive it.
        let rows = try store.read { try $0.rows(of: name, ids: ids.compactMap { $0 }) }
        var found = rows.makeIterator()
        let strings = ids.map { id -> [String] in
            guard id != nil, let row = found.next() ?? nil else { return [] }
            return row.values.map(Self.string)
        }
        state.withLock { state in
            // Rows that were read before a commit are not kept.
            if state.changeCount == changes { state.blocks.insert(strings, block: block) }
        }
        let offset = number % RowBlocks.length
        return offset < strings.count ? strings[offset] : []
    }

    /// Calls a closure for the rows of a range.
    public func scan(_ range: Range<Int>, _ body: (Int, any TableFields) throws -> Bool) throws {
        let ids = state.withLock { $0.ids }
        // In parts, so that rows that were committed after the first ones are found too.
        var start = range.lowerBound
        let end = min(range.upperBound, ids.count)
        while start < end {
            let part = start..<min(end, start + 512)
            let present = part.filter { ids[$0] != nil }
            let rows = try store.read { try $0.rows(of: name, ids: present.compactMap { ids[$0] }) }
            for (number, row) in zip(present, rows) {
                guard let row else { continue }
                guard try body(number, StringFields(strings: row.values.map(Self.string))) else { return }
            }
            start = part.upperBound
        }
    }

    /// Returns the identity of the row in its store.
    public func identifier(ofRow number: Int) -> String? {
        state.withLock { state in
            state.ids.indices.contains(number) ? state.ids[number].map { String($0) } : nil
        }
    }

    /// Returns the row of an identity, once all rows were found.
    public func row(withIdentifier identifier: String) -> Int? {
        RowID(identifier).flatMap { id in state.withLock { $0.numbers[id] } }
    }

    // MARK: - Changes

    /// Calls a closure for each commit that changed the entity since all rows were found.
    public func observe(_ handler: @escaping @Sendable (TableChange) -> Void) -> AnyObject? {
        // In the order of the commits: later ones wait until the earlier ones were reported.
        while true {
            let waiting = state.withLock { state in
                if state.waiting.isEmpty {
                    state.isObserved = true
                    state.handler = handler
                }
                defer { state.waiting = [] }
                return state.waiting
            }
            guard !waiting.isEmpty else { break }
            for changes in waiting {
                if let change = state.withLock({ Self.apply(changes, of: name, to: &$0) }) { handler(change) }
            }
        }
        return StoreObservation { [weak self] in self?.state.withLock { $0.handler = nil } }
    }

    private func receive(_ changes: TransactionChanges) {
        guard changes.changes[name] != nil else { return }
        let report = state.withLock { state -> (TableChange, @Sendable (TableChange) -> Void)? in
            state.changeCount += 1
            guard state.loading == .complete, state.isObserved else {
                state.blocks.removeAll()
                if state.loading != .failed { state.waiting.append(changes) }
                return nil
            }
            guard let change = Self.apply(changes, of: name, to: &state) else { return nil }
            return state.handler.map { (change, $0) }
        }
        if let (change, handler) = report { handler(change) }
    }

    /// Applies a commit, and returns its change; `nil` if the rows already contain it or it changed none of them.
    private static func apply(
        _ changes: TransactionChanges,
        of name: String,
        to state: inout State
    ) -> TableChange? {
        guard let rows = changes.changes[name], changes.version > state.version else { return nil }
        state.version = changes.version
        var change = TableChange(rowCount: 0)
        for row in rows { apply(row, to: &state, &change) }
        change.rowCount = state.ids.count
        return change
    }

    private static func apply(
        _ row: TransactionChanges.RowChange,
        to state: inout State,
        _ change: inout TableChange
    ) {
        switch (state.numbers[row.id], row.new) {
        case (let number?, nil):
            state.numbers[row.id] = nil
            state.ids[number] = nil
            state.blocks.remove(number)
            change.deleted.append(number)
        case (let number?, _?):
            state.blocks.remove(number)
            change.updated.append(number)
        case (nil, _?):
            let number = state.ids.count
            state.ids.append(row.id)
            state.numbers[row.id] = number
            state.blocks.remove(number)
            change.inserted.append(number)
        case (nil, nil): break
        }
    }

    // MARK: - Values

    private static func string(_ value: AttributeValue) -> String {
        switch value {
        case .null: ""
        case .boolean(let flag): flag ? "true" : "false"
        case .integer(let number): String(number)
        case .double(let number): String(number)
        case .string(let string): string
        case .date(let date): date.formatted(.iso8601)
        case .data(let data): "\(data.count) bytes"
        }
    }
}
