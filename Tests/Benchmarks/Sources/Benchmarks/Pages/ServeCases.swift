import BenchmarkHarness
import Foundation
import PageViews
import Synchronization

/// Messages to a page that reads as fast as it can.
@MainActor let serveCases = [
    BenchmarkCase(
        "serve.push",
        baseline:
            "a loop that sends the same bytes, of frames made before, over a socket of the loopback interface",
        granularity: 100,
        wanted: 0.3
    ) {
        let server = PageServer(PageServerConfiguration(), handler: MessageSource())
        let location = try server.start()
        let page = try LoopbackSocket(page: location)
        let bare = try BareSender()
        return Contest(
            plain: .synchronous { operations in Outcome(Double(bare.run(operations))) },
            ours: .synchronous { operations in
                // A masked frame, with a mask of zeros.
                let request = Array("\(operations)".utf8)
                page.send([0x81, 0x80 | UInt8(request.count), 0, 0, 0, 0] + request)
                let count = page.read(operations * MessageSource.frameLength)
                withExtendedLifetime(server) {}
                return Outcome(Double(count / MessageSource.frameLength))
            },
            expected: { Double($0) }
        )
    }
]

/// A handler that sends as many messages as it was asked for, as the socket takes them.
private final class MessageSource: PageServerHandler {
    /// The bytes of a message of 256 with its header.
    static let frameLength = 260
    private static let text = String(repeating: "x", count: 256)

    private let remaining = Mutex(0)

    func connection(_ connection: PageConnection, received text: String) {
        remaining.withLock { $0 = Int(text) ?? 0 }
        connectionDrained(connection)
    }

    func connectionDrained(_ connection: PageConnection) {
        remaining.withLock { remaining in
            while remaining > 0, connection.waitingByteCount < 256 * 1_024 {
                connection.send(Self.text)
                remaining -= 1
            }
        }
    }
}

/// A thread that sends frames over a connection of its own.
private final class BareSender {
    private let page: LoopbackSocket
    private let sender: LoopbackSocket
    private let frame = [0x81, 126, 1, 0] + [UInt8](repeating: UInt8(ascii: "x"), count: 256)

    init() throws {
        let listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        defer { close(listener) }
        var address = LoopbackSocket.address(0)
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        withUnsafeMutablePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                _ = bind(listener, $0, size)
                _ = listen(listener, 1)
                _ = getsockname(listener, $0, &size)
            }
        }
        page = try LoopbackSocket(port: UInt16(bigEndian: address.sin_port))
        sender = LoopbackSocket(descriptor: accept(listener, nil, nil))
    }

    func run(_ operations: Int) -> Int {
        let thread = Thread { [sender, frame] in
            for _ in 0..<operations { sender.send(frame) }
        }
        thread.start()
        return page.read(operations * frame.count) / frame.count
    }
}
