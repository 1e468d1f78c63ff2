import BridgeProtocol
import BridgeTesting
import BridgeValues
import JavaScriptBridge
import Synchronization
import Testing

/// A recorded bridge, and the lines of its journal.
final class JournalFixture: Sendable {
    let bridge: Bridge

    init(
        redactsSecrets: Bool = true,
        maximumBytes: Int = BridgeJournal.defaultMaximumBytes,
        _ change: (inout BridgeConfiguration) -> Void = { _ in }
    ) throws {
        let lines = Lines()
        var configuration = BridgeConfiguration()
        // A machine under load may be slow.
        configuration.defaultTimeout = .seconds(3_600)
        configuration.logSink = { _ in }
        configuration.uncaughtErrorHandler = { _ in }
        configuration.journal = BridgeJournal(maximumBytes: maximumBytes, redactsSecrets: redactsSecrets) {
            line in
            lines.all.withLock { $0.append(line) }
        }
        change(&configuration)
        recorded = lines
        bridge = try Bridge(configuration: configuration)
    }

    private let recorded: Lines

    /// The text of the journal so far.
    var text: String { recorded.all.withLock { $0.joined() } }

    func journal() throws -> Journal { try Journal(text) }

    /// Closes the bridge and waits for the end of its journal, which an open turn writes.
    func end() async throws -> Journal {
        bridge.close()
        while true {
            let journal = try journal()
            if journal.isEnded { return journal }
            await Task.yield()
        }
    }

    func load(_ script: String, name: String = "page.js") async throws {
        try await bridge.load(.text(script, name: name))
    }

    private final class Lines: Sendable {
        let all = Mutex<[String]>([])
    }
}

extension Journal {
    /// Returns the journal with a text replaced by another.
    func replacing(_ text: String, with other: String) throws -> Journal {
        let changed = self.text.replacing(text, with: other)
        #expect(changed != self.text, "there is no \(text)")
        return try Journal(changed)
    }
}
