import Synchronization

@testable import TerminalViews

/// A table in memory, which a test can change.
final class MemoryTable: TableSource {
    let name: String
    let columns: [TableColumn]
    let firstRowCount: Int
    private struct State {
        var rows: [[String]?]
        var handler: (@Sendable (TableChange) -> Void)?
        var readCount = 0
    }
    /// The number of calls of ``row(_:)``.
    var readCount: Int { state.withLock { $0.readCount } }
    private let state: Mutex<State>
    /// The number of rows between two reports of a load.
    private let part: Int

    init(_ name: String = "table", columns: [String], rows: [[String]], part: Int = 1_000) {
        self.name = name
        self.columns = columns.map { TableColumn($0) }
        firstRowCount = min(64, rows.count)
        state = Mutex(State(rows: rows))
        self.part = part
    }

    /// Creates a table of numbers with names: `0,name 0,even`, `1,name 1,odd` and so on.
    convenience init(count: Int) {
        let rows = (0..<count).map { ["\($0)", "name \($0)", $0 % 2 == 0 ? "even" : "odd"] }
        self.init(columns: ["id", "name", "kind"], rows: rows)
    }

    func load(_ report: (TableLoad) -> Bool) throws {
        let count = state.withLock { $0.rows.count }
        for end in stride(from: part, to: count, by: part) {
            guard report(TableLoad(rowCount: end, progress: Double(end) / Double(count))) else { return }
        }
        _ = report(TableLoad(rowCount: count))
    }

    func row(_ number: Int) -> [String] {
        state.withLock { state in
            state.readCount += 1
            return number < state.rows.count ? state.rows[number] ?? [] : []
        }
    }

    func scan(_ range: Range<Int>, _ body: (Int, any TableFields) throws -> Bool) throws {
        let rows = state.withLock { $0.rows }
        for number in range.clamped(to: 0..<rows.count) {
            guard let row = rows[number] else { continue }
            guard try body(number, StringFields(strings: row)) else { return }
        }
    }

    func observe(_ handler: @escaping @Sendable (TableChange) -> Void) -> AnyObject? {
        state.withLock { $0.handler = handler }
        return nil
    }

    /// Changes rows: new ones follow, `nil` deletes.
    func change(inserting new: [[String]] = [], setting set: [Int: [String]?] = [:]) {
        let (change, handler) = state.withLock { state in
            let first = state.rows.count
            state.rows += new.map { Optional($0) }
            for (number, row) in set { state.rows[number] = row }
            return (
                TableChange(
                    rowCount: state.rows.count,
                    inserted: Array(first..<state.rows.count),
                    updated: set.filter { $0.value != nil }.keys.sorted(),
                    deleted: set.filter { $0.value == nil }.keys.sorted()
                ),
                state.handler
            )
        }
        handler?(change)
    }
}

/// Work that runs when a test wants it.
final class HeldWork: Sendable {
    private let bodies = Mutex<[@Sendable () -> Void]>([])
    func add(_ body: @escaping @Sendable () -> Void) { bodies.withLock { $0.append(body) } }
    var count: Int { bodies.withLock { $0.count } }

    /// Runs what was added first, if there is anything.
    func runFirst() { bodies.withLock { $0.isEmpty ? nil : $0.removeFirst() }?() }

    /// Runs what was added, and what that adds.
    func runAll() {
        while true {
            let body = bodies.withLock { $0.isEmpty ? nil : $0.removeFirst() }
            guard let body else { return }
            body()
        }
    }
}
