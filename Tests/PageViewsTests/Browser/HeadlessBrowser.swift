import BridgeValues
import Foundation
import Synchronization

/// A message of a browser that is not a reply.
struct BrowserEvent: Sendable {
    let method: String
    let session: String?
    let parameters: ValueObject
}

/// A browser that answers the methods of Chromium's protocol which the tests use.
protocol Browser: Sendable {
    /// Calls a method of the protocol.
    @discardableResult
    func call(_ method: String, _ parameters: ValueObject, session: String?) async throws -> ValueObject
    /// Returns the events of a page so far, and forgets them.
    func takeEvents(session: String) -> [BrowserEvent]
}

extension Browser {
    /// Opens an empty page.
    func open() async throws -> BrowserPage {
        let target = try await call("Target.createTarget", ["url": "about:blank"], session: nil)
        guard let id = target["targetId"]?.stringValue else { throw BrowserError("a page was not created") }
        let parameters: ValueObject = ["targetId": .string(id), "flatten": true]
        let attached = try await call("Target.attachToTarget", parameters, session: nil)
        guard let session = attached["sessionId"]?.stringValue else {
            throw BrowserError("a page was not reached")
        }
        let page = BrowserPage(browser: self, target: id, session: session)
        for domain in ["Page", "Runtime", "Log"] { try await page.call("\(domain).enable") }
        return page
    }
}

/// A browser without a window, for tests of a page.
///
/// One browser has any number of pages.
final class HeadlessBrowser: Browser {

    private struct State {
        var lastCall = 0
        var calls: [Int: CheckedContinuation<ValueObject, any Error>] = [:]
        var events: [BrowserEvent] = []
        var isOver = false
    }

    private let state: StateBox
    private let connection: any BrowserConnection

    /// The state is apart from the browser, because the thread that reads must not keep the browser alive.
    private final class StateBox: Sendable {
        let state = Mutex(State())
    }

    /// Starts Chromium.
    ///
    /// - Throws: ``BrowserError`` if none is installed, or it cannot be started.
    convenience init(width: Int = 1_000, height: Int = 700) throws {
        guard let program = BrowserProcess.program else { throw BrowserError("no Chromium is installed") }
        try self.init { received, ended in
            try BrowserProcess(
                program: program,
                width: width,
                height: height,
                received: received,
                ended: ended
            )
        }
    }

    /// Creates a browser that is reached by a connection.
    ///
    /// - Parameter connect: Creates the connection from two closures: one takes a message, the other is called once,
    ///   after the last message.
    /// - Throws: The error of `connect`.
    init(
        connect: (
            _ received: @escaping @Sendable (Data) -> Void, _ ended: @escaping @Sendable () -> Void
        ) throws -> any BrowserConnection
    ) throws {
        let box = StateBox()
        state = box
        connection = try connect(
            { Self.receive($0, box) },
            {
                let calls = box.state.withLock { state in
                    state.isOver = true
                    defer { state.calls = [:] }
                    return Array(state.calls.values)
                }
                for call in calls { call.resume(throwing: BrowserError("the browser has ended")) }
            }
        )
    }

    private static func receive(_ message: Data, _ box: StateBox) {
        guard let value = try? JSONDecoder().decode(Value.self, from: message),
            case .object(let object) = value
        else { return }
        if case .integer(let number)? = object["id"] {
            let call = box.state.withLock { $0.calls.removeValue(forKey: Int(number)) }
            if object["error"] != nil {
                call?.resume(throwing: BrowserError("the browser refused: \(value)"))
            } else if case .object(let result)? = object["result"] {
                call?.resume(returning: result)
            } else {
                call?.resume(throwing: BrowserError("the browser replied without a result"))
            }
        } else if case .string(let method)? = object["method"] {
            var parameters = ValueObject()
            if case .object(let given)? = object["params"] { parameters = given }
            // Firefox names the page of an event in its source.
            var session = object["sessionId"]?.stringValue
            if case .object(let source)? = parameters["source"] { session = source["context"]?.stringValue }
            let event = BrowserEvent(method: method, session: session, parameters: parameters)
            box.state.withLock { $0.events.append(event) }
        }
    }

    @discardableResult
    func call(_ method: String, _ parameters: ValueObject = [:], session: String? = nil) async throws
        -> ValueObject
    {
        try await withCheckedThrowingContinuation { continuation in
            let number: Int? = state.state.withLock { state in
                guard !state.isOver else { return nil }
                state.lastCall += 1
                state.calls[state.lastCall] = continuation
                return state.lastCall
            }
            guard let number else {
                continuation.resume(throwing: BrowserError("the browser has ended"))
                return
            }
            var message: ValueObject = [
                "id": .integer(Int64(number)), "method": .string(method), "params": .object(parameters),
            ]
            if let session { message["sessionId"] = .string(session) }
            do {
                connection.send(try JSONEncoder().encode(Value.object(message)))
            } catch {
                let call = state.state.withLock { $0.calls.removeValue(forKey: number) }
                call?.resume(throwing: error)
            }
        }
    }

    func takeEvents(session: String) -> [BrowserEvent] {
        state.state.withLock { state in
            let taken = state.events.filter { $0.session == session }
            state.events.removeAll { $0.session == session }
            return taken
        }
    }
}
