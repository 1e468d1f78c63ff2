internal import BridgeValues
internal import CJavaScriptCore

/// A structure that crosses the boundary as an object with a property for each stored property, without the steps of
/// `Codable`.
///
/// Declare the conformance; nothing else is needed:
///
/// ```swift
/// struct User: JSShaped {
///     var id: Int
///     var name: String
///     var mail: String?
/// }
/// ```
///
/// Properties are read from and written to the structure's memory directly, so its own `encode(to:)` or `init(from:)`
/// is not called. Do not declare the conformance for a type with a custom `Codable` implementation. Properties may have
/// every type that crosses the boundary: numbers, strings, booleans, `Date`, `Data`, `Value`, other `JSShaped` types,
/// plain `Codable` ones, and optionals, arrays and dictionaries of these. Every stored property is included, also
/// private ones; computed ones are not.
///
/// A property that is nil is `undefined` in the script. From a script's object, each property is read once, in order.
/// `null`, `undefined` and a missing property give nil if the Swift property is optional, and otherwise an error that
/// names it. Other properties of the object are not read.
///
/// Classes and enumerations cannot conform, nor can types with a property that is a reference (a class, `weak`,
/// `unowned`): the first use of such a type traps with a message that says so. A `let` with an initial value is read
/// like the others, and a property wrapper uses the name of its storage.
public protocol JSShaped: Codable {
    /// The names in scripts of properties that have another name there, by Swift property.
    static var memberNames: [String: String] { get }
}

extension JSShaped {
    /// An empty dictionary: every property has the same name in scripts.
    public static var memberNames: [String: String] { [:] }
}
