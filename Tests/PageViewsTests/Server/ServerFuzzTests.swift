import BridgeValues
import Foundation
import Testing

@testable import PageViews

@Suite("Fuzzing the server")
struct ServerFuzzTests {
    /// The number of connections: `Scripts/fuzz-server` sets a larger one.
    static let count =
        ProcessInfo.processInfo.environment["JSBRIDGE_FUZZ_CONNECTIONS"].flatMap { Int($0) } ?? 1_000
    static let seed = ProcessInfo.processInfo.environment["JSBRIDGE_FUZZ_SEED"].flatMap { UInt64($0) } ?? 7

    @Test("PG5 mutated handshakes and frames neither end the server nor fill its memory")
    func connections() async throws {
        // In a process of its own: other tests use memory too.
        let result = try await #require(processExitsWith: .success, observing: [\.standardOutputContent]) {
            let run = try ServerRun({ $0.limits.requestTime = .seconds(1) }, received: { $0.send($1) })
            var mutator = Mutator(seed: Self.seed)
            let handshake = Array(run.handshake().utf8)
            var before = 0
            var upgraded = 0
            for number in 0..<Self.count {
                // Memory that the runtime allocates once is there after the first ones.
                if number == Self.count / 5 { before = SlowPageTests.residentBytes() }
                let client = try run.connect()
                if mutator.isOneOf(2) {
                    client.send(mutator.mutate(handshake, times: 6))
                } else {
                    client.send(handshake)
                    guard try client.readHead().first == "HTTP/1.1 101 Switching Protocols" else {
                        print("connection \(number) of seed \(Self.seed) was refused")
                        exit(1)
                    }
                    upgraded += 1
                    for _ in 0...mutator.below(4) { client.send(mutator.frames()) }
                    if mutator.isOneOf(2) { client.receive(within: 0.002) }
                }
                if mutator.isOneOf(4) { client.reset() }
            }
            // The server still serves.
            let client = try run.open()
            client.sendText("alive")
            guard try client.readText() == "alive" else { exit(2) }
            let growth = SlowPageTests.residentBytes() - before
            run.server.stop()
            let record = run.handler.record
            print("FUZZED \(upgraded) \(growth) \(record.opened.count == record.closures.count)")
            exit(0)
        }
        let output = String(decoding: result.standardOutputContent, as: UTF8.self)
        let match = try #require(output.firstMatch(of: #/FUZZED (\d+) (-?\d+) true/#), "\(output)")
        let (upgraded, growth) = (try #require(Int(match.1)), try #require(Int(match.2)))
        #expect(upgraded > Self.count / 4)
        // It holds no more than at the beginning, whatever the number of connections.
        #expect(
            growth < 8 * 1_024 * 1_024 || SlowPageTests.isSanitized,
            "\(growth) bytes after \(Self.count) connections of seed \(Self.seed)"
        )
    }

    @Test("PG1 no mutation of a request is answered as if it had the token, unless it has")
    func requests() throws {
        let policy = RequestPolicy(try HostileRequestTests.configuration(), port: 4_711)
        let handshake = Array(ServerRun.handshake(port: 4_711).utf8)
        var mutator = Mutator(seed: Self.seed)
        var accepted = 0
        for _ in 0..<3_000 {
            let bytes = mutator.mutate(handshake, times: 3)
            guard case .complete(let head, let count) = RequestHead.read(bytes),
                case .webSocket = policy.verdict(head, hasMore: count < bytes.count)
            else {
                continue
            }
            accepted += 1
            let text = String(decoding: bytes, as: UTF8.self)
            #expect(text.contains("token.\(ServerRun.token)") && text.contains("127.0.0.1:4711"))
            #expect(text.lowercased().contains("origin:") && !text.contains("\0"))
        }
        // Mutations of what does not matter.
        #expect(accepted > 0)
    }
}

/// A generator of random changes of bytes, the same way for the same seed.
struct Mutator {
    private var numbers: SplitMix64

    init(seed: UInt64) { numbers = SplitMix64(seed: seed) }

    mutating func below(_ limit: Int) -> Int { Int(numbers.next() % UInt64(max(1, limit))) }

    mutating func isOneOf(_ count: Int) -> Bool { below(count) == 0 }
    mutating func bytes(_ count: Int) -> [UInt8] { (0..<count).map { _ in UInt8(below(256)) } }

    mutating func mutate(_ bytes: [UInt8], times: Int) -> [UInt8] {
        var bytes = bytes
        for _ in 0...below(times) {
            let index = below(bytes.count)
            switch below(5) {
            case 0, 1: if !bytes.isEmpty { bytes[index] = UInt8(below(256)) }
            case 2: bytes.removeSubrange(index..<min(bytes.count, index + 1 + below(8)))
            case 3: bytes.insert(contentsOf: self.bytes(1 + below(20)), at: index)
            default:
                let part = Array(bytes[max(0, index - 30)..<index])
                for _ in 0...below(20) { bytes.insert(contentsOf: part, at: index) }
            }
        }
        return bytes
    }

    /// Returns frames, of which half are damaged.
    mutating func frames() -> [UInt8] {
        let opcodes: [UInt8] = [1, 2, 0, 8, 9, 10, 1, 1, UInt8(below(16))]
        let payload = bytes([0, 2, 8, 12, 125, 126, 300, 5_000][below(8)])
        let frame = RawClient.frame(
            opcodes[below(opcodes.count)],
            payload,
            isFinal: !isOneOf(4),
            reserved: isOneOf(8) ? UInt8(below(8)) : 0,
            mask: isOneOf(8) ? nil : bytes(4)
        )
        guard isOneOf(2) else { return frame }
        // The header is the part that is parsed.
        return mutate(Array(frame.prefix(14)), times: 2) + frame.dropFirst(14)
    }
}
