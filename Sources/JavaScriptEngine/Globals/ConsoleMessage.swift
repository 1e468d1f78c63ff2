internal import BridgeValues
internal import CJavaScriptCore

/// A line, or a block of lines, that a script wrote to `console`.
public struct ConsoleMessage: Sendable, Hashable {
    /// The importance of a message, by the `console` method that was called.
    public enum Level: String, Sendable, Hashable, CaseIterable {
        /// `console.debug`, `console.trace`.
        case debug
        /// `console.log` and methods that print like it.
        case log
        /// `console.info`.
        case info
        /// `console.warn`.
        case warn
        /// `console.error`, a failed `console.assert`.
        case error
    }

    /// The importance of the message.
    public let level: Level
    /// The formatted text.
    public let text: String

    /// Creates a message.
    public init(level: Level, text: String) {
        self.level = level
        self.text = text
    }
}

extension ConsoleMessage: CustomStringConvertible {
    /// The message as `level: text`, with characters visible that a terminal would interpret as commands.
    public var description: String { "\(level.rawValue): \(Printable.lines(text))" }
}

extension JSContext {
    func print(level: String, text: JSValueRef?) {
        guard consoleSink != nil || hooks.inspector != nil, let text else { return }
        let level = ConsoleMessage.Level(rawValue: level) ?? .log
        guard let limit = virtualMachine.limits.maximumConsoleBytesPerSecond else {
            write(ConsoleMessage(level: level, text: self.text(of: text) ?? ""))
            return
        }
        // A string that is too long in any encoding is not even converted.
        let units = JSValueIsString(ref, text) ? unitCount(of: text) : 0
        let line = units <= limit ? self.text(of: text) ?? "" : ""
        switch console.meter.judge(max(units, line.utf8.count), limit: limit, now: clock.now) {
        case .drops: return
        case .beginsToDrop:
            write(
                ConsoleMessage(
                    level: .warn,
                    text: "console is over its limit of \(limit) bytes a second: further messages are dropped"
                )
            )
            return
        case .passesAgain(let dropped):
            write(
                ConsoleMessage(level: .warn, text: "console dropped \(dropped) messages over its limit")
            )
        case .passes: break
        }
        write(ConsoleMessage(level: level, text: line))
    }

    // Uses the `length` property, which a script cannot replace. Copying the string would join a rope first.
    private func unitCount(of text: JSValueRef) -> Int {
        guard let object = JSValueToObject(ref, text, nil) else { return 0 }
        let length = EngineString.with("length") { JSObjectGetProperty(ref, object, $0, nil) }
        return length.flatMap { Int(exactly: JSValueToNumber(ref, $0, nil)) } ?? 0
    }

    /// Passes an uncaught error to ``uncaughtErrorHandler``.
    package func reportUncaught(_ exception: JSException) { uncaughtErrorHandler?(exception) }
}
