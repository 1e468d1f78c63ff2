/// An output of a command for text.
public protocol TextOutput: Sendable {
    /// Writes a whole string before it returns.
    ///
    /// - Throws: ``OutputError`` if the output cannot be written any more.
    func write(_ text: String) throws(OutputError)

    /// Writes bytes as they are before it returns.
    ///
    /// - Throws: ``OutputError`` if the output cannot be written any more.
    func write(bytes: [UInt8]) throws(OutputError)

    /// The width of the terminal in columns; `nil` if the output is not a terminal that can redraw a line.
    var terminalColumns: Int? { get }
}

extension TextOutput {
    /// Writes bytes as UTF-8, in which those that are not are replaced.
    public func write(bytes: [UInt8]) throws(OutputError) {
        try write(String(decoding: bytes, as: UTF8.self))
    }
}

/// The reason why an output cannot be written any more.
public enum OutputError: Error, Hashable {
    /// The reader has closed it, as `head` does when it has read enough.
    case closed
    /// Another error, with the system's description.
    case failed(String)
}
