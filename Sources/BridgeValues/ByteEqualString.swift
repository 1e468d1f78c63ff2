/// The name of a handler, a topic or an id as the key of a table: two are equal if their bytes are (P22, P62, R7).
///
/// `String` treats canonically equivalent strings as equal, such as the two spellings of "é"; in JavaScript they
/// differ.
package struct ByteEqualString: Hashable, Sendable {
    package let text: String

    /// Creates the key of a string.
    package init(_ text: String) { self.text = text }

    /// Returns whether the bytes of two strings are the same.
    package static func == (left: ByteEqualString, right: ByteEqualString) -> Bool {
        var (left, right) = (left.text, right.text)
        return left.withUTF8 { left in
            right.withUTF8 { right in
                left.count == right.count && left.elementsEqual(right)
            }
        }
    }

    /// Hashes the bytes of the string.
    package func hash(into hasher: inout Hasher) {
        var text = text
        text.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
    }
}
