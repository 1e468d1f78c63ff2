internal import BridgeValues
internal import CJavaScriptCore

/// Text made for reading: what `console.log` shows.
extension JSValue: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The value as `console` shows it, without running anything of a script; strings stand in quotes.
    public var description: String {
        guard !context.isClosed, !context.mustStop else { return "a value of a context that has ended" }
        do {
            return try context.withTurn {
                let show = try context.internals.forProperty("show")
                let text = try context.call(show.ref, [ref])
                return Printable.lines(context.text(of: text) ?? "")
            }
        } catch {
            return "a value that cannot be shown"
        }
    }

    /// The same as ``description``.
    public var debugDescription: String { description }

    /// A mirror without children, so that `dump` shows ``description``.
    public var customMirror: Mirror { Mirror(self, children: []) }
}

extension JSObject: CustomStringConvertible {
    /// The object as `console` shows it.
    public var description: String { value.description }
}

extension JSFunction: CustomStringConvertible {
    /// The function as `console` shows it.
    public var description: String { value.description }
}

extension JSPromise: CustomStringConvertible {
    /// The promise as `console` shows it.
    public var description: String { value.description }
}
