internal import CTerminal
internal import Foundation

/// A process that restores the terminal when the program has ended without doing so, for example by SIGKILL.
///
/// It is the program itself, started again with arguments by which it calls ``run()``. A plain fork of a process with
/// threads would not be safe. It reads a pipe that only the program writes to: the end of the last writer is the end of
/// the program. What the program has not written to leave the screen is still in the pipe.
public final class TerminalGuardian {
    /// The read end of the pipe, from which the bytes are moved to the terminal.
    let pipe: Int32
    private let writeEnd: Int32

    /// Starts the guardian of a terminal.
    ///
    /// - Parameters:
    ///   - terminal: A descriptor of the terminal.
    ///   - arguments: The arguments of the program, with which it calls ``run()``.
    /// - Throws: ``TerminalError`` if the process cannot be started.
    init(terminal: Int32, arguments: [String]) throws(TerminalError) {
        var ends: [Int32] = [0, 0]
        let pipeCode = CTerminal_pipe(&ends)
        guard pipeCode == 0 else {
            throw TerminalError("a pipe cannot be created: \(String(cString: strerror(pipeCode)))")
        }
        let code = Self.spawn(pipe: ends[0], terminal: terminal, arguments)
        guard code == 0 else {
            for end in ends { close(end) }
            throw TerminalError(
                "the process that restores the terminal cannot be started: \(String(cString: strerror(code)))"
            )
        }
        (pipe, writeEnd) = (ends[0], ends[1])
    }

    deinit {
        close(pipe)
        close(writeEnd)
    }

    /// Fills the pipe before the screen is entered, and returns 0 or an error number.
    func prepare(_ attributes: inout termios) -> Int32 { CTerminal_prepare(writeEnd, &attributes) }

    private static func spawn(pipe: Int32, terminal: Int32, _ arguments: [String]) -> Int32 {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_adddup2(&actions, pipe, 0)
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
        CTerminal_guard(0, 1)
        _exit(0)
    }
}
