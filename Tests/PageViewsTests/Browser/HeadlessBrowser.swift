import BridgeValues
import Foundation
import Synchronization

/// A browser without a window, for tests of a page.
///
/// One browser has any number of pages.
final class HeadlessBrowser: Sendable {
    /// A message of the browser that is not a reply.
    struct Event: Sendable {
        let method: String
        let session: String?
        let parameters: ValueObject
    }

    private struct State {
        var lastCall = 0
        var calls: [Int: CheckedContinuation<ValueObject, any Error>] = [:]
        var events: [Event] = []
        var isOver = false
    }

    private let state: StateBox
    private let process: BrowserProcess

    /// The state is apart from the browser, because the thread that reads must not keep the browser alive.
    private final class StateBox: Sendable {
        let state = Mutex(State())
    }

    /// Starts a browser.
    ///
    /// - Throws: ``BrowserError`` if none is installed, or it cannot be started.
    init(width: Int = 1_000, height: Int = 700) throws {
        guard let program = BrowserProcess.program else { throw BrowserError("no Chromium is installed") }
        let box = StateBox()
        state = box
        process = try BrowserProcess(
            program: program,
            width: width,
            height: height,
            received: { Self.receive($0, box) },
            ended: {
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
            if case .object(let error)? = object["error"] {
                call?.resume(throwing: BrowserError("the browser refused: \(Value.object(error))"))
            } else if case .object(let result)? = object["result"] {
                call?.resume(returning: result)
            } else {
                call?.resume(throwing: BrowserError("the browser replied without a result"))
            }
        } else if case .string(let method)? = object["method"] {
            var parameters = ValueObject()
            if case .object(let given)? = object["params"] { parameters = given }
            let event = Event(
                method: method,
                session: object["sessionId"]?.stringValue,
                parameters: parameters
            )
            box.state.withLock { $0.events.append(event) }
        }
    }

    /// Calls a method of the protocol.
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
                process.send(try JSONEncoder().encode(Value.object(message)))
            } catch {
                let call = state.state.withLock { $0.calls.removeValue(forKey: number) }
                call?.resume(throwing: error)
            }
        }
    }

    /// Returns the events of a page so far, and forgets them.
    func takeEvents(session: String) -> [Event] {
        state.state.withLock { state in
            let taken = state.events.filter { $0.session == session }
            state.events.removeAll { $0.session == session }
            return taken
        }
    }

    /// Opens an empty page.
    func open() async throws -> BrowserPage {
        let target = try await call("Target.createTarget", ["url": "about:blank"])
        guard let id = target["targetId"]?.stringValue else { throw BrowserError("a page was not created") }
        let attached = try await call("Target.attachToTarget", ["targetId": .string(id), "flatten": true])
        guard let session = attached["sessionId"]?.stringValue else {
            throw BrowserError("a page was not reached")
        }
        let page = BrowserPage(browser: self, target: id, session: session)
        for domain in ["Page", "Runtime", "Log"] { try await page.call("\(domain).enable") }
        return page
    }
}
