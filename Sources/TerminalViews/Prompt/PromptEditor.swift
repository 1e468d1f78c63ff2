/// The input that is typed at a prompt, which may have several lines: keys in, text and cursor out.
///
/// It is a value without a terminal. ``PromptFrame`` lays it out.
struct PromptEditor {
    /// The maximum number of characters; the rest of what is typed or pasted is discarded.
    static let maximumCharacters = 1 << 20

    /// An incremental search through the history.
    struct Search: Hashable {
        var query = ""
        /// The index of the entry that was found last.
        var index: Int
        /// A Boolean value that indicates whether no entry contains the query.
        var hasFailed = false
        /// The input before the search, and its cursor.
        let text: String
        let position: Int
    }

    /// The effect of an event beyond the text.
    enum Outcome: Hashable {
        /// The text, the cursor or nothing has changed.
        case edited
        /// The user has pressed Enter.
        case submitted
        /// The user asks for names that continue the text before the cursor.
        case asksForCompletion
        /// The user has pressed Ctrl-C; the text was discarded.
        case interrupted
        /// The user has pressed Ctrl-D on an empty input.
        case ended
        /// The user wants the screen without earlier output.
        case clearsScreen
        /// The user stops the process.
        case suspends
    }

    private(set) var characters: [Character] = []
    /// The index of the character before which the next one is inserted.
    private(set) var position = 0
    private(set) var search: Search?
    var history: PromptHistory
    // The text that was removed last, for Ctrl-Y.
    private var removed: [Character] = []
    private var removesInARow = false
    // The column that Up and Down return to.
    private var goalColumn: Int?

    init(history: PromptHistory = PromptHistory()) { self.history = history }

    var text: String { String(characters) }
    /// The text before the cursor.
    var textBeforeCursor: String { String(characters[..<position]) }

    // MARK: - Changes

    /// Replaces the text, and moves the cursor to its end.
    mutating func setText(_ text: String) {
        characters = Array(text.prefix(Self.maximumCharacters))
        position = characters.count
    }

    /// Moves the cursor behind the text.
    mutating func moveToEnd() { position = characters.count }

    /// Inserts a string: line ends become newlines, other control characters but tabs are discarded.
    mutating func insert(_ string: String) {
        let added = string.lazy.compactMap { character -> Character? in
            if character.isNewline { return "\n" }
            let isControl = character.unicodeScalars.contains { $0.value < 0x20 || $0.value == 0x7F }
            return isControl && character != "\t" ? nil : character
        }
        .prefix(max(0, Self.maximumCharacters - characters.count))
        let count = characters.count
        characters.insert(contentsOf: added, at: position)
        position += characters.count - count
    }

    /// Replaces the last characters before the cursor.
    mutating func complete(_ name: String, replacing count: Int) {
        characters.removeSubrange(max(0, position - count)..<position)
        position = max(0, position - count)
        insert(name)
    }

    /// Takes the text as an entry of the history, and begins an empty one; returns whether the history has changed.
    mutating func finish() -> Bool {
        let isNew = history.add(text)
        setText("")
        search = nil
        return isNew
    }

    private mutating func remove(_ range: Range<Int>, isBackward: Bool = false) {
        guard !range.isEmpty else { return }
        let part = Array(characters[range])
        removed = !removesInARow ? part : isBackward ? part + removed : removed + part
        removesInARow = true
        characters.removeSubrange(range)
        position = range.lowerBound
    }

    // MARK: - Events

    /// Applies an event.
    mutating func handle(_ event: TerminalEvent) -> Outcome {
        switch event {
        case .paste(let string):
            if search != nil { endSearch() }
            (goalColumn, removesInARow) = (nil, false)
            insert(string)
            return .edited
        case .key(let press):
            if search != nil, let outcome = handleInSearch(press) { return outcome }
            return handle(press)
        case .mouse, .focus, .reply: return .edited
        }
    }

    private mutating func handle(_ press: KeyPress) -> Outcome {
        let (wasRemoving, goal) = (removesInARow, goalColumn)
        (removesInARow, goalColumn) = (false, nil)
        switch (press.key, press.modifiers) {
        case (.enter, []), (.character("j"), .control), (.character("m"), .control): return .submitted
        case (.tab, []), (.character("i"), .control):
            // Before the first character of a further line, a tab indents.
            let start = lineStart
            guard start > 0, characters[start..<position].allSatisfy(\.isWhitespace) else {
                return .asksForCompletion
            }
            insert("  ")
        case (.character("l"), .control): return .clearsScreen
        case (.character("z"), .control): return .suspends
        case (.character("c"), .control):
            setText("")
            history = PromptHistory(history.entries)
            return .interrupted
        case (.character("d"), .control):
            guard !characters.isEmpty else { return .ended }
            if position < characters.count { characters.remove(at: position) }
        case (.character("r"), .control):
            search = Search(index: history.entries.count, text: text, position: position)
        case (.enter, .alt), (.enter, .shift): insert("\n")
        case (.up, []), (.character("p"), .control): moveUp(goal)
        case (.down, []), (.character("n"), .control): moveDown(goal)
        case (.character(let character), let modifiers) where modifiers.isSubset(of: .shift):
            insert(String(character))
        default:
            removesInARow = wasRemoving
            if !applyRemoval(press) {
                removesInARow = false
                applyMove(press)
            }
        }
        return .edited
    }

    private mutating func applyMove(_ press: KeyPress) {
        switch (press.key, press.modifiers) {
        case (.left, []), (.character("b"), .control): position = max(0, position - 1)
        case (.right, []), (.character("f"), .control): position = min(characters.count, position + 1)
        case (.home, _), (.character("a"), .control): position = lineStart
        case (.end, _), (.character("e"), .control): position = lineEnd
        case (.left, _), (.character("b"), .alt): position = wordStart
        case (.right, _), (.character("f"), .alt): position = wordEnd
        case (.character("y"), .control): insert(String(removed))
        case (.character("t"), .control): transpose()
        default: break
        }
    }

    /// Applies a key that removes text; returns `false` for any other key.
    private mutating func applyRemoval(_ press: KeyPress) -> Bool {
        switch (press.key, press.modifiers) {
        case (.backspace, []), (.backspace, .control), (.character("h"), .control), (.backspace, .shift):
            removesInARow = false
            guard position > 0 else { return true }
            position -= 1
            characters.remove(at: position)
        case (.delete, _):
            removesInARow = false
            if position < characters.count { characters.remove(at: position) }
        case (.character("k"), .control):
            // At the end of a line, the line after it is joined to it.
            let end = lineEnd
            remove(position..<(end == position ? min(end + 1, characters.count) : end))
        case (.character("u"), .control): remove(lineStart..<position, isBackward: true)
        case (.character("w"), .control): remove(spacedWordStart..<position, isBackward: true)
        case (.backspace, .alt): remove(wordStart..<position, isBackward: true)
        case (.character("d"), .alt): remove(position..<wordEnd)
        default: return false
        }
        return true
    }

    private mutating func transpose() {
        guard characters.count > 1, position > 0 else { return }
        let second = min(position, characters.count - 1)
        characters.swapAt(second - 1, second)
        position = second + 1
    }

    // MARK: - Lines and words

    private var lineStart: Int { (characters[..<position].lastIndex(of: "\n") ?? -1) + 1 }
    private var lineEnd: Int { characters[position...].firstIndex(of: "\n") ?? characters.count }

    private var wordStart: Int {
        var start = position
        while start > 0, !characters[start - 1].isOfWord { start -= 1 }
        while start > 0, characters[start - 1].isOfWord { start -= 1 }
        return start
    }

    private var wordEnd: Int {
        var end = position
        while end < characters.count, !characters[end].isOfWord { end += 1 }
        while end < characters.count, characters[end].isOfWord { end += 1 }
        return end
    }

    private var spacedWordStart: Int {
        var start = position
        while start > 0, characters[start - 1].isWhitespace { start -= 1 }
        while start > 0, !characters[start - 1].isWhitespace { start -= 1 }
        return start
    }

    private mutating func moveUp(_ goal: Int?) {
        let start = lineStart
        guard start > 0 else {
            if let entry = history.previous(leaving: text) { setText(entry) }
            return
        }
        let column = goal ?? position - start
        let previousStart = (characters[..<(start - 1)].lastIndex(of: "\n") ?? -1) + 1
        position = min(previousStart + column, start - 1)
        goalColumn = column
    }

    private mutating func moveDown(_ goal: Int?) {
        let end = lineEnd
        guard end < characters.count else {
            if let entry = history.next() { setText(entry) }
            return
        }
        let column = goal ?? position - lineStart
        let nextEnd = characters[(end + 1)...].firstIndex(of: "\n") ?? characters.count
        position = min(end + 1 + column, nextEnd)
        goalColumn = column
    }

    // MARK: - Search

    /// Applies a key to the search; returns `nil` if the key ends the search and has its usual effect.
    private mutating func handleInSearch(_ press: KeyPress) -> Outcome? {
        guard var current = search else { return nil }
        switch (press.key, press.modifiers) {
        case (.character("r"), .control): find(&current, before: current.index)
        case (.character("g"), .control), (.character("c"), .control):
            setText(current.text)
            position = min(current.position, characters.count)
            search = nil
            return .edited
        case (.backspace, _), (.character("h"), .control):
            current.query = String(current.query.dropLast())
            find(&current, before: history.entries.count)
        case (.character(let character), let modifiers) where modifiers.isSubset(of: .shift):
            current.query.append(character)
            find(&current, before: min(current.index + 1, history.entries.count))
        case (.escape, _):
            endSearch()
            return .edited
        default:
            endSearch()
            return nil
        }
        search = current
        return .edited
    }

    private mutating func find(_ current: inout Search, before end: Int) {
        guard let index = history.match(for: current.query, before: end) else {
            current.hasFailed = !current.query.isEmpty
            return
        }
        (current.index, current.hasFailed) = (index, false)
        setText(history.entries[index])
    }

    private mutating func endSearch() { search = nil }
}

extension Character {
    fileprivate var isOfWord: Bool { isLetter || isNumber || self == "_" || self == "$" }
}
