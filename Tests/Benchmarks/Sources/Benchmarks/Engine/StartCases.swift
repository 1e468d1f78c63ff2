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
                try script.run("/usr/bin/env", ["node"], count: operations)
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
    func run(_ program: String, _ arguments: [String], count: Int) throws -> Outcome {
        var printed = 0
        for _ in 0..<count {
            let process = Process()
            let output = Pipe()
            process.executableURL = URL(filePath: program)
            process.arguments = arguments + [url.path]
            process.standardOutput = output
            try process.run()
            let text = try output.fileHandleForReading.readToEnd() ?? Data()
            process.waitUntilExit()
            if text == Data("hello\n".utf8) { printed += 1 }
        }
        return Outcome(Double(printed))
    }
}
