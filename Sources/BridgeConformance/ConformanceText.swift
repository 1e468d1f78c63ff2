internal import BridgeValues
internal import JavaScriptEngine

/// JSON coding by the engine's own parser and serializer, which preserve the order of members.
final class ConformanceText {
    private let context: JSContext
    private let json: JSValue

    init() throws {
        context = try JSContext(globals: .minimal)
        json = try context.globalObject.forProperty("JSON")
    }

    func value(of text: String) throws -> Value {
        try json.invokeMethod("parse", withArguments: [JSValue(.string(text), in: context)]).toValue()
    }

    func text(of value: Value) throws -> String {
        let written = try json.invokeMethod("stringify", withArguments: [JSValue(value, in: context)])
        return written.isUndefined ? "undefined" : try written.toString()
    }

    /// Returns the JSON text with members sorted by key, if it is that of an object or an array.
    ///
    /// The order in which a native side writes members is not part of the protocol.
    func sorted(_ text: String) -> String {
        guard let first = text.first, first == "{" || first == "[", let value = try? value(of: text) else {
            return text
        }
        return (try? self.text(of: Self.sorted(value))) ?? text
    }

    private static func sorted(_ value: Value) -> Value {
        switch value {
        case .array(let elements): .array(elements.map(sorted))
        case .object(let object):
            .object(
                ValueObject(object.members.sorted { $0.key < $1.key }.map { ($0.key, sorted($0.value)) })
            )
        default: value
        }
    }
}
