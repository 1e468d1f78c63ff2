internal import CTerminal
internal import Foundation

/// A process that restores the terminal when the program has ended without doing so, for example by SIGKILL.
///
/// It is the program itself, started again with arguments by which it calls ``run()``. A plain fork of a process with
/// threads would not be safe. It reads a socket whose other end only the program holds: the end of the file is the end
/// of the program.
public final class TerminalGuardian {
    static let leftNotice = "L\n"
    private static let enteredNotice = "E\n"

    /// The descriptor for notices.
    let descriptor: Int32

    /// Starts the guardian of a terminal.
    ///
    /// - Parameters:
    ///   - terminal: A descriptor of the terminal.
    ///   - attributes: The attributes to restore.
    ///   - arguments: The arguments of the program, with which it calls ``run()``.
    /// - Throws: ``TerminalError`` if the process cannot be started.
    init(terminal: Int32, attributes: termios, arguments: [String]) throws(TerminalError) {
        var ends: [Int32] = [0, 0]
        let pairCode = CTerminal_socketPair(&ends)
        guard pairCode == 0 else {
            throw TerminalError("a socket cannot be created: \(String(cString: strerror(pairCode)))")
        }
        let code = Self.spawn(input: ends[0], terminal: terminal, arguments)
        close(ends[0])
        guard code == 0 else {
            close(ends[1])
            throw TerminalError(
                "the process that restores the terminal cannot be started: \(String(cString: strerror(code)))"
            )
        }
        descriptor = ends[1]
        let hexadecimal = withUnsafeBytes(of: attributes) { bytes in
            bytes.map { String(UInt16($0) + 0x100, radix: 16).dropFirst() }.joined()
        }
        notify("T\(hexadecimal)\n")
    }

    deinit { close(descriptor) }

    /// Reports that the screen will be entered.
    func entered() { notify(Self.enteredNotice) }

    /// Reports that the terminal was restored.
    func left() { notify(Self.leftNotice) }

    private func notify(_ notice: String) {
        // A guardian that is gone ends neither the program nor makes it wait.
        notice.withCString { CTerminal_send(descriptor, $0, strlen($0)) }
    }

    private static func spawn(input: Int32, terminal: Int32, _ arguments: [String]) -> Int32 {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_adddup2(&actions, input, 0)
        posix_spawn_file_actions_adddup2(&actions, terminal, 1)
        posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", O_WRONLY, 0)
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        // A process group of its own gets no signal from keys, and none that is for the job.
        posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETPGROUP))
        posix_spawnattr_setpgroup(&attributes, 0)
        var strings = ([CommandLine.arguments.first ?? "guardian"] + arguments).map { strdup($0) }
        defer { for string in strings { free(string) } }
        strings.append(nil)
        var process: pid_t = 0
        return posix_spawn(&process, "/proc/self/exe", &actions, &attributes, strings, environ)
    }

    // MARK: - The other process

    /// Waits until the program has ended, and restores the terminal if it has not done so.
    ///
    /// Call it before the process has started threads or handles signals.
    public static func run() -> Never {
        for number in [SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGTSTP, SIGTTOU, SIGTTIN, SIGPIPE] {
            signal(number, SIG_IGN)
        }
        var lines: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 1_024)
        while true {
            let count = read(0, &buffer, buffer.count)
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { break }
            lines += buffer[..<count]
        }
        let notices = String(decoding: lines, as: UTF8.self).split(separator: "\n")
        if notices.last == "E" { restore(notices.first { $0.hasPrefix("T") }) }
        _exit(0)
    }

    private static func restore(_ notice: Substring?) {
        // The terminal is open without waiting, and may be slow.
        var rest = TerminalModes.leave[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { write(1, $0.baseAddress, $0.count) }
            if count > 0 { rest = rest.dropFirst(count) }
            if count < 0, errno != EAGAIN, errno != EINTR { break }
            var request = pollfd(fd: 1, events: Int16(POLLOUT), revents: 0)
            if count <= 0 { _ = poll(&request, 1, 1_000) }
        }
        let digits = Array((notice ?? "").dropFirst())
        var attributes = termios()
        guard digits.count == MemoryLayout<termios>.size * 2 else { return }
        withUnsafeMutableBytes(of: &attributes) { bytes in
            for index in bytes.indices {
                bytes[index] = UInt8(String(digits[index * 2...index * 2 + 1]), radix: 16) ?? 0
            }
        }
        tcsetattr(1, TCSANOW, &attributes)
    }
}
