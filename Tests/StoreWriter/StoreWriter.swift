import CSQLite
import Foundation
import Stores
import StoresSQLite
import TestSupport

/// A process that writes to a store: one command per line, one answer per line.
///
///     StoreWriter PATH AUTHOR
///
/// `random COUNT SEED` commits a number of random transactions, each with one row `AUTHOR-NUMBER` in the entity `mark`.
/// `bare SQL` runs SQL on a plain connection. `hang` waits inside a transaction until the process ends.
@main
enum StoreWriter {
    static func main() throws {
        let arguments = CommandLine.arguments
        let store = try SQLiteStore(
            location: .file(arguments[1]),
            history: HistoryOptions(author: arguments[2], followsOtherProcesses: false)
        )
        var writer = RandomWriter(store: store, author: arguments[2])
        say("ready")
        while let line = readLine() {
            let words = line.split(separator: " ", maxSplits: 1).map(String.init)
            let rest = words.count > 1 ? words[1] : ""
            switch words[0] {
            case "random":
                let numbers = rest.split(separator: " ").compactMap { UInt64($0) }
                try writer.commit(Int(numbers[0]), seed: numbers[1])
                say("done \(writer.commits)")
            case "bare": say(run(rest, at: arguments[1]))
            case "hang":
                try store.write { transaction in
                    try transaction.insert(into: "mark", ["name": .string("never")])
                    say("inside")
                    _ = readLine()
                    throw CancellationError()
                }
            default: return
            }
        }
    }

    // Written without buffering: standard output buffers lines if it is a pipe.
    private static func say(_ line: String) { FileHandle.standardOutput.write(Data((line + "\n").utf8)) }

    private static func run(_ sql: String, at path: String) -> String {
        var database: OpaquePointer?
        guard sqlite3_open(path, &database) == SQLITE_OK else { return "cannot open" }
        defer { sqlite3_close(database) }
        sqlite3_busy_timeout(database, 5_000)
        let code = sqlite3_exec(database, sql, nil, nil, nil)
        return code == SQLITE_OK ? "ok" : String(cString: sqlite3_errmsg(database))
    }
}

/// A writer of random transactions on the entity `item`: inserts, updates of values and of sort keys, deletes.
struct RandomWriter {
    let store: SQLiteStore
    let author: String
    private(set) var commits = 0

    mutating func commit(_ count: Int, seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        for _ in 0..<count {
            let name = "\(author)-\(commits)"
            try store.write { transaction in
                try transaction.insert(into: "mark", ["name": .string(name)])
                for _ in 0..<Int.random(in: 1...6, using: &generator) {
                    try edit(transaction, &generator)
                }
            }
            commits += 1
        }
    }

    private func edit(_ transaction: any WriteTransaction, _ generator: inout SeededGenerator) throws {
        let request = FetchRequest(entityName: "item", sortDescriptors: [.init("name")])
        let rows = try transaction.fetch(request)
        let values: [String: AttributeValue] = [
            "name": .string("\(UInt8.random(in: 0...40, using: &generator))"),
            "group": .string(["a", "b", "c", "d"].randomElement(using: &generator) ?? "a"),
            "size": .integer(Int64.random(in: 0...3, using: &generator)),
        ]
        switch Int.random(in: 0..<10, using: &generator) {
        case 0..<4 where rows.count < 80: try transaction.insert(into: "item", values)
        case 0..<7:
            guard let row = rows.randomElement(using: &generator) else { return }
            let some = values.keys.sorted().shuffled(using: &generator)
                .prefix(Int.random(in: 1...3, using: &generator))
            try transaction.update("item", id: row.id, values.filter { some.contains($0.key) })
        default:
            guard let row = rows.randomElement(using: &generator) else { return }
            try transaction.delete(from: "item", id: row.id)
        }
    }
}
