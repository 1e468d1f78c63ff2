import BridgeCommands
import Foundation
import Synchronization
import Testing

/// A separate folder for one test, and the commands that run in it.
final class Workplace {
    let path: String

    init() throws {
        let parent = FileManager.default.temporaryDirectory.path
        path = "\(parent)/BridgeCommandsTests-\(UUID().uuidString)"
        try FileManager.default.createDirectory(atPath: temporaryDirectory, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    /// The `TMPDIR` of commands.
    var temporaryDirectory: String { "\(path)/tmp" }

    /// The files that commands left in `TMPDIR`.
    var leftovers: [String] {
        (try? FileManager.default.contentsOfDirectory(atPath: temporaryDirectory)) ?? ["no folder"]
    }

    func file(_ name: String) -> String { "\(path)/\(name)" }

    func exists(_ name: String) -> Bool { FileManager.default.fileExists(atPath: file(name)) }

    @discardableResult
    func write(_ text: String, to name: String) throws -> String {
        try Data(text.utf8).write(to: URL(fileURLWithPath: file(name)))
        return file(name)
    }

    /// Runs the tool in this process.
    func run(
        _ arguments: [String],
        input: [UInt8] = [],
        terminalColumns: Int? = nil,
        outputColumns: Int? = nil,
        outputLimit: (lines: Int, error: OutputError)? = nil,
        environment: [String: String] = [:],
        ask: (@Sendable (String) -> String?)? = nil
    ) async -> CommandResult {
        let record = WrittenText()
        let exitHooks = ExitHooks()
        let system = CommandSystem(
            output: TestOutput(
                stream: .output,
                record: record,
                terminalColumns: outputColumns,
                limit: outputLimit
            ),
            errorOutput: TestOutput(stream: .error, record: record, terminalColumns: terminalColumns),
            readInput: { input },
            environment: environment.merging(["TMPDIR": temporaryDirectory]) { own, _ in own },
            ask: ask,
            exitHooks: exitHooks
        )
        let status = await JSBridgeCommand(system: system).run(arguments)
        return CommandResult(status: status, writes: record.writes)
    }

    /// Runs a script in this process, and returns its name as the user gave it.
    func run(script: String, _ arguments: String..., named name: String = "script.js") async throws
        -> CommandResult
    {
        let path = try write(script, to: name)
        return await run(["run", path] + arguments)
    }
}

extension Workplace {
    /// Runs a script, and returns the path of its journal.
    @discardableResult
    func record(_ script: String, to name: String, status: Int32 = 0) async throws -> String {
        let result = try await run(script: script, "--record", file(name), named: "x.js")
        #expect(result.status == status && result.errorOutput.isEmpty, "\(result.errorOutput)")
        return file(name)
    }

    func text(of name: String) throws -> String { try String(contentsOfFile: file(name), encoding: .utf8) }
}

/// The result of a command.
struct CommandResult {
    let status: Int32
    let writes: [WrittenText.Write]

    var output: String { text(of: .output) }
    var errorOutput: String { text(of: .error) }

    private func text(of stream: WrittenText.Stream) -> String {
        writes.filter { $0.stream == stream }.map(\.text).joined()
    }
}

/// The text of both outputs of a command, in one order.
final class WrittenText: Sendable {
    enum Stream { case output, error }

    struct Write: Hashable {
        let stream: Stream
        let text: String
    }

    private let state = Mutex<[Write]>([])

    var writes: [Write] { state.withLock { $0 } }

    /// Adds a write and returns how many the stream had before.
    func add(_ write: Write) -> Int {
        state.withLock { writes in
            defer { writes.append(write) }
            return writes.count { $0.stream == write.stream }
        }
    }
}

/// An output that records a limited number of writes.
struct TestOutput: TextOutput {
    let stream: WrittenText.Stream
    let record: WrittenText
    let terminalColumns: Int?
    var limit: (lines: Int, error: OutputError)?

    func write(_ text: String) throws(OutputError) {
        let count = record.add(WrittenText.Write(stream: stream, text: text))
        if let limit, count >= limit.lines { throw limit.error }
    }
}
