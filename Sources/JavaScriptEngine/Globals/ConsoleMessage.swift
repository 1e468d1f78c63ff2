internal import BridgeValues
internal import CJavaScriptCore

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

extension ConsoleMessage: CustomStringConvertible {
    /// The message as `level: text`, with what a terminal would take for a command made visible.
    public var description: String { "\(level.rawValue): \(Printable.lines(text))" }
}

extension JSContext {
    func print(level: String, text: JSValueRef?) {
        guard let consoleSink, let text else { return }
        let level = ConsoleMessage.Level(rawValue: level) ?? .log
        guard let limit = virtualMachine.limits.maximumConsoleBytesPerSecond else {
            consoleSink(ConsoleMessage(level: level, text: self.text(of: text) ?? ""))
            return
        }
        // What is too long in any encoding is not even converted.
        let units = JSValueIsString(ref, text) ? unitCount(of: text) : 0
        let line = units <= limit ? self.text(of: text) ?? "" : ""
        switch console.judge(max(units, line.utf8.count), limit: limit, now: clock.now) {
        case .drops: return
        case .beginsToDrop:
            consoleSink(
                ConsoleMessage(
                    level: .warn,
                    text: "console is over its limit of \(limit) bytes a second: what is over is dropped"
                )
            )
            return
        case .passesAgain(let dropped):
            consoleSink(
                ConsoleMessage(level: .warn, text: "console dropped \(dropped) messages over its limit")
            )
        case .passes: break
        }
        consoleSink(ConsoleMessage(level: level, text: line))
    }

    // By its property, which no script can replace: a copy would put together what is joined of many parts.
    private func unitCount(of text: JSValueRef) -> Int {
        guard let object = JSValueToObject(ref, text, nil) else { return 0 }
        let length = EngineText.with("length") { JSObjectGetProperty(ref, object, $0, nil) }
        return length.flatMap { Int(exactly: JSValueToNumber(ref, $0, nil)) } ?? 0
    }

    /// Gives an error that nobody catches to ``uncaughtErrorHandler``.
    package func reportUncaught(_ exception: JSException) { uncaughtErrorHandler?(exception) }
}
