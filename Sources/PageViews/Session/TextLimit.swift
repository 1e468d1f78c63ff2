internal import CollectionViews

/// The limit of the text of one element, so that no cell makes a message longer than a connection takes.
///
/// A text that is longer ends with a mark. The details of the row have all of it.
struct TextLimit {
    /// The mark at the end of a text that was cut.
    static let mark = "\u{2026}"
    /// The maximum number of bytes of an element's text, as JSON.
    static let longestElement = 16 * 1_024
    /// The maximum number of bytes of the texts of all elements of an update.
    static let longestUpdate = 8 * 1_024 * 1_024
    /// The maximum number of bytes of an address of a picture.
    static let longestImage = 64 * 1_024
    /// The maximum number of bytes of a title, a status or a message.
    static let longestSentence = 4 * 1_024

    /// The maximum number of bytes of one element.
    let byteCount: Int

    /// Creates the limit of each of some elements of an update.
    init(elementCount: Int) {
        byteCount = min(Self.longestElement, Self.longestUpdate / max(1, elementCount))
    }

    init(byteCount: Int) { self.byteCount = byteCount }

    /// Returns a content whose texts are cut, or the same one if it is short.
    func cut(_ content: CellContent) -> CellContent {
        guard isLong(content) else { return content }
        var room = byteCount
        var content = content
        content.text = Self.cut(content.text, &room)
        content.columns = content.columns.map { Self.cut($0, &room) }
        content.secondaryText = Self.cut(content.secondaryText, &room)
        content.accessories = content.accessories.map { accessory in
            guard case .label(let text) = accessory else { return accessory }
            return .label(Self.cut(text, &room))
        }
        if let image = content.imageName, !fits(image) { content.imageName = nil }
        return content
    }

    /// Returns whether a content may have to be cut, by the lengths alone.
    private func isLong(_ content: CellContent) -> Bool {
        // A byte has at most six characters as JSON.
        var count = Self.length(content.text) + Self.length(content.secondaryText)
        for column in content.columns { count += Self.length(column) }
        for case .label(let text) in content.accessories { count += text.utf8.count }
        return count * 6 > byteCount || (content.imageName?.utf8.count ?? 0) * 6 > byteCount
    }

    private func fits(_ image: String) -> Bool {
        PageAnswer.byteCount(of: image) <= (byteCount == Self.longestElement ? Self.longestImage : byteCount)
    }

    private static func length(_ text: StyledText) -> Int {
        text.spans.reduce(0) { $0 + $1.string.utf8.count }
    }

    /// Returns a text that takes no more than the room, which it then has not.
    static func cut(_ text: StyledText, _ room: inout Int) -> StyledText {
        var spans: [StyledText.Span] = []
        for span in text.spans {
            let isFull = room <= 0
            let string = cut(span.string, &room)
            // One mark is enough.
            if !isFull || spans.isEmpty { spans.append(.init(string, style: span.style)) }
        }
        return StyledText(spans: spans)
    }

    /// Returns a string that takes no more than the room, which it then has not.
    static func cut(_ string: String, _ room: inout Int) -> String {
        let utf8 = string.utf8
        var count = 0
        // The start of the last character of Unicode, with what precedes it.
        var start = utf8.startIndex
        for index in utf8.indices {
            let byte = utf8[index]
            if byte & 0xC0 != 0x80 { start = index }
            count += PageAnswer.byteCount(of: byte)
            guard count <= room else {
                room = 0
                return String(string[..<start]) + mark
            }
        }
        room -= count
        return string
    }

    /// Returns a title, a status or a message that is not too long.
    static func cut(sentence: String) -> String {
        var room = longestSentence
        return cut(sentence, &room)
    }
}
