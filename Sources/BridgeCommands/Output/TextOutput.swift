/// Where a command writes text.
public protocol TextOutput: Sendable {
    /// Writes all of a text before it returns.
    ///
    /// - Throws: ``OutputError`` when no more can be written.
    func write(_ text: String) throws(OutputError)

    /// How many columns the terminal has; `nil` where this is no terminal that can redraw a line.
    var terminalColumns: Int? { get }
}

/// Why nothing more can be written.
public enum OutputError: Error, Hashable {
    /// Whoever read it has gone, as `head` does when it has enough.
    case closed
    /// Something else, in the system's words.
    case failed(String)
}
