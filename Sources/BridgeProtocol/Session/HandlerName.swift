/// A handler's name, or a topic, as the key of a table: names are the same if their bytes are (P62, R7).
///
/// `String` holds texts equal that only look the same, such as the two spellings of "é"; to JavaScript they
/// are two names.
package struct HandlerName: Hashable, Sendable {
    let text: String

    /// Makes the key of a name.
    package init(_ text: String) { self.text = text }

    /// Whether the bytes of two names are the same.
    package static func == (left: HandlerName, right: HandlerName) -> Bool {
        var (left, right) = (left.text, right.text)
        return left.withUTF8 { left in
            right.withUTF8 { right in
                left.count == right.count && left.elementsEqual(right)
            }
        }
    }

    /// Hashes the bytes of the name.
    package func hash(into hasher: inout Hasher) {
        var text = text
        text.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
    }
}
