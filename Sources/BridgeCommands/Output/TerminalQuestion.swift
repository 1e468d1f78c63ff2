#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Musl)
    internal import Musl
#else
    internal import Darwin
#endif

/// A question to the person at the terminal of this process.
enum TerminalQuestion {
    /// The longest answer, in bytes.
    private static let maximumBytes = 256

    /// Returns a closure that asks; `nil` if standard input or standard error is not a terminal.
    static func standard(environment: [String: String]) -> (@Sendable (String) -> String?)? {
        guard isatty(STDIN_FILENO) == 1, isatty(STDERR_FILENO) == 1 else { return nil }
        let isDumb = environment["TERM"] == "dumb"
        // A script that reads standard input must not get the answer.
        return { question in StandardInput.withExclusiveUse { ask(question, isDumb: isDumb) } }
    }

    private static func ask(_ question: String, isDumb: Bool) -> String? {
        // The output of a script may hide the question: the attributes are reset, and the line is a new one.
        let reset = isDumb ? "\n" : "\u{1B}[!p\u{1B}[0m\r\n"
        guard (try? FileOutput.standardError.write(reset + question)) != nil else { return nil }
        // Keys that were pressed before the question do not answer it, nor do replies of the terminal to a script's output.
        tcdrain(STDERR_FILENO)
        tcflush(STDIN_FILENO, TCIFLUSH)
        guard (try? FileOutput.standardError.write("Answer: ")) != nil else { return nil }
        let answer = line()
        tcflush(STDIN_FILENO, TCIFLUSH)
        return answer
    }

    /// Reads one line; `nil` at the end of input, or for one that is longer than any answer.
    private static func line() -> String? {
        var bytes: [UInt8] = []
        var byte: UInt8 = 0
        while bytes.count < maximumBytes {
            switch read(STDIN_FILENO, &byte, 1) {
            case 1 where byte == UInt8(ascii: "\n"): return String(validating: bytes, as: UTF8.self)
            case 1: bytes.append(byte)
            case -1 where errno == EINTR: continue
            default: return nil
            }
        }
        return nil
    }
}
