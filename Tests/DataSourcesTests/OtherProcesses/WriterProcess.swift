import Foundation
import StoreWriter
import Testing

/// A separate process that writes to a store (`StoreWriter`), with one command or answer per line.
final class WriterProcess {
    private let process = Process()
    private let input = Pipe()
    private let output = Pipe()
    private var rest = Data()

    init(_ path: String, author: String) throws {
        process.executableURL = URL(fileURLWithPath: "\(Bundle.main.bundlePath)/StoreWriter")
        process.arguments = [path, author]
        process.standardInput = input
        process.standardOutput = output
        try process.run()
        guard answer() == "ready" else { throw CocoaError(.executableLoad) }
    }

    deinit {
        if process.isRunning { kill() }
    }

    /// Sends a command without waiting for its result.
    func send(_ command: String) { input.fileHandleForWriting.write(Data((command + "\n").utf8)) }

    /// Returns the next answer, or `nil` after the process has ended.
    func answer() -> String? {
        while true {
            if let end = rest.firstIndex(of: 10) {
                defer { rest = Data(rest[(end + 1)...]) }
                return String(decoding: rest[..<end], as: UTF8.self)
            }
            let more = output.fileHandleForReading.availableData
            if more.isEmpty { return nil }
            rest += more
        }
    }

    func run(_ command: String) -> String? {
        send(command)
        return answer()
    }

    /// Kills the process immediately, whatever it is doing.
    func kill() {
        Foundation.kill(process.processIdentifier, SIGKILL)
        process.waitUntilExit()
    }
}

/// A counter of names that several threads wait for.
final class NameCount: @unchecked Sendable {
    // @unchecked Sendable because the rest is only touched under the condition's lock.
    private let condition = NSCondition()
    private var counts: [String: Int] = [:]

    func add(_ names: [String]) {
        condition.withLock {
            for name in names { counts[name, default: 0] += 1 }
            condition.broadcast()
        }
    }

    /// Waits until a number of names have arrived, or a minute.
    func wait(for number: Int) -> [String: Int] {
        let end = Date().addingTimeInterval(60)
        return condition.withLock {
            while counts.count < number, condition.wait(until: end) {}
            return counts
        }
    }
}
