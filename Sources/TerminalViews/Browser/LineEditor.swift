/// A line of text that is typed, with a position at which the next character is inserted.
struct LineEditor: Hashable {
    /// The maximum number of characters; the rest of what is typed or pasted is discarded.
    static let maximumCharacters = 1_000

    private(set) var characters: [Character]
    private(set) var position: Int

    init(_ string: String = "") {
        characters = Array(string.prefix(Self.maximumCharacters))
        position = characters.count
    }

    var string: String { String(characters) }

    /// Inserts a string; line ends and other control characters become spaces.
    mutating func insert(_ string: String) {
        let added = string.prefix(Self.maximumCharacters).map { character -> Character in
            character.unicodeScalars.contains { $0.value < 0x20 || $0.value == 0x7F } ? " " : character
        }
        .prefix(max(0, Self.maximumCharacters - characters.count))
        characters.insert(contentsOf: added, at: position)
        position += added.count
    }

    /// Applies a key, and returns whether it is a key of an editor.
    mutating func apply(_ press: KeyPress) -> Bool {
        switch (press.key, press.modifiers) {
        case (.character(let character), []): insert(String(character))
        case (.backspace, []), (.character("h"), .control): erase(from: max(0, position - 1))
        case (.backspace, .control), (.character("w"), .control): erase(from: startOfWord)
        case (.character("u"), .control): erase(from: 0)
        case (.character("k"), .control): characters.removeSubrange(position...)
        case (.delete, []), (.character("d"), .control):
            if position < characters.count { characters.remove(at: position) }
        case (.left, []), (.character("b"), .control): position = max(0, position - 1)
        case (.right, []), (.character("f"), .control): position = min(characters.count, position + 1)
        case (.home, []), (.character("a"), .control): position = 0
        case (.end, []), (.character("e"), .control): position = characters.count
        default: return false
        }
        return true
    }

    private mutating func erase(from start: Int) {
        characters.removeSubrange(start..<position)
        position = start
    }

    private var startOfWord: Int {
        var start = position
        while start > 0, characters[start - 1] == " " { start -= 1 }
        while start > 0, characters[start - 1] != " " { start -= 1 }
        return start
    }
}
