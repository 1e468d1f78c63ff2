/// The limit of an answer to a question of the page, below that of a message: a longer message closes the connection.
enum PageAnswer {
    /// The maximum number of bytes of the texts in an answer, as JSON.
    static let maximumByteCount = 8 * 1_024 * 1_024

    /// Checks the texts of an answer.
    ///
    /// - Throws: ``PageInputError`` with a sentence if they are too long.
    static func check(_ texts: some Sequence<String>, _ what: String) throws(PageInputError) {
        var count = 0
        for text in texts {
            count += byteCount(of: text)
            guard count <= maximumByteCount else {
                throw PageInputError(
                    "\(what) more than \(maximumByteCount >> 20) MiB of text, which a page does not take"
                )
            }
        }
    }

    /// Returns the number of bytes of a text as JSON.
    static func byteCount(of text: String) -> Int {
        text.utf8.reduce(0) { $0 + byteCount(of: $1) }
    }

    /// Returns the number of bytes of a byte of a text as JSON.
    static func byteCount(of byte: UInt8) -> Int {
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), 0x09, 0x0A, 0x0D: 2
        case ..<0x20: 6
        default: 1
        }
    }
}
