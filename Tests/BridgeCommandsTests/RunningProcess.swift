import Foundation

/// A process of its own, with its outputs caught and `TMPDIR` in a workplace.
final class RunningProcess {
    /// How it ended, and what it wrote until then.
    struct Ending {
        let status: Int32
        let isSignal: Bool
        let output: String
        let errorOutput: String
    }

    private let process = Process()
    private let output = Pipe()
    private let errorOutput = Pipe()
    // Kept while the process may write there: the folder goes with it.
    private let workplace: Workplace

    init(
        _ program: String,
        _ arguments: [String],
        in workplace: Workplace,
        directory: URL? = nil,
        environment: [String: String] = [:]
    ) throws {
        self.workplace = workplace
        process.executableURL = URL(fileURLWithPath: program)
        process.arguments = arguments
        // A program that was built with a sanitizer is judged as the tests are.
        var sanitizers = ProcessInfo.processInfo.environment.filter { $0.key.hasSuffix("SAN_OPTIONS") }
        // But for leaks: what a program's main has in its hand at its end looks like one, and so does what stands for an
        // object in weak references.
        sanitizers["ASAN_OPTIONS", default: ""] += " detect_leaks=0"
        // And for races: they lack what tells the sanitizer of the slow paths of `Mutex` (CThreadSanitizer), whose state is
        // reported where two threads want it at once. The tests themselves run the same code with it.
        sanitizers["TSAN_OPTIONS", default: ""] += " report_bugs=0"
        process.environment = ["TMPDIR": workplace.temporaryDirectory, "PATH": "/usr/bin:/bin"]
            .merging(sanitizers) { $1 }.merging(environment) { $1 }
        if let directory { process.currentDirectoryURL = directory }
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = output
        process.standardError = errorOutput
        try process.run()
    }

    func terminate() { process.terminate() }

    /// Waits for the first line of output, and has a body look at it at once: not on the shared threads, which
    /// other tests may hold for longer than a script may run.
    func firstLine(_ body: @escaping @Sendable (Substring) -> Void = { _ in }) async -> String {
        await Self.read(output.fileHandleForReading) { handle in
            var bytes = Data()
            while !bytes.contains(10) {
                let more = handle.availableData
                if more.isEmpty { break }
                bytes += more
            }
            body(String(decoding: bytes, as: UTF8.self).dropLast())
            return bytes
        }
    }

    func end() async -> Ending {
        // Both at once: a process that fills the pipe nobody reads would never end.
        let (handle, errorHandle) = (output.fileHandleForReading, errorOutput.fileHandleForReading)
        async let text = Self.read(handle) { $0.readDataToEndOfFile() }
        async let errorText = Self.read(errorHandle) { $0.readDataToEndOfFile() }
        let (output, errorOutput) = await (text, errorText)
        process.waitUntilExit()
        return Ending(
            status: process.terminationStatus,
            isSignal: process.terminationReason == .uncaughtSignal,
            output: output,
            errorOutput: errorOutput
        )
    }

    // On a thread of its own, since reading blocks.
    private static func read(
        _ handle: FileHandle,
        _ body: @escaping @Sendable (FileHandle) -> Data
    ) async -> String {
        await withCheckedContinuation { continuation in
            Thread.detachNewThread {
                continuation.resume(returning: String(decoding: body(handle), as: UTF8.self))
            }
        }
    }
}

extension RunningProcess {
    /// The path of a program that was built beside the tests.
    static func built(_ name: String) -> String { "\(Bundle.main.bundlePath)/\(name)" }
}
