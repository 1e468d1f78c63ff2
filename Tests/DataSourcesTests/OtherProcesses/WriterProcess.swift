import Foundation
import StoreWriter
import Testing

/// Another process that writes to a store (`StoreWriter`): commands go in, answers come out, a line each.
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

    /// Sends a command, without waiting for what comes of it.
    func send(_ command: String) { input.fileHandleForWriting.write(Data((command + "\n").utf8)) }

    /// The next answer; `nil` when the process has ended.
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

    /// Ends the process at once, whatever it is doing.
    func kill() {
        Foundation.kill(process.processIdentifier, SIGKILL)
        process.waitUntilExit()
    }
}

/// What several threads wait for.
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

    /// Waits until so many names have come, or a minute.
    func wait(for number: Int) -> [String: Int] {
        let end = Date().addingTimeInterval(60)
        return condition.withLock {
            while counts.count < number, condition.wait(until: end) {}
            return counts
        }
    }
}
