import Foundation

/// A way to send messages to a browser.
protocol BrowserConnection: Sendable {
    /// Sends a message.
    ///
    /// A browser that is gone is noticed by the thread that reads.
    func send(_ message: Data)
}

/// A process of Chromium that speaks its protocol over the descriptors 3 and 4, in messages that end with NUL.
///
/// Both descriptors are one end of a pair of sockets: a browser that is gone then raises no signal in the tests.
final class BrowserProcess: BrowserConnection {
    /// The programs that have the protocol, the smaller one first.
    static let program: String? = firstInstalled(of: [
        "/usr/bin/chromium-headless-shell", "/usr/bin/chromium", "/usr/bin/chromium-browser",
    ])

    /// Returns the first of some paths that is a program.
    static func firstInstalled(of paths: [String]) -> String? {
        paths.first { FileManager.default.isExecutableFile(atPath: $0) && !isFolder($0) }
    }

    private static func isFolder(_ path: String) -> Bool {
        var isFolder: ObjCBool = false
        return FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) && isFolder.boolValue
    }

    private let process: pid_t
    private let socket: Int32
    private let folder: String

    /// Starts the browser.
    ///
    /// A thread of its own reads the messages until the browser ends.
    ///
    /// - Parameters:
    ///   - program: The program.
    ///   - width: The width of the window.
    ///   - height: The height of the window.
    ///   - received: Takes a message, without its NUL.
    ///   - ended: Is called once, after the last message.
    /// - Throws: ``BrowserError`` if the browser cannot be started.
    init(
        program: String,
        width: Int,
        height: Int,
        received: @escaping @Sendable (Data) -> Void,
        ended: @escaping @Sendable () -> Void
    ) throws {
        var ends: [Int32] = [0, 0]
        guard socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0, &ends) == 0
        else {
            throw BrowserError("a pair of sockets cannot be created: \(String(cString: strerror(errno)))")
        }
        folder = NSTemporaryDirectory() + "page-tests-" + UUID().uuidString
        let arguments = [
            program, "--headless=new", "--no-sandbox", "--disable-dev-shm-usage", "--disable-gpu",
            "--no-first-run",
            "--remote-debugging-pipe", "--user-data-dir=\(folder)", "--window-size=\(width),\(height)",
            "--force-color-profile=srgb", "--font-render-hinting=none", "about:blank",
        ]
        let child = fcntl(ends[1], F_DUPFD_CLOEXEC, 16)
        close(ends[1])
        defer { close(child) }
        var started: pid_t = 0
        let code = Self.spawn(&started, program, arguments, socket: child)
        guard code == 0 else {
            close(ends[0])
            throw BrowserError("\(program) cannot be started: \(String(cString: strerror(code)))")
        }
        process = started
        socket = ends[0]
        let descriptor = socket
        let thread = Thread { Self.read(descriptor, received, ended) }
        thread.start()
    }

    deinit {
        // The browser ends with its socket; one that hangs is killed.
        shutdown(socket, Int32(SHUT_RDWR))
        kill(process, SIGKILL)
        var status: Int32 = 0
        waitpid(process, &status, 0)
        close(socket)
        try? FileManager.default.removeItem(atPath: folder)
    }

    private static func spawn(
        _ process: inout pid_t,
        _ program: String,
        _ arguments: [String],
        socket: Int32
    ) -> Int32 {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_adddup2(&actions, socket, 3)
        posix_spawn_file_actions_adddup2(&actions, socket, 4)
        posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
        posix_spawn_file_actions_addopen(&actions, 1, "/dev/null", O_WRONLY, 0)
        posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", O_WRONLY, 0)
        var strings: [UnsafeMutablePointer<CChar>?] = arguments.map { strdup($0) }
        defer { for string in strings { free(string) } }
        strings.append(nil)
        return posix_spawn(&process, program, &actions, nil, strings, environ)
    }

    func send(_ message: Data) {
        let bytes = [UInt8](message) + [0]
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes {
                Glibc.send(socket, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
            }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { return }
            rest = rest.dropFirst(count)
        }
    }

    private static func read(_ socket: Int32, _ received: (Data) -> Void, _ ended: () -> Void) {
        var message: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while true {
            let count = recv(socket, &buffer, buffer.count, 0)
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { break }
            var rest = buffer[..<count]
            while let end = rest.firstIndex(of: 0) {
                received(Data(message + rest[..<end]))
                message = []
                rest = rest[(end + 1)...]
            }
            message += rest
        }
        ended()
    }
}
