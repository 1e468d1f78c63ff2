import BridgeData
import DataSources
import JavaScriptBridge
import Stores
import StoresSQLite

let store = try SQLiteStore(location: .memory)
try store.createEntity(
    EntityDescription(
        name: "task",
        attributes: [
            AttributeDescription("title", .string, isOptional: false, isUnique: true),
            AttributeDescription("done", .boolean, isOptional: false),
        ]
    )
)

@Sendable func save(_ titles: [String], done: Bool) throws {
    try store.write { transaction in
        for title in titles {
            let values: [String: AttributeValue] = ["title": .string(title), "done": .boolean(done)]
            try transaction.upsert(into: "task", by: "title", values)
        }
    }
}
try save(["bread", "soap"], done: false)

let controller = try FetchedResultsController(
    fetchRequest: FetchRequest(
        entityName: "task",
        predicate: .compare("done", .equal, .boolean(false)),
        sortDescriptors: [.init("title")]
    ),
    store: store
)
let (changes, continuation) = AsyncStream.makeStream(of: Difference.self)
controller.onChange = { continuation.yield($0) }
try controller.performFetch()
controller.deliverChanges()

@MainActor func openTasks() throws -> String {
    let rows = try controller.window(section: 0, 0..<controller.numberOfObjects)
    return rows.compactMap { row in row?["title"].map { "\($0)" } }.joined(separator: ", ")
}
print("open: \(try openTasks())")

Task.detached { try save(["tea"], done: false) }
for await difference in changes {
    print("\(difference.details)\n  open: \(try openTasks())")
    if controller.numberOfObjects == 1 { break }
    try save(["bread", "soap"], done: true)
}
controller.close()

let (lines, line) = AsyncStream.makeStream(of: String.self)
let bridge = try Bridge(data: DataConfiguration(stores: ["default": store]))
try bridge.registerHandler("changed") { (text: String) in _ = line.yield(text) }
try await bridge.load(.file("Examples/Tutorials/FollowingList/tasks.js"))

try save(["cake", "honey"], done: false)
for await text in lines {
    print("script: \(text)")
    if text.hasSuffix(": honey") { break }
    try save(["cake", "tea"], done: true)
}
bridge.close()
try store.close()
