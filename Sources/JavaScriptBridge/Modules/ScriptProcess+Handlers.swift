internal import Dispatch
internal import Foundation

/// A write of a script to a standard stream: text or bytes.
private struct StreamWrite: Codable, Sendable {
    var stream: ScriptProcess.Stream
    var text: String?
    var bytes: Data?
}

/// The handlers of `bridge:process`.
struct ProcessHandlers: Sendable {
    let process: ScriptProcess
    let variables: ScriptVariables
    let maximumLineBytes: Int
    // Serial, so that bytes keep their order. Other threads, because a pipe may block for as long as its reader likes.
    private let input = DispatchQueue(label: "JavaScriptBridge.input")
    private let output = DispatchQueue(label: "JavaScriptBridge.output")

    init(_ process: ScriptProcess, _ variables: ScriptVariables, maximumLineBytes: Int) {
        self.process = process
        self.variables = variables
        self.maximumLineBytes = maximumLineBytes
    }

    func register(on session: BridgeSession) {
        func add(_ name: String, _ handler: Handler) {
            session.register(handler, reserved: "process." + name)
        }
        add("read", .answeringLater { (_: Value?) in try await read() })
        add(
            "readLines",
            .streaming { (_: Value?) in
                LineSplitter.batches(name: "standard input", maximumBytes: maximumLineBytes) {
                    try await read()
                }
            }
        )
        add("write", .answeringLater { (write: StreamWrite) in try await self.write(write) })
        add(
            "variable",
            .answering { (name: String) -> Value in
                variables.value(of: name).map { .string($0) } ?? .undefined
            }
        )
        add("exit", .answering { (code: Int) in try exit(code) })
        add("setExitCode", .answering { (code: Int) in process.setExitCode?(try Self.status(code)) })
    }

    private func read() async throws -> Data {
        guard let read = process.read else { return Data() }
        return try await Self.run(on: input) { try read() }
    }

    // The write is enqueued before the first suspension, so that writes keep the order of their calls.
    private func write(_ request: StreamWrite) async throws {
        guard let write = process.write else { return }
        let bytes = request.bytes ?? Data((request.text ?? "").utf8)
        try await Self.run(on: output) { try write(request.stream, bytes) }
    }

    private func exit(_ code: Int) throws {
        let status = try Self.status(code)
        guard let exit = process.exit else {
            throw BridgeError(.unsupported, "exit() is not supported here")
        }
        exit(status)
    }

    private static func status(_ code: Int) throws(BridgeError) -> Int32 {
        guard (0...255).contains(code) else {
            throw BridgeError(.invalidArgument, "an exit status is an integer from 0 to 255; this is \(code)")
        }
        return Int32(code)
    }

    private static func run<Output: Sendable>(
        on queue: DispatchQueue,
        _ body: @escaping @Sendable () throws -> Output
    ) async throws -> Output {
        try await withCheckedThrowingContinuation { continuation in
            queue.async { continuation.resume(with: Result { try body() }) }
        }
    }
}

extension ScriptProcess {
    /// Returns what scripts find without asking: the arguments, and the variables that are allowed.
    func description(_ variables: ScriptVariables) -> Value {
        let allowed = variables.allowed
        #if os(Linux)
            let platform = "linux"
        #else
            let platform = "darwin"
        #endif
        return .object([
            "argv": .array(arguments.map { .string($0) }), "platform": .string(platform),
            "names": .array(allowed.map { .string($0.key) }),
            "values": .array(allowed.map { .string($0.value) }),
            "asks": .bool(variables.asks),
        ])
    }
}
