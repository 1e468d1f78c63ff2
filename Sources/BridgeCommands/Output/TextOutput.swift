/// An output of a command for text.
public protocol TextOutput: Sendable {
    /// Writes a whole string before it returns.
    ///
    /// - Throws: ``OutputError`` if the output cannot be written any more.
    func write(_ text: String) throws(OutputError)

    /// The width of the terminal in columns; `nil` if the output is not a terminal that can redraw a line.
    var terminalColumns: Int? { get }
}

/// The reason why an output cannot be written any more.
public enum OutputError: Error, Hashable {
    /// The reader has closed it, as `head` does when it has read enough.
    case closed
    /// Another error, with the system's description.
    case failed(String)
}
