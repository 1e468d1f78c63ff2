import BenchmarkHarness
import Foundation

/// The start of a whole process.
@MainActor let startCases = [
    BenchmarkCase(
        "start.hello",
        baseline: "node hello.js, from the start of the process to its end",
        timeSource: .wall,
        wanted: 2
    ) {
        let script = try HelloScript()
        // `make bench` builds the command and passes its path.
        let program = ProcessInfo.processInfo.environment["BENCH_JSBRIDGE"] ?? ".build/release/jsbridge"
        return Contest(
            plain: .synchronous { operations in
                try script.run("node", [], count: operations)
            },
            ours: .synchronous { operations in
                try script.run(program, ["run"], count: operations)
            },
            expected: { Double($0) }
        )
    }
]

/// A script that prints one line.
private final class HelloScript {
    private let url = FileManager.default.temporaryDirectory.appending(path: "hello-\(getpid()).js")

    init() throws { try Data("console.log('hello');\n".utf8).write(to: url) }

    deinit { try? FileManager.default.removeItem(at: url) }

    /// Runs the script with a program, and counts the runs that printed the line.
    ///
    /// Not by Foundation's `Process`, whose own work takes as long as the programs do.
    func run(_ program: String, _ arguments: [String], count: Int) throws -> Outcome {
        var printed = 0
        for _ in 0..<count where try output(of: [program] + arguments + [url.path]) == "hello\n" {
            printed += 1
        }
        return Outcome(Double(printed))
    }

    private func output(of command: [String]) throws -> String {
        let pipe = Pipe()
        let (reading, writing) = (pipe.fileHandleForReading, pipe.fileHandleForWriting)
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_adddup2(&actions, writing.fileDescriptor, STDOUT_FILENO)
        var arguments: [UnsafeMutablePointer<CChar>?] = command.map { strdup($0) } + [nil]
        defer { for argument in arguments { free(argument) } }
        var process: pid_t = 0
        let result = posix_spawnp(&process, command[0], &actions, nil, &arguments, environ)
        try writing.close()
        guard result == 0 else { throw POSIXError(POSIXErrorCode(rawValue: result) ?? .ENOENT) }
        let text = try reading.readToEnd() ?? Data()
        var status: Int32 = 0
        waitpid(process, &status, 0)
        return String(decoding: text, as: UTF8.self)
    }
}
