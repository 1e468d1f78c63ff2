import BridgeValues
import Foundation
import Synchronization
import TestSupport

@testable import PageViews

/// A socket whose messages a test reads and writes.
final class SocketDouble: PageSocket {
    private let state = Mutex((texts: [String](), closing: String?.none))

    var closing: String? { state.withLock { $0.closing } }

    func send(_ text: String) -> Bool {
        state.withLock { $0.texts.append(text) }
        return true
    }

    func close(_ reason: String) { state.withLock { $0.closing = reason } }

    /// The messages so far.
    var messages: [Value] {
        state.withLock { $0.texts }.compactMap { text in
            try? JSONDecoder().decode(Value.self, from: Data(text.utf8))
        }
    }

    /// Waits for a message that fulfils a condition, and returns it.
    func message(_ isSo: (Value) -> Bool) async -> Value? {
        _ = await waitUntil { messages.contains(where: isSo) }
        return messages.first(where: isSo)
    }
}
