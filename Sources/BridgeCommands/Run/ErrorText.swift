internal import BridgeValues
internal import DataSources
internal import Foundation
internal import JavaScriptBridge
internal import Stores

/// The text of errors for the user of a command.
///
/// Names of files and strings of scripts are made printable, because they are untrusted.
enum ErrorText {
    /// Returns the text of an error without a position in a script.
    static func plain(_ error: any Error) -> String {
        switch error {
        case let error as StoreError: Printable.text(error.message)
        case let error as BridgeError: Printable.text(error.message)
        case let error as StateArchiveError: Printable.text(error.description)
        case let error as JSException: Printable.lines(error.description)
        case let error as ModuleError: Printable.lines(error.description)
        default: Printable.text((error as NSError).localizedDescription)
        }
    }

    /// Returns the text of an uncaught error of a script: position, message, the lines around the position, stack and
    /// causes.
    ///
    /// The engine has no position for a thrown value that is not an error; the script's name is used instead.
    static func uncaught(_ exception: JSException, in script: RunOptions.Script) -> String {
        let text = Printable.lines(
            exception.sourceURL == nil ? "\(script.name): \(exception)" : exception.description
        )
        let lines = [
            text, detail(of: exception.underlyingError), hint(about: exception.termination),
            moduleHint(exception), testHint(exception),
        ]
        return lines.compactMap { $0 }.joined(separator: "\n")
    }

    private static func hint(about reason: TerminationReason?) -> String? {
        switch reason {
        case .processorTime: limitHint
        case .memory: "(--memory-limit sets how much memory a script's heap may take)"
        default: nil
        }
    }

    /// Returns a hint for a file of tests that was not run as one.
    private static func testHint(_ exception: JSException) -> String? {
        exception.message.contains("no built-in module \"bridge:test\"")
            ? "('jsbridge test FILE' runs tests)" : nil
    }

    /// Returns a hint for a script that uses modules where there are none.
    private static func moduleHint(_ exception: JSException) -> String? {
        let usesModules =
            exception.name == "SyntaxError"
            && ["import call expects", "import.meta", "'export'", "'import'"].contains {
                exception.message.contains($0)
            }
        if usesModules { return "(a script that is recorded is one file, without 'import' and 'export')" }
        let line = exception.codeFrame?.split(separator: "\n").first { $0.hasPrefix(">") } ?? ""
        // Modules have a URL, and a top-level await.
        guard exception.name == "SyntaxError", line.contains("await "),
            exception.sourceURL?.hasPrefix("file:") != true
        else { return nil }
        return "('await' is valid in async functions only; a handler 'main' can be one)"
    }

    /// Returns the text of an error that a script's handler returned, in the same form.
    static func failedCall(_ error: BridgeError, codeFrame: String?) -> String {
        var lines = ["\(place(of: error))\(title(of: error))"]
        if let codeFrame { lines.append(codeFrame) }
        lines += error.frames.map { "    at \($0)" }
        if let cause = error.cause { lines.append("caused by \(cause)") }
        if let detail = detail(of: error.underlyingError) { lines.append(detail) }
        if error.code == .terminated { lines.append(limitHint) }
        return Printable.lines(lines.joined(separator: "\n"))
    }

    /// Returns the details of a store's error that are hidden from scripts but not from the user; `nil` if there are
    /// none.
    private static func detail(of error: (any Error)?) -> String? {
        guard let error = error as? StoreError, error.message != error.messageForScripts else { return nil }
        return Printable.lines("the store says: \(error.message)")
    }

    private static let limitHint =
        "(--time-limit sets how much processor time a turn may take, within the limits of the tier)"

    private static func place(of error: BridgeError) -> String {
        guard let frame = error.frames.first(where: { $0.line != nil }) else { return "" }
        let parts = [frame.sourceURL, frame.line.map(String.init), frame.column.map(String.init)]
        return parts.compactMap { $0 }.joined(separator: ":") + ": "
    }

    // For a plain error that a handler threw, the code adds nothing to the message.
    private static func title(of error: BridgeError) -> String {
        error.code == .handlerFailed ? error.message : "\(error.code): \(error.message)"
    }
}
