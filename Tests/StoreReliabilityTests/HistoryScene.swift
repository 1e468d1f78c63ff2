import Foundation
import Stores
import StoresSQLite
import Synchronization

/// A store with a history, a second store on the same file in place of another process, and all reports of the first
/// one.
///
/// History operations run on it.
final class HistoryScene {
    let path: String
    private(set) var store: SQLiteStore
    private(set) var other: SQLiteStore
    private(set) var follower: HistoryFollower
    /// The position in the history before the operation.
    let start: StoreHistoryToken
    /// The rows of the store at that position.
    let rows: [RowID: [AttributeValue]]
    /// The numbers of the acknowledged transactions, whose write returned.
    private(set) var acknowledged: Set<Int64> = []
    /// The numbers of the refused transactions, whose write threw.
    private(set) var refused: Set<Int64> = []
    /// The reported reasons why the history was incomplete.
    private(set) var missed: [MissedHistory] = []

    init(path: String, changeLimit: Int) throws {
        self.path = path
        store = try Self.open(path, changeLimit)
        other = try Self.open(path, 100_000, author: "other")
        follower = try HistoryFollower(store)
        start = try store.currentHistoryToken()
        rows = follower.rows
    }

    /// Opens a store that follows others only on request, so that calls always have the same order.
    static func open(_ path: String, _ changeLimit: Int = 100_000, author: String = "own") throws
        -> SQLiteStore
    {
        var configuration = SQLiteConfiguration()
        configuration.checkpointPages = 12
        configuration.busyTimeoutMilliseconds = 0
        return try SQLiteStore(
            location: .file(path),
            configuration: configuration,
            history: HistoryOptions(author: author, changeLimit: changeLimit, followsOtherProcesses: false)
        )
    }

    /// Creates the database that operations start with.
    static func makeStart(in folder: TemporaryFolder) throws -> String {
        let path = folder.file("history.db")
        let store = try open(path)
        try store.createEntity(StoreOperation.person)
        for index in 0..<12 {
            try store.write { try $0.insert(into: "person", StoreOperation.values(index)) }
        }
        try store.close()
        return path
    }

    /// Commits a transaction of several rows under a number, and records the outcome.
    func commit(_ number: Int64, by store: SQLiteStore? = nil) throws {
        do {
            try (store ?? self.store).write { transaction in
                for half in 0..<2 { try transaction.insert(into: "person", Self.values(number, half)) }
                try transaction.update("person", id: number % 10 + 1, ["city": .string("city \(number)")])
                try transaction.delete(from: "person", id: 12)
            }
            acknowledged.insert(number)
        } catch {
            refused.insert(number)
            throw error
        }
    }

    private static func values(_ number: Int64, _ half: Int) -> [String: AttributeValue] {
        ["name": .string("commit \(number) \(half)"), "age": .integer(number), "city": .string("new")]
    }

    /// Reads the history since the start, and checks that it produces the current rows.
    func readHistory(excludingAuthor author: String? = nil) throws {
        switch try store.fetchHistory(after: start, excludingAuthor: author) {
        case .missed(let reason, _): missed.append(reason)
        case .transactions(let transactions, _):
            var mirror = rows
            guard author == nil else { return }
            for transaction in transactions { try HistoryFollower.apply(transaction.changes, to: &mirror) }
            guard try mirror == Self.content(of: path) else {
                throw HistoryFollower.WrongFeed(
                    "the history since the start does not produce the current rows"
                )
            }
        }
    }

    /// Opens the store again, as a new object.
    func reopen() throws {
        follower.end()
        try store.close()
        store = try Self.open(path)
        follower = try HistoryFollower(store)
    }

    func close() throws {
        follower.end()
        try store.close()
        try other.close()
    }

    /// Returns the rows in the file.
    static func content(of path: String) throws -> [RowID: [AttributeValue]] {
        let rows = try PlainDatabase(path: path).rows("SELECT * FROM person")
        return Dictionary(
            uniqueKeysWithValues: rows.map { row in
                let age = row[2] == "NULL" ? AttributeValue.null : .integer(Int64(row[2]) ?? 0)
                return (RowID(row[0]) ?? 0, [.string(row[1]), age, .string(row[3])])
            }
        )
    }
}

/// An observer that maintains a copy of a store's rows from change sets alone.
final class HistoryFollower: Sendable {
    struct WrongFeed: Error, CustomStringConvertible {
        let description: String
        init(_ description: String) { self.description = description }
    }

    private struct State {
        var rows: [RowID: [AttributeValue]]
        var version: Int
        /// The reported reason why the copy is invalid.
        var missed: MissedHistory?
        var problems: [String] = []
    }

    private let state: Mutex<State>
    private let observation = Mutex<StoreObservation?>(nil)

    init(_ store: SQLiteStore) throws {
        let (rows, version) = try Self.content(of: store)
        state = Mutex(State(rows: rows, version: version))
        observation.withLock { kept in kept = store.observe { [weak self] in self?.take($0) } }
    }

    private static func content(of store: SQLiteStore) throws -> ([RowID: [AttributeValue]], Int) {
        try store.read { transaction in
            let rows = try transaction.fetch(FetchRequest(entityName: "person"))
            return (Dictionary(uniqueKeysWithValues: rows.map { ($0.id, $0.values) }), transaction.version)
        }
    }

    private func take(_ changes: TransactionChanges) {
        state.withLock { state in
            if changes.version != state.version + 1 {
                state.problems.append("version \(changes.version) was delivered after \(state.version)")
            }
            state.version = changes.version
            if let missed = changes.missedHistory { state.missed = missed }
            guard state.missed == nil else { return }
            do {
                try Self.apply(changes.changes, to: &state.rows)
            } catch {
                state.problems.append("version \(changes.version): \(error)")
            }
        }
    }

    /// Applies changes to rows, which must match the old values of the changes.
    static func apply(
        _ changes: [String: [TransactionChanges.RowChange]],
        to rows: inout [RowID: [AttributeValue]]
    ) throws {
        for change in changes["person"] ?? [] {
            guard rows[change.id] == change.old else {
                throw WrongFeed("the old values of row \(change.id) are wrong")
            }
            rows[change.id] = change.new
        }
    }

    /// Checks the delivered changes against the store, and replaces an invalid copy.
    ///
    /// - Returns: The problems found, and the reported reason for missed history.
    func catchUp(_ store: SQLiteStore) throws -> (problems: [String], missed: MissedHistory?) {
        let (content, version) = try Self.content(of: store)
        return state.withLock { state in
            defer { state.missed = nil }
            var problems = state.problems
            if version != state.version {
                problems.append("version \(version) was not delivered, only \(state.version)")
            }
            if state.missed == nil, state.rows != content {
                problems.append("the delivered changes do not match the store")
            }
            (state.rows, state.version, state.problems) = (content, version, [])
            return (problems, state.missed)
        }
    }

    var rows: [RowID: [AttributeValue]] { state.withLock(\.rows) }

    func end() { observation.withLock { $0 = nil } }
}
