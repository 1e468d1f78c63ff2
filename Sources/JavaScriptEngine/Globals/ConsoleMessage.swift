/// One line, or block of lines, that a script wrote to `console`.
public struct ConsoleMessage: Sendable, Hashable {
    /// How much it matters, as the method that was called says.
    public enum Level: String, Sendable, Hashable, CaseIterable {
        /// `console.debug`, `console.trace`.
        case debug
        /// `console.log` and what prints like it.
        case log
        /// `console.info`.
        case info
        /// `console.warn`.
        case warn
        /// `console.error`, a failed `console.assert`.
        case error
    }

    /// How much it matters.
    public let level: Level
    /// The text, formatted.
    public let text: String

    /// Makes a message.
    public init(level: Level, text: String) {
        self.level = level
        self.text = text
    }
}

extension JSContext {
    func print(level: String, text: String) {
        consoleSink?(ConsoleMessage(level: ConsoleMessage.Level(rawValue: level) ?? .log, text: text))
    }

    /// Gives an error that nobody catches to ``uncaughtErrorHandler``.
    package func reportUncaught(_ exception: JSException) { uncaughtErrorHandler?(exception) }
}
