/// A handler's name as the key of a table: names are the same if their bytes are (P62, R7).
///
/// `String` holds texts equal that only look the same, such as the two spellings of "é"; to JavaScript they
/// are two names.
struct HandlerName: Hashable, Sendable {
    let text: String

    init(_ text: String) { self.text = text }

    static func == (left: HandlerName, right: HandlerName) -> Bool {
        var (left, right) = (left.text, right.text)
        return left.withUTF8 { left in
            right.withUTF8 { right in
                left.count == right.count && left.elementsEqual(right)
            }
        }
    }

    func hash(into hasher: inout Hasher) {
        var text = text
        text.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
    }
}
