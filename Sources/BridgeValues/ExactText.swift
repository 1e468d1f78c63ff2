/// A handler's name, a topic or an id, as the key of a table: two are the same if their bytes are (P22, P62, R7).
///
/// `String` holds texts equal that only look the same, such as the two spellings of "é"; to JavaScript they
/// are two.
package struct ExactText: Hashable, Sendable {
    package let text: String

    /// Makes the key of a text.
    package init(_ text: String) { self.text = text }

    /// Whether the bytes of two texts are the same.
    package static func == (left: ExactText, right: ExactText) -> Bool {
        var (left, right) = (left.text, right.text)
        return left.withUTF8 { left in
            right.withUTF8 { right in
                left.count == right.count && left.elementsEqual(right)
            }
        }
    }

    /// Hashes the bytes of the text.
    package func hash(into hasher: inout Hasher) {
        var text = text
        text.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
    }
}
