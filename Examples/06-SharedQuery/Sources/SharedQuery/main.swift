import BridgeData
import Foundation
import JavaScriptBridge
import Stores
import StoresSQLite

// A script's live query over a store that another process writes.

let history = HistoryOptions(author: CommandLine.arguments.count > 1 ? "writer" : "reader")

// The other process runs this program again. It makes one commit for each line that it reads.
if CommandLine.arguments.count > 1 {
    let store = try SQLiteStore(location: .file(CommandLine.arguments[1]), history: history)
    while let line = readLine() {
        let parts = line.split(separator: " ").map(String.init)
        try store.write { transaction in
            switch parts[0] {
            case "add":
                try transaction.insert(into: "task", ["title": .string(parts[1]), "done": .boolean(false)])
            case "finish":
                try transaction.upsert(
                    into: "task",
                    by: "title",
                    ["title": .string(parts[1]), "done": .boolean(true)]
                )
            default: throw CancellationError()
            }
        }
    }
    try store.close()
    exit(0)
}

let folder = FileManager.default.temporaryDirectory.appendingPathComponent("SharedQuery-\(UUID().uuidString)")
try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
let path = folder.appendingPathComponent("tasks.db").path
let store = try SQLiteStore(location: .file(path), history: history)
try store.createEntity(
    EntityDescription(
        name: "task",
        attributes: [.init("title", .string, isOptional: false, isUnique: true), .init("done", .boolean)]
    )
)

let (received, tell) = AsyncStream.makeStream(of: String.self)
let bridge = try Bridge(data: DataConfiguration(stores: ["default": store]))
try bridge.registerHandler("received") { (text: String) in
    tell.yield(text)
    return true
}
try await bridge.load(
    .text(
        """
        const tasks = bridge.store().fetch('task', { where: { done: false }, sort: ['title'] });
        tasks.onChange((changes) => {
            const open = [...tasks].map((task) => task.title).join(', ') || 'nothing';
            bridge.callHandler('received', `${changes.items.map((item) => item.type).join(' and ')}; open: ${open}`);
        });
        """,
        name: "tasks.js"
    )
)

let beginning = try store.currentHistoryToken()
let writer = Process()
writer.executableURL = URL(fileURLWithPath: CommandLine.arguments[0])
writer.arguments = [path]
let lines = Pipe()
writer.standardInput = lines
try writer.run()

var work = ["add tea", "add bread", "finish tea", "add soap", "finish bread", "finish soap"]
func send(_ line: String) { lines.fileHandleForWriting.write(Data((line + "\n").utf8)) }
send(work[0])
// The script is notified of the other process's commit automatically.
for await answer in received {
    print("\(work.removeFirst()): \(answer)")
    guard let next = work.first else { break }
    send(next)
}
try lines.fileHandleForWriting.close()
writer.waitUntilExit()

// The history has the other process's changes: by author, with the values before and after.
switch try store.fetchHistory(after: beginning, excludingAuthor: "reader") {
case .transactions(let transactions, _):
    print("\(transactions.count) transactions of \(Set(transactions.compactMap(\.author)).sorted())")
case .missed(let reason, _): print("history was missed: \(reason)")
}
bridge.close()
try store.close()
try FileManager.default.removeItem(at: folder)
