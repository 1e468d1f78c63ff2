internal import Stores

/// A piece of SQL with the values that its marks stand for, in order.
struct SQLFragment {
    /// What a mark stands for.
    enum Binding {
        /// A value.
        case value(AttributeValue)
        /// Bytes that are compared as text.
        case text([UInt8])
        /// The number of a list that the connection keeps while the request runs.
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
