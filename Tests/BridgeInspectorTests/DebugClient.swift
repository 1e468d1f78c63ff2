import BridgeValues
import Foundation

@testable import BridgeInspector

/// A client of the Debug Adapter Protocol over a real socket, as an editor is.
///
/// Its calls block, so a test runs them with ``onThread(_:)``.
// @unchecked Sendable because a test uses a client on one thread at a time.
final class DebugClient: @unchecked Sendable {
    private let descriptor: Int32
    private var reader = MessageReader(maximumMessageBytes: 64 << 20)
    private var number = 0
    private var responses: [Int: Value] = [:]
    private var events: [Value] = []

    struct Failure: Error, CustomStringConvertible {
        let description: String
    }

    init(port: Int) throws {
        descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = UInt16(port).bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        let status = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        guard status == 0 else { throw Failure(description: "connect: \(String(cString: strerror(errno)))") }
        // A test that fails must end.
        var limit = timeval(tv_sec: 60, tv_usec: 0)
        setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
    }

    deinit { Foundation.close(descriptor) }

    /// Closes the connection without a word, as an editor that has crashed.
    func hangUp() { shutdown(descriptor, Int32(SHUT_RDWR)) }

    // MARK: - Messages

    func sendBytes(_ bytes: some Sequence<UInt8>) {
        let bytes = Array(bytes)
        _ = Foundation.send(descriptor, bytes, bytes.count, Int32(MSG_NOSIGNAL))
    }

    /// Sends a request.
    ///
    /// - Returns: Its number.
    @discardableResult
    func send(_ command: String, _ arguments: Value = [:]) -> Int {
        number += 1
        sendBytes(
            MessageReader.frame([
                "seq": .integer(Int64(number)), "type": "request", "command": .string(command),
                "arguments": arguments,
            ])
        )
        return number
    }

    /// Sends a request and returns its response.
    func response(_ command: String, _ arguments: Value = [:]) throws -> Value {
        try response(to: send(command, arguments))
    }

    /// Waits for the response to a request.
    func response(to number: Int) throws -> Value {
        while true {
            if let response = responses.removeValue(forKey: number) { return response }
            try readMessage()
        }
    }

    /// Sends a request and returns the body of its response, which must be one of success.
    @discardableResult
    func request(_ command: String, _ arguments: Value = [:]) throws -> Value {
        let response = try response(command, arguments)
        guard response["success"] == true else {
            throw Failure(description: "\(command): \(response["message"].stringValue ?? "")")
        }
        return response["body"]
    }

    /// Sends a request that must fail, and returns the message.
    func failure(_ command: String, _ arguments: Value = [:]) throws -> String {
        let response = try response(command, arguments)
        guard response["success"] == false else { throw Failure(description: "\(command) has succeeded") }
        return response["message"].stringValue ?? ""
    }

    /// Waits for an event and returns its body.
    func event(_ name: String, where matches: (Value) -> Bool = { _ in true }) throws -> Value {
        while true {
            let index = events.firstIndex { $0["event"].stringValue == name && matches($0["body"]) }
            if let index { return events.remove(at: index)["body"] }
            try readMessage()
        }
    }

    /// Returns whether an event has arrived that no test has taken.
    func hasEvent(_ name: String) -> Bool { events.contains { $0["event"].stringValue == name } }

    /// Reads until the server closes the connection.
    func readToEnd() throws {
        while true {
            do { try readMessage() } catch let failure as Failure where failure.description == "closed" {
                return
            }
        }
    }

    private func readMessage() throws {
        while true {
            if let message = try reader.next() {
                if message["type"] == "event" {
                    events.append(message)
                } else if let number = message["request_seq"].integerValue {
                    responses[Int(number)] = message
                }
                return
            }
            var bytes = [UInt8](repeating: 0, count: 64 << 10)
            let count = recv(descriptor, &bytes, bytes.count, 0)
            if count == 0 || count < 0 && errno == ECONNRESET { throw Failure(description: "closed") }
            guard count > 0 else { throw Failure(description: "recv: \(String(cString: strerror(errno)))") }
            reader.append(bytes[..<count])
        }
    }

    // MARK: - Steps of a session

    /// Attaches, as an editor does before it sends breakpoints.
    func attach(_ token: DebugToken, _ arguments: [(String, Value)] = []) throws {
        try request("initialize", ["adapterID": "javascript-bridge", "linesStartAt1": true])
        try request("attach", .object(ValueObject([("token", .string(token.string))] + arguments)))
        _ = try event("initialized")
    }

    /// Sets breakpoints of a file: lines, each with members of the protocol's breakpoint.
    @discardableResult
    func setBreakpoints(_ path: String, _ breakpoints: [Value]) throws -> [Value] {
        let body = try request(
            "setBreakpoints",
            ["source": ["path": .string(path)], "breakpoints": .array(breakpoints)]
        )
        return body["breakpoints"].arrayValue ?? []
    }

    /// Waits for a pause and returns the number of its thread.
    func stopped(_ reason: String) throws -> Value {
        let body = try event("stopped")
        guard body["reason"].stringValue == reason else {
            throw Failure(description: "stopped: \(body), not \(reason)")
        }
        return body["threadId"]
    }

    func frames(_ thread: Value) throws -> [Value] {
        try request("stackTrace", ["threadId": thread])["stackFrames"].arrayValue ?? []
    }

    /// Returns the frames as `name file:line`.
    func stack(_ thread: Value) throws -> [String] {
        try frames(thread).map { frame in
            let name = frame["name"].stringValue ?? ""
            guard frame["presentationHint"] != "label" else { return name }
            return "\(name) \(frame["source"]["name"].stringValue ?? ""):\(frame["line"].integerValue ?? 0)"
        }
    }

    /// Returns the variables of a scope of a frame, by name.
    func variables(_ scope: String, of frame: Value) throws -> [String: Value] {
        let scopes = try request("scopes", ["frameId": frame["id"]])["scopes"].arrayValue ?? []
        guard let found = scopes.first(where: { $0["name"].stringValue == scope }) else {
            throw Failure(description: "no scope \(scope) in \(scopes)")
        }
        return try members(found["variablesReference"])
    }

    func members(_ reference: Value, _ page: [(String, Value)] = []) throws -> [String: Value] {
        let arguments = ValueObject([("variablesReference", reference)] + page)
        let members = try request("variables", .object(arguments))["variables"].arrayValue ?? []
        return Dictionary(members.map { ($0["name"].stringValue ?? "", $0) }) { first, _ in first }
    }

    func evaluate(_ expression: String, in frame: Value? = nil, _ context: String = "watch") throws -> String
    {
        var arguments = ValueObject([("expression", .string(expression)), ("context", .string(context))])
        if let frame { arguments["frameId"] = frame["id"] }
        return try request("evaluate", .object(arguments))["result"].stringValue ?? ""
    }
}

/// Runs a body that blocks on a thread of its own.
func onThread<Result: Sendable>(_ body: @escaping @Sendable () throws -> Result) async throws -> Result {
    try await withCheckedThrowingContinuation { continuation in
        Thread { continuation.resume(with: Swift.Result { try body() }) }.start()
    }
}
