import Foundation
import Synchronization
import Testing

@testable import PageViews

@Suite("Slow pages")
struct SlowPageTests {
    @Test("PG4 a page that does not read is closed when its budget is used, and what waited is released")
    func budget() throws {
        let run = try ServerRun { $0.limits.closingTime = .seconds(1) }
        let client = try run.open(receiveBuffer: 4_096)
        let connection = try run.handler.wait { $0.opened.count == 1 }.opened[0]
        let text = String(repeating: "x", count: 1_000)
        var peak = 0
        var sent = 0
        while connection.send(text) {
            sent += 1
            peak = max(peak, connection.waitingByteCount)
            try #require(sent < 100_000)
        }
        #expect(peak <= 1_024 * 1_024)
        #expect(connection.waitingByteCount <= 1_064)
        #expect(try run.handler.wait { !$0.closures.isEmpty }.closures == [.overBudget(limit: 1_024 * 1_024)])
        #expect(connection.waitingByteCount == 0)
        // Another page is served meanwhile and afterwards.
        let other = try run.open()
        other.sendText("hello")
        try run.handler.wait { $0.messages == ["hello"] }
        client.close()
    }

    @Test("PG4 a page that reads again gets the newest state, and few old ones")
    func newestState() throws {
        // A store with 100,000 commits, and a layer above that sends only when everything was taken.
        let version = Mutex(0)
        let made = Mutex(0)
        @Sendable func update(_ connection: PageConnection) {
            let newest = version.withLock { $0 }
            made.withLock { $0 += 1 }
            connection.send("\(newest) " + String(repeating: "x", count: 16_000))
        }
        let isDone = Mutex(false)
        let run = try ServerRun(
            received: { connection, _ in update(connection) },
            drained: { connection in
                if isDone.withLock({ !$0 }) { update(connection) }
            }
        )
        let client = try run.open(receiveBuffer: 4_096)
        let connection = try run.handler.wait { $0.opened.count == 1 }.opened[0]
        client.sendText("begin")
        try run.handler.wait { $0.messages == ["begin"] }
        // Until the socket takes no more: one update waits.
        while connection.waitingByteCount == 0 { sched_yield() }
        var peak = 0
        for _ in 0..<100_000 {
            version.withLock { $0 += 1 }
            peak = max(peak, connection.waitingByteCount)
        }
        #expect(peak <= 17_000)
        #expect(made.withLock { $0 } < 1_000)
        var last = ""
        while !last.hasPrefix("100000 ") { last = try #require(try client.readText()) }
        isDone.withLock { $0 = true }
        #expect(connection.isOpen)
    }

    @Test("PG4 the budget counts what messages cost, so that empty ones are not free")
    func costs() {
        var queue = OutgoingQueue()
        var limits = PageServerLimits()
        limits.outgoingBudget = 1_000
        limits.outgoingMessageBytes = 5_000
        let empty: () -> [UInt8] = { [0, 0] }
        var count = 0
        while queue.append(count: 0, limits: limits, empty) == .waits { count += 1 }
        #expect(count == 1_000 / OutgoingQueue.messageCost)
        for _ in 0..<count {
            #expect(queue.takeFirst(padding: 2) == [0, 0])
            #expect(!queue.isEmpty)
            queue.finishCurrent()
        }
        #expect(queue.isEmpty && queue.takeFirst(padding: 2) == nil)
        // A message beyond the budget, but within its own limit, goes alone.
        let long: () -> [UInt8] = { [UInt8](repeating: 0, count: 5_002) }
        #expect(queue.append(count: 5_000, limits: limits, long) == .waits)
        #expect(queue.append(count: 0, limits: limits, empty) == .refused(.overBudget(limit: 1_000)))
        #expect(queue.takeFirst(padding: 2)?.count == 5_002)
        #expect(queue.append(count: 0, limits: limits, empty) == .refused(.overBudget(limit: 1_000)))
        queue.finishCurrent()
        #expect(queue.isEmpty)
        let refusal = PageClosure.outgoingMessageTooLong(count: 5_001, limit: 5_000)
        #expect(queue.append(count: 5_001, limits: limits, long) == .refused(refusal))
    }

    @Test("PG4 ten pages that stopped reading cost less than 2 MiB each, with long and with short messages")
    func memory() async throws {
        let result = try await #require(processExitsWith: .success, observing: [\.standardOutputContent]) {
            let run = try ServerRun()
            let clients = try (0..<10).map { _ in try run.open(receiveBuffer: 4_096) }
            let connections = try run.handler.wait { $0.opened.count == 10 }.opened
            let text = String(repeating: "x", count: 60_000)
            let before = Self.residentBytes()
            for (index, connection) in connections.enumerated() {
                // Also of many short messages.
                let text = index % 2 == 0 ? text : "x"
                while connection.waitingByteCount + text.utf8.count < 1_000_000 { connection.send(text) }
            }
            // The server has tried to send, and the sockets took no more.
            let after = Self.residentBytes()
            print("MEMORY \(max(0, after - before) / 10)")
            withExtendedLifetime(clients) {}
            exit(0)
        }
        let output = String(decoding: result.standardOutputContent, as: UTF8.self)
        let match = try #require(output.firstMatch(of: #/MEMORY (\d+)/#))
        let bytes = try #require(Int(match.1))
        // A sanitizer keeps released memory.
        #expect(bytes < 2 * 1_024 * 1_024 || Self.isSanitized, "\(bytes) bytes")
        // Otherwise nothing was measured.
        #expect(bytes > 500_000, "\(bytes) bytes")
    }

    /// A Boolean value that indicates whether the process was built with a sanitizer.
    static let isSanitized = dlsym(nil, "__asan_init") != nil || dlsym(nil, "__tsan_init") != nil

    /// Returns the resident memory of the process.
    static func residentBytes() -> Int {
        guard let text = try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8) else { return 0 }
        return (Int(text.split(separator: " ")[1]) ?? 0) * sysconf(Int32(_SC_PAGESIZE))
    }
}
