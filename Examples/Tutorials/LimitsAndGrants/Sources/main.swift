import BridgeData
import JavaScriptBridge
import Stores
import StoresSQLite

let store = try SQLiteStore(location: .memory)
try store.createEntity(
    EntityDescription(
        name: "note",
        attributes: [
            AttributeDescription("title", .string, isOptional: false),
            AttributeDescription("owner", .string, isOptional: false),
            AttributeDescription("mood", .integer),
        ]
    )
)
try store.write { transaction in
    for (title, owner) in [("buy tea", "ada"), ("call Bob", "ada"), ("a secret", "eve")] {
        try transaction.insert(into: "note", ["title": .string(title), "owner": .string(owner)])
    }
}

var configuration = BridgeConfiguration()
configuration.executionLimits = .constrained
configuration.executionLimits.processorTime = .milliseconds(100)
configuration.consoleSink = { print("script: \($0.text)") }

configuration.grants.allow("notes.*", limits: GrantLimits(rate: .init(2, per: .seconds(3600))))
configuration.grants.deny("notes.clear")
configuration.grants.allow([.read], on: .entity("note", attributes: ["title"], rows: ["owner": "ada"]))

let bridge = try Bridge(configuration: configuration, data: DataConfiguration(stores: ["default": store]))
try bridge.registerHandler("notes.share") { (note: Int) in "shared \(note)" }
try bridge.registerHandler("notes.clear") { (_: Value) in print("cleared") }

do {
    try await bridge.load(.text("for (;;) {}", name: "loop.js"))
} catch let error as JSException where error.isTermination {
    print(error.message)
}

try await bridge.reload()
try await bridge.load(.file("Examples/Tutorials/LimitsAndGrants/notes.js"))

try await bridge.callHandler("useHandlers", with: 1)

try await bridge.callHandler("useRows", with: 10)

print("\(bridge.grants.denialCount) denials")
for denial in bridge.grants.recentDenials {
    print("\(denial.operation?.rawValue ?? "call") \(denial.name): \(denial.reason.rawValue)")
}
bridge.close()
