import Foundation
import Synchronization
import Testing

@testable import PageViews

@Suite("WebSockets of pages")
struct WebSocketTests {
    @Test("a page opens a WebSocket with the one subprotocol and without extensions")
    func handshake() throws {
        let run = try ServerRun()
        let client = try run.connect()
        client.send(run.handshake())
        let head = try client.readHead().map { $0.lowercased() }
        #expect(
            Set(head) == [
                "http/1.1 101 switching protocols", "upgrade: websocket", "connection: upgrade",
                // From the example of RFC 6455, whose key the handshake has.
                "sec-websocket-accept: s3pplmbitxaq9kygzzhzrbk+xoo=", "sec-websocket-protocol: jsbridge",
            ]
        )
    }

    @Test("messages of all lengths and cuts arrive whole and in order in both directions")
    func echo() throws {
        let run = try ServerRun(received: { $0.send($1) })
        let client = try run.open()
        let texts = [0, 1, 125, 126, 127, 4_095, 4_096, 4_097, 65_535, 65_536].map { count in
            String(repeating: "é", count: count / 2) + (count % 2 == 0 ? "" : "x")
        }
        for text in texts {
            client.sendText(text)
            #expect(try client.readText() == text)
        }
        // Parts that cut characters, with a ping between them.
        let text = "é漢😀"
        let bytes = Array(text.utf8)
        for (index, byte) in bytes.enumerated() {
            let isLast = index == bytes.count - 1
            client.send(RawClient.frame(index == 0 ? 1 : 0, [byte], isFinal: isLast))
            if index == 3 { client.send(RawClient.frame(9, Array("ping".utf8))) }
        }
        #expect(try client.readFrame() == RawClient.Frame(opcode: 10, payload: Array("ping".utf8)))
        #expect(try client.readText() == text)
        let numbers = (0..<2_000).map(String.init)
        client.send(numbers.flatMap { RawClient.frame(1, Array($0.utf8)) })
        for number in numbers { #expect(try client.readText() == number) }
        #expect(run.handler.record.messages == texts + [text] + numbers)
    }

    @Test("PG3 messages of several threads arrive whole, those of each thread in order")
    func threads() throws {
        let run = try ServerRun()
        let client = try run.open()
        let connection = try run.handler.wait { $0.opened.count == 1 }.opened[0]
        let group = DispatchGroup()
        for thread in 0..<4 {
            DispatchQueue.global().async(group: group) {
                for number in 0..<500 { connection.send("\(thread) \(number)") }
            }
        }
        var next = [0, 0, 0, 0]
        for _ in 0..<2_000 {
            let parts = try #require(try client.readText()).split(separator: " ").compactMap { Int($0) }
            #expect(parts[1] == next[parts[0]])
            next[parts[0]] += 1
        }
        #expect(next == [500, 500, 500, 500])
        group.wait()
        #expect(connection.waitingByteCount == 0)
    }

    @Test("PG5 a long message is sent in parts, one beyond the limit closes the connection")
    func parts() throws {
        let run = try ServerRun { $0.limits.outgoingMessageBytes = 3_000_000 }
        let client = try run.open()
        let connection = try run.handler.wait { $0.opened.count == 1 }.opened[0]
        let text = String(repeating: "0123456789", count: 250_000)
        #expect(connection.send(text))
        var frames: [RawClient.Frame] = []
        while frames.last?.isFinal != true { frames.append(try #require(try client.readFrame())) }
        #expect(frames.map(\.opcode) == [1] + [UInt8](repeating: 0, count: frames.count - 1))
        #expect(frames.allSatisfy { $0.payload.count <= 64 * 1_024 })
        #expect(frames.map(\.text).joined() == text)
        try run.handler.wait { $0.drains == 1 }
        #expect(!connection.send(String(repeating: "x", count: 3_000_001)))
        #expect(!connection.isOpen)
        #expect(try client.readClose()?.code == 1_008)
        let closure = PageClosure.outgoingMessageTooLong(count: 3_000_001, limit: 3_000_000)
        #expect(try run.handler.wait { !$0.closures.isEmpty }.closures == [closure])
        #expect("\(closure)" == "a message to the page has 3000001 bytes (limit 3000000)")
    }

    @Test("PG5 a page that breaks a rule is closed with the code of the rule")
    func violations() throws {
        let run = try ServerRun()
        let long = [UInt8](repeating: 65, count: 65_537)
        let rows: [(String, [UInt8], Int)] = [
            ("a long message", RawClient.frame(1, long), 1_009),
            (
                "a long message in parts",
                RawClient.frame(1, long.dropLast(2), isFinal: false) + RawClient.frame(0, [65, 65]), 1_009
            ),
            (
                "endless parts",
                (0..<2).flatMap { RawClient.frame($0 == 0 ? 1 : 0, long.dropLast(), isFinal: false) }, 1_009
            ),
            (
                "a length of nearly 2^63",
                [0x81, 0xFF, 0x7F] + [UInt8](repeating: 255, count: 7) + [1, 2, 3, 4] + long, 1_009
            ),
            ("bytes", RawClient.frame(2, [1, 2]), 1_007),
            ("no UTF-8", RawClient.frame(1, [0xFF, 0xFE]), 1_007),
            ("half a character", RawClient.frame(1, [0xC3]), 1_007),
            ("a surrogate", RawClient.frame(1, [0xED, 0xA0, 0x80]), 1_007),
            ("an overlong NUL", RawClient.frame(1, [0xC0, 0x80]), 1_007),
            ("a reserved opcode", RawClient.frame(3, [65]), 1_002),
            ("a reserved control opcode", RawClient.frame(11, [65]), 1_002),
            ("reserved bits", RawClient.frame(1, [65], reserved: 4), 1_002),
            ("a control frame in parts", RawClient.frame(9, [65], isFinal: false), 1_002),
            ("a part of nothing", RawClient.frame(0, [65]), 1_002),
            (
                "a message in a message", RawClient.frame(1, [65], isFinal: false) + RawClient.frame(1, [65]),
                1_002
            ),
        ]
        for (index, row) in rows.enumerated() {
            let client = try run.open()
            client.send(row.1)
            #expect(try client.readClose()?.code == row.2, "\(row.0)")
            client.close()
            try run.handler.wait { $0.closures.count == index + 1 }
        }
        #expect(run.handler.record.messages.isEmpty)
        // One long control frame has no answer, but the connection ends.
        let client = try run.open()
        client.send(RawClient.frame(9, [UInt8](repeating: 65, count: 126)))
        #expect(try client.readFrame() == nil)
    }

    @Test("a page closes with any code, and its reason is reported")
    func closing() throws {
        let run = try ServerRun()
        let rows: [([UInt8], PageClosure)] = [
            ([], .byPage(code: 1_005, reason: "")),
            ([3], .byPage(code: 1_005, reason: "")),
            ([0x03, 0xE8], .byPage(code: 1_000, reason: "")),
            ([0x0F, 0xA0] + Array("bye".utf8), .byPage(code: 4_000, reason: "bye")),
            ([0x03, 0xE9, 0xFF], .byPage(code: 1_001, reason: "\u{FFFD}")),
        ]
        for (index, row) in rows.enumerated() {
            let client = try run.open()
            client.send(RawClient.frame(8, row.0))
            #expect(try client.readClose() != nil)
            #expect(try client.readFrame() == nil)
            #expect(try run.handler.wait { $0.closures.count == index + 1 }.closures[index] == row.1)
        }
        let client = try run.open()
        client.reset()
        #expect(try run.handler.wait { $0.closures.count == rows.count + 1 }.closures.last == .lost)
        #expect(run.handler.record.opened.allSatisfy { !$0.isOpen && !$0.send("x") })
    }

    @Test("the program closes after what waits, and the reason is cut to the limit of the protocol")
    func closingByProgram() throws {
        let run = try ServerRun()
        let client = try run.open()
        let connection = try run.handler.wait { $0.opened.count == 1 }.opened[0]
        let reason = String(repeating: "漢", count: 100)
        connection.send("last words")
        connection.close(reason)
        connection.close("again")
        #expect(!connection.send("too late"))
        #expect(try client.readText() == "last words")
        let frame = try #require(try client.readClose())
        #expect(frame.code == 1_000)
        #expect(
            String(decoding: frame.payload.dropFirst(2), as: UTF8.self) == String(repeating: "漢", count: 41)
        )
        client.send(RawClient.frame(8, frame.payload))
        #expect(try client.readFrame() == nil)
        #expect(try run.handler.wait { !$0.closures.isEmpty }.closures == [.byProgram(reason: reason)])
    }

    @Test("PG5 a page beyond the limit is refused, and there is room again when one closes")
    func connectionLimit() throws {
        let run = try ServerRun { $0.limits.connections = 3 }
        var clients = try (0..<3).map { _ in try run.open() }
        let refused = try run.connect()
        refused.send(run.handshake())
        #expect(try refused.readHead().first == "HTTP/1.1 503 Service Unavailable")
        // Files are still served.
        let file = try run.connect()
        file.send("GET / HTTP/1.1\r\nHost: 127.0.0.1:\(run.port)\r\n\r\n")
        #expect(try file.readHead().first == "HTTP/1.1 200 OK")
        clients.removeFirst().reset()
        try run.handler.wait { $0.closures.count == 1 }
        clients.append(try run.open())
        clients.removeAll()
    }

    @Test("PG5 a silent page is sent a ping, stays if it answers, and is closed if it does not")
    func ping() throws {
        let run = try ServerRun {
            $0.limits.pingTime = .seconds(1)
            // Long enough for a client that answers on a loaded machine.
            $0.limits.silenceTime = .seconds(5)
        }
        let answering = try run.open()
        let silent = try run.open()
        for _ in 0..<3 {
            let ping = try #require(try answering.readFrame())
            #expect(ping.opcode == 9)
            answering.send(RawClient.frame(10, ping.payload))
        }
        #expect(try run.handler.wait { $0.closures.count == 1 }.closures == [.lost])
        #expect(try silent.readFrame()?.opcode == 9)
        answering.sendText("here")
        try run.handler.wait { $0.messages == ["here"] }
    }
}
