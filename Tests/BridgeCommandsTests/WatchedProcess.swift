import Foundation
import Testing

/// A process whose lines of both outputs a test awaits.
final class WatchedProcess {
    let workplace: Workplace
    private let process = Process()
    private var lines: AsyncStream<String>.Iterator
    /// The lines that were read.
    private(set) var seen: [String] = []

    /// Writes files, and runs a command that watches one of them, or a folder.
    init(_ files: [String: String], _ script: String, command: [String] = ["run", "--watch"]) throws {
        workplace = try Workplace()
        for (name, text) in files {
            let folder = URL(fileURLWithPath: workplace.file(name)).deletingLastPathComponent()
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            try workplace.write(text, to: name)
        }
        let pipe = Pipe()
        process.executableURL = URL(fileURLWithPath: RunningProcess.built("jsbridge"))
        process.arguments = command + [workplace.file(script)]
        process.environment = ["TMPDIR": workplace.temporaryDirectory, "PATH": "/usr/bin:/bin"]
        process.currentDirectoryURL = URL(fileURLWithPath: workplace.path)
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = pipe
        process.standardError = pipe
        let (stream, continuation) = AsyncStream<String>.makeStream()
        lines = stream.makeAsyncIterator()
        try process.run()
        let handle = pipe.fileHandleForReading
        Thread.detachNewThread {
            var rest = Data()
            while case let more = handle.availableData, !more.isEmpty {
                rest += more
                while let end = rest.firstIndex(of: 10) {
                    continuation.yield(String(decoding: rest[..<end], as: UTF8.self))
                    rest = rest[(end + 1)...]
                }
            }
            continuation.finish()
        }
    }

    deinit { if process.isRunning { process.terminate() } }

    /// Returns the next line that contains a text.
    @discardableResult
    func line(_ text: String) async -> String {
        while let line = await lines.next() {
            seen.append(line)
            if line.contains(text) { return line }
        }
        Issue.record("the process has ended before \"\(text)\": \(seen)")
        return ""
    }

    /// Ends the process, and returns the signal that has ended it.
    ///
    /// Not by SIGINT, which shells without job control ignore in the background, and so do the processes of the tests.
    func terminate() -> Int32 {
        process.terminate()
        process.waitUntilExit()
        return process.terminationReason == .uncaughtSignal ? process.terminationStatus : 0
    }

    /// Replaces a file by another one, as editors do.
    func replace(_ name: String, by text: String) throws {
        try workplace.write(text, to: name + "~")
        #expect(rename(workplace.file(name + "~"), workplace.file(name)) == 0)
    }

    /// Writes a file in place: it is truncated first.
    func overwrite(_ name: String, with text: String) throws {
        let handle = try #require(FileHandle(forWritingAtPath: workplace.file(name)))
        try handle.truncate(atOffset: 0)
        try handle.write(contentsOf: Data(text.utf8))
        try handle.close()
    }
}
