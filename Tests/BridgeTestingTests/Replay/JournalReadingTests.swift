import BridgeProtocol
import BridgeTesting
import BridgeValues
import Foundation
import JavaScriptBridge
import Testing

@Suite("Journals: reading and writing")
struct JournalReadingTests {
    private static let header = Journal(header: JournalHeader(), entries: []).text

    @Test(
        "An invalid journal is refused with its error",
        arguments: [
            ("", BridgeErrorCode.invalidMessage, "empty"), ("{}\n", .invalidMessage, "Line 1"),
            ("no\n", .invalidMessage, "Line 1"),
            (header + "[]\n", .invalidMessage, "an object"),
            ("{\"journal\":\"jsbridge\"}\n", .invalidMessage, "version"),
            ("{\"journal\":\"jsbridge\",\"version\":99}\n", .unsupported, "version 99"),
            (header + "{\"kind\":\"none\"}\n", .invalidMessage, "Line 2"),
            (header + "{\"kind\":\"sent\"}\n", .invalidMessage, "message"),
            (header + "{\"kind\":\"sent\",\"message\":\"request\"}\n", .invalidMessage, "handler"),
            (header + "{\"kind\":\"sent\",\"message\":\"response\",\"id\":-1}\n", .invalidMessage, "id"),
            (
                header + "{\"kind\":\"sent\",\"message\":\"control\",\"id\":1,\"control\":\"x\"}\n",
                .invalidMessage, "known"
            ),
            (header + "{\"kind\":\"timer\",\"id\":\"1\"}\n", .invalidMessage, "\"id\""),
            (header + "{\"kind\":\"date\",\"time\":1,\"count\":0}\n", .invalidMessage, "count"),
            (header + "{\"kind\":\"context\",\"epoch\":\"\",\"seed\":\"xyz\"}\n", .invalidMessage, "seed"),
            (
                header + "{\"kind\":\"answer\",\"value\":{\"$\":\"bigint\",\"v\":\"1.5\"}}\n",
                .invalidMessage, "bigint"
            ),
            (header + "{\"kind\":\"script\",\"text\":1}\n{\"kind\":\"full\"}\n", .invalidMessage, "Line 2"),
        ]
    )
    func refused(text: String, code: BridgeErrorCode, part: String) {
        do throws(BridgeError) {
            _ = try Journal(text)
            Issue.record("it was read: \(text)")
        } catch {
            #expect(error.code == code || error.code == .decodeFailed, "\(error)")
            #expect(error.message.contains(part), "\(error)")
        }
    }

    @Test("An endlessly nested line is refused, and its text uses no stack")
    func deep() {
        let deep = String(repeating: "[", count: 200_000)
        #expect(throws: BridgeError.self) {
            try Journal(Self.header + "{\"kind\":\"answer\",\"value\":" + deep + "\n")
        }
    }

    @Test("A missing file is an error that names it")
    func missing() {
        #expect(throws: BridgeError.self) { try Journal(contentsOfFile: "/nowhere/x.journal") }
        #expect(throws: BridgeError.self) { try BridgeJournal(path: "/nowhere/x.journal") }
    }

    @Test("A journal belongs to one bridge: passing it to another is a programming error")
    func twoBridges() async {
        await #expect(processExitsWith: .failure) {
            var configuration = BridgeConfiguration()
            configuration.journal = BridgeJournal { _ in }
            let first = try Bridge(configuration: configuration)
            let second = try Bridge(configuration: configuration)
            withExtendedLifetime((first, second)) {}
        }
    }

    @Test("A full disk ends the journal with its reason, and not the bridge")
    func fullDisk() async throws {
        var configuration = BridgeConfiguration()
        configuration.defaultTimeout = nil
        let journal = try BridgeJournal(path: "/dev/full")
        configuration.journal = journal
        #expect(configuration.journal === journal)
        let bridge = try Bridge(configuration: configuration)
        try await bridge.load(.text("bridge.registerHandler('one', () => 1);", name: "a.js"))
        #expect(try await bridge.callHandler("one", returning: Int.self) == 1)
        #expect(journal.failure?.code == .internal)
        #expect(journal.failure?.message.contains("The journal ends here") == true)
    }

    @Test("A journal is written to its file line by line, before its bridge is closed")
    func file() async throws {
        let path = FileManager.default.temporaryDirectory.appending(path: "\(UUID()).journal").path
        defer { try? FileManager.default.removeItem(atPath: path) }
        var configuration = BridgeConfiguration()
        let journal = try BridgeJournal(path: path)
        configuration.journal = journal
        let bridge = try Bridge(configuration: configuration)
        try await bridge.load(.text("bridge.notify('a', 1);", name: "a.js"))
        let read = try Journal(contentsOfFile: path)
        #expect(read.entries.count == journal.entryCount)
        #expect(read.entries.contains { if case .received = $0 { true } else { false } })
        bridge.close()
        #expect(try Journal(contentsOfFile: path).entries.contains(.closed))
    }

    @Test("Hostile journals, random changes of a valid one, cause an error or a report, never a crash")
    func mutated() async throws {
        let text = try await ReplayTests.record().text
        let seed = UInt64.random(in: 0 ... .max)
        var generator = Generator(state: seed)
        for _ in 0..<150 {
            var bytes = Array(text.utf8)
            for _ in 0...(generator.next() % 4) {
                let place = Int(generator.next() % UInt64(bytes.count))
                switch generator.next() % 4 {
                case 0: bytes[place] = UInt8(truncatingIfNeeded: generator.next())
                case 1: bytes.remove(at: place)
                case 2: bytes.insert(contentsOf: Array("\"id\":1,".utf8), at: place)
                default:
                    let lines = String(decoding: bytes, as: UTF8.self).split(separator: "\n").map(String.init)
                    var moved = lines
                    moved.swapAt(1 + Int(generator.next() % UInt64(lines.count - 1)), lines.count - 1)
                    bytes = Array((moved.joined(separator: "\n") + "\n").utf8)
                }
            }
            guard let journal = try? Journal(String(decoding: bytes, as: UTF8.self)) else { continue }
            var replay = JournalReplay(journal)
            replay.timeLimit = .milliseconds(500)
            do { _ = try await replay.run() } catch {
                #expect(error is BridgeError || error is JSException, "seed \(seed)")
            }
        }
    }
}

private struct Generator {
    var state: UInt64

    mutating func next() -> UInt64 {
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        return state >> 33
    }
}
