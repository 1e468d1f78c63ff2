internal import BridgeValues
internal import CJavaScriptCore

/// Descriptions for people, in the form that `console.log` prints.
extension JSValue: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The value in the form that `console` prints, with strings in quotes; it runs no script.
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

    /// A mirror without children, so that `dump` prints ``description``.
    public var customMirror: Mirror { Mirror(self, children: []) }
}

extension JSObject: CustomStringConvertible {
    /// The object in the form that `console` prints.
    public var description: String { value.description }
}

extension JSFunction: CustomStringConvertible {
    /// The function in the form that `console` prints.
    public var description: String { value.description }
}

extension JSPromise: CustomStringConvertible {
    /// The promise in the form that `console` prints.
    public var description: String { value.description }
}
