import Foundation
import Synchronization

/// A process of Firefox that speaks WebDriver BiDi over a WebSocket.
final class FirefoxProcess: BrowserConnection {
    static let program = BrowserProcess.firstInstalled(of: ["/usr/bin/firefox-esr", "/usr/bin/firefox"])

    private let process: Process
    private let folder: URL
    // One thread reads, and the lock orders those that write: they share nothing but the descriptor.
    nonisolated(unsafe) private let socket: RawClient
    private let writing = Mutex(())

    /// Starts the browser.
    ///
    /// A thread of its own reads the messages until the browser ends.
    ///
    /// - Parameters:
    ///   - program: The program.
    ///   - received: Takes a message.
    ///   - ended: Is called once, after the last message.
    /// - Throws: ``BrowserError`` if the browser cannot be started, or ``RawClient/Failure``.
    init(
        program: String,
        received: @escaping @Sendable (Data) -> Void,
        ended: @escaping @Sendable () -> Void
    ) throws {
        folder = FileManager.default.temporaryDirectory.appendingPathComponent("firefox-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        // Input takes the way of a user's, through the browser: only then has a turn of the wheel an end.
        let preferences = ["", ".wheel"].map { "user_pref('remote.events.async\($0).enabled', true);" }
        let file = folder.appendingPathComponent("user.js")
        try Data(preferences.joined(separator: "\n").utf8).write(to: file)
        let errors = Pipe()
        process = Process()
        process.executableURL = URL(fileURLWithPath: program)
        // Scripts of the browser itself set the preferences of colors and motion.
        process.arguments = [
            "--headless", "--no-remote", "--profile", folder.path, "--remote-debugging-port", "0",
            "--remote-allow-system-access", "about:blank",
        ]
        process.standardOutput = FileHandle.nullDevice
        process.standardError = errors
        try process.run()
        let port = try Self.readPort(of: errors.fileHandleForReading)
        // What it prints later is dropped, so that the pipe cannot fill.
        errors.fileHandleForReading.readabilityHandler = {
            if $0.availableData.isEmpty { $0.readabilityHandler = nil }
        }
        socket = try RawClient(port: port)
        socket.send(
            [
                "GET /session HTTP/1.1", "Host: 127.0.0.1:\(port)", "Upgrade: websocket",
                "Connection: Upgrade", "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==",
                "Sec-WebSocket-Version: 13", "", "",
            ]
            .joined(separator: "\r\n")
        )
        guard try socket.readHead().first?.contains("101") == true else {
            throw BrowserError("\(program) refused the connection")
        }
        nonisolated(unsafe) let socket = socket
        Thread { Self.read(socket, received, ended) }.start()
    }

    deinit {
        kill(process.processIdentifier, SIGKILL)
        process.waitUntilExit()
        try? FileManager.default.removeItem(at: folder)
    }

    /// Reads what the program prints up to the port that it listens on.
    private static func readPort(of output: FileHandle) throws -> UInt16 {
        var text = ""
        while true {
            let data = output.availableData
            guard !data.isEmpty else { throw BrowserError("Firefox has ended: \(text)") }
            text += String(decoding: data, as: UTF8.self)
            if let match = text.firstMatch(of: /ws:\/\/127\.0\.0\.1:(\d+)\s/), let port = UInt16(match.1) {
                return port
            }
        }
    }

    func send(_ message: Data) {
        let frame = RawClient.frame(1, [UInt8](message))
        writing.withLock { _ in socket.send(frame) }
    }

    private static func read(
        _ socket: RawClient,
        _ received: (Data) -> Void,
        _ ended: () -> Void
    ) {
        while !socket.isAtEnd {
            // A browser that says nothing for half a minute is an error for others.
            guard let text = try? socket.readText() else { continue }
            received(Data(text.utf8))
        }
        ended()
    }
}
