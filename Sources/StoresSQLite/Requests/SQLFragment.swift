internal import Stores

/// A piece of SQL with the values of its placeholders, in order.
struct SQLFragment {
    /// The value of a placeholder.
    enum Binding {
        /// An attribute value.
        case value(AttributeValue)
        /// Bytes that are compared as text.
        case text([UInt8])
        /// The number of an array that the connection stores in a table while the request runs.
        case list([AttributeValue])
    }

    var text: String
    var bindings: [Binding]

    init(_ text: String, _ bindings: [Binding] = []) {
        self.text = text
        self.bindings = bindings
    }

    mutating func append(_ other: SQLFragment) {
        text += other.text
        bindings += other.bindings
    }
}
