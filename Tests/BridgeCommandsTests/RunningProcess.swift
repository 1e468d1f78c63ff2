import Foundation

/// A separate process, with its outputs captured and `TMPDIR` in a workplace.
final class RunningProcess {
    /// The exit status of the process, and its output.
    struct Ending {
        let status: Int32
        let isSignal: Bool
        let output: String
        let errorOutput: String
    }

    private let process = Process()
    private let output = Pipe()
    private let errorOutput = Pipe()
    // Retained while the process may write there, because its deinit removes the folder.
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
        // A program that was built with a sanitizer uses the options of the tests.
        var sanitizers = ProcessInfo.processInfo.environment.filter { $0.key.hasSuffix("SAN_OPTIONS") }
        // Except for leaks: values that a program's main still holds at its end are reported as leaks, and so are the
        // side tables of weak references.
        sanitizers["ASAN_OPTIONS", default: ""] += " detect_leaks=0"
        // Except for races: the program lacks the annotations of the slow paths of `Mutex` (CThreadSanitizer), whose
        // state is reported when two threads contend for it. The tests themselves run the same code with them.
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

    /// Waits for the first line of output and calls a closure with it immediately: not on the shared threads, which
    /// other tests may block for longer than a script may run.
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
        // Both concurrently: a process would block forever on a full pipe that is not read.
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

    // On a separate thread, because reading blocks.
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
    /// Returns the path of a program that was built beside the tests.
    static func built(_ name: String) -> String { "\(Bundle.main.bundlePath)/\(name)" }
}
