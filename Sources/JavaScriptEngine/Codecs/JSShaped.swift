internal import BridgeValues
internal import CJavaScriptCore

/// A structure that crosses the border as an object with a member for each stored property, without the steps
/// of `Codable`.
///
/// Declaring it is all there is to do:
///
/// ```swift
/// struct User: JSShaped {
///     var id: Int
///     var name: String
///     var mail: String?
/// }
/// ```
///
/// The members are read and written where the structure has them, so that an `encode(to:)` or `init(from:)` of
/// its own is not asked; a type that is `Codable` in its own way should not declare this. Properties may be of
/// every type that crosses: numbers, texts, booleans, `Date`, `Data`, `Value`, other `JSShaped` types, plain
/// `Codable` ones, and optionals, lists and dictionaries of these. Every stored property takes part, private
/// ones too; computed ones do not.
///
/// A member that is nil is `undefined` in the script. A script's object is read by asking it for each member
/// once, in order; `null`, `undefined` and a missing member are nil where the property is optional, and an
/// error that names the member where it is not. Other members of the object are not touched.
///
/// Classes and enumerations cannot declare it, nor can types with a property that is a reference (a class, `weak`,
/// `unowned`): the first use of such a type traps with a sentence that says so. A `let` with a value of its own is read
/// like the others, and a property wrapper crosses under the name of its storage.
public protocol JSShaped: Codable {
    /// The names of members that are not those of their properties, by property.
    static var memberNames: [String: String] { get }
}

extension JSShaped {
    /// No member has another name.
    public static var memberNames: [String: String] { [:] }
}
