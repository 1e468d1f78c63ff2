internal import BridgeProtocol
internal import BridgeValues
internal import Foundation

/// A command of the prompt: a dot, its name, and an argument.
enum REPLDotCommand: Hashable {
    case help
    case exit
    case load(String)
    case type(String)
    case time(String)
    /// Anything else, with the reason why it is not a command.
    case invalid(String)

    static let names = ["exit", "help", "load", "time", "type"]

    static let helpText = """
        .exit        end the session, as Ctrl-D does
        .help        print this list
        .load FILE   evaluate a file
        .time CODE   evaluate, and print the time that it took
        .type CODE   evaluate, and print the type of the value

        _ is the last result, _error the last error. Tab completes names, Ctrl-R searches
        the history, Alt-Enter begins a new line, and Ctrl-C stops a script.
        """

    /// Parses a line; `nil` for an input that is not a command, such as `.5 + 1`.
    init?(_ line: String) {
        let trimmed = line.trimmingCharacters(in: .whitespacesAndNewlines)
        guard trimmed.first == ".", trimmed.dropFirst().first?.isNumber != true else { return nil }
        let parts = trimmed.dropFirst().split(maxSplits: 1, whereSeparator: \.isWhitespace).map(String.init)
        let argument = parts.count > 1 ? parts[1].trimmingCharacters(in: .whitespaces) : ""
        let name = parts.first ?? ""
        switch name {
        case "help": self = .help
        case "exit": self = .exit
        case "load", "type", "time":
            guard !argument.isEmpty else {
                self = .invalid("'.\(name)' needs \(name == "load" ? "a file" : "code")")
                return
            }
            self = name == "load" ? .load(argument) : name == "type" ? .type(argument) : .time(argument)
        default: self = .invalid("unknown command '.\(name)': see .help")
        }
    }
}

/// The reply to an input or a command.
enum REPLReply: Sendable, Hashable {
    /// Text for standard output; `nil` for a result that is `undefined`.
    case output(String?)
    /// Text for standard error.
    case failure(String)
    /// The input needs more lines.
    case incomplete
    /// The session ends.
    case end
}

extension REPLSession {
    /// Evaluates an input, or performs a command.
    ///
    /// - Parameters:
    ///   - text: The input, without a line end.
    ///   - isWhole: Whether no more lines can follow.
    ///   - clock: The clock of `.time`.
    /// - Returns: The reply to print.
    func reply(to text: String, isWhole: Bool = false, clock: any MonotonicClock) async -> REPLReply {
        switch REPLDotCommand(text) {
        case nil: return REPLReply(await evaluate(text, isWhole: isWhole))
        case .help: return .output(REPLDotCommand.helpText)
        case .exit: return .end
        case .invalid(let reason): return .failure(Printable.text(reason))
        case .type(let code): return REPLReply(await evaluate(code, isWhole: true, use: .type))
        case .time(let code):
            let start = clock.now
            let result = await evaluate(code, isWhole: true)
            let milliseconds = (clock.now - start) / .milliseconds(1)
            guard case .value(let value) = result else { return REPLReply(result) }
            let time = String(format: "%.3f ms", milliseconds)
            return .output((value.map { $0 + "\n" } ?? "") + time)
        case .load(let path):
            do throws(FileReading.Problem) {
                let bytes = try FileReading.source(of: path, allowsInherited: false)
                guard let code = String(validating: bytes, as: UTF8.self) else {
                    return .failure("\(Printable.text(path)): the file is not UTF-8 text")
                }
                return REPLReply(await evaluate(code, name: path, isWhole: true))
            } catch {
                return .failure("\(Printable.text(path)): \(Printable.text(error.reason))")
            }
        }
    }
}

extension REPLReply {
    init(_ result: REPLResult) {
        switch result {
        case .value(let text): self = .output(text)
        case .error(let text): self = .failure(text)
        case .incomplete: self = .incomplete
        }
    }
}
