import BridgeData
import BridgeProtocol
import BridgeTesting
import JavaScriptBridge
import Stores
import StoresSQLite
import Synchronization
import Testing

/// A recorded bridge with a store: scripts report values by `report(value)`, and the journal is available.
final class RecordedRun: Sendable {
    static let prelude = "globalThis.report ??= value => bridge.notify('report', value);\n"

    let bridge: Bridge
    let store: SQLiteStore
    let results = Recorder<Value>()
    private let lines = Lines()

    init(redactsSecrets: Bool = true) throws {
        store = try SQLiteStore(location: .memory)
        var configuration = BridgeConfiguration.patient
        configuration.logSink = { _ in }
        configuration.uncaughtErrorHandler = { [results] in
            results.add(.string("uncaught \($0.message)"))
        }
        configuration.journal = BridgeJournal(redactsSecrets: redactsSecrets) { [lines] line in
            lines.all.withLock { $0.append(line) }
        }
        bridge = try Bridge(
            configuration: configuration,
            data: DataConfiguration(stores: ["default": store])
        )
        try bridge.registerHandler("report") { [results] (value: Value) in results.add(value) }
    }

    /// Runs a script until it is idle.
    func run(_ script: String) async throws {
        try await bridge.load(.text(Self.prelude + "{\n\(script)\n}", name: "test.js"))
        await bridge.waitUntilIdleOrCancelled()
    }

    /// The text of the journal so far.
    var text: String { lines.all.withLock { $0.joined() } }

    /// Closes the bridge and returns the whole journal, including the turn that was open.
    func end() async throws -> Journal {
        bridge.close()
        while true {
            let journal = try Journal(text)
            if journal.isEnded { return journal }
            await Task.yield()
        }
    }

    private final class Lines: Sendable {
        let all = Mutex<[String]>([])
    }
}

extension Recorder {
    /// Waits for a number of elements, and reports the present ones if the test exceeds its time limit.
    func expect(_ count: Int, sourceLocation: SourceLocation = #_sourceLocation) async {
        guard await !wait(for: count) else { return }
        Issue.record("\(elements.count) of \(count) have come: \(elements)", sourceLocation: sourceLocation)
    }
}

extension Bridge {
    /// Waits until idle; if a listener waits forever, this ends when the test exceeds its time limit.
    func waitUntilIdleOrCancelled() async {
        await withTaskCancellationHandler {
            await waitUntilIdle()
        } onCancel: {
            close()
        }
    }
}
