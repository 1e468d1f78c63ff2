/// The rows of a prompt on a terminal, with the cell of the cursor.
struct PromptFrame: Hashable {
    /// A row, without characters that control the terminal.
    struct Row: Hashable {
        var text = ""
        /// The number of cells that the row takes.
        var width = 0
    }

    /// The number of cells of a tab.
    private static let tabWidth = 4

    private(set) var rows: [Row]
    private(set) var cursorRow: Int
    private(set) var cursorColumn: Int

    /// Lays out an input: each line behind a prompt, wrapped at the width of the terminal.
    ///
    /// An input of more rows than the terminal has is shown around the cursor.
    init(_ editor: PromptEditor, columns: Int, screenRows: Int, text: TerminalText) {
        let columns = max(2, columns)
        rows = [Row()]
        (cursorRow, cursorColumn) = (0, 0)
        append(Self.prompt(of: editor, columns: columns, text), columns: columns, text)
        for (index, character) in editor.characters.enumerated() {
            if index == editor.position { markCursor(columns) }
            if character == "\n" {
                rows.append(Row())
                append(columns > 8 ? "... " : "", columns: columns, text)
            } else {
                append(character, columns: columns, text)
            }
        }
        if editor.position == editor.characters.count { markCursor(columns) }
        limit(to: max(1, screenRows))
    }

    private static func prompt(of editor: PromptEditor, columns: Int, _ text: TerminalText) -> String {
        guard let search = editor.search else { return columns > 8 ? "> " : ">" }
        return "(\(search.hasFailed ? "failed " : "")reverse-i-search)`\(text.printable(search.query))': "
    }

    private mutating func append(_ string: String, columns: Int, _ text: TerminalText) {
        for character in string { append(character, columns: columns, text) }
    }

    private mutating func append(_ character: Character, columns: Int, _ text: TerminalText) {
        let (shown, width): (String, Int) =
            if character == "\t" {
                (String(repeating: " ", count: Self.tabWidth), Self.tabWidth)
            } else if let ascii = character.asciiValue, ascii >= 0x20, ascii < 0x7F {
                (String(character), 1)
            } else {
                (text.printable(String(character)), text.width(of: String(character)))
            }
        if rows[rows.count - 1].width + width > columns { rows.append(Row()) }
        rows[rows.count - 1].text += shown
        rows[rows.count - 1].width += width
    }

    // Behind a full row, the cursor is at the begin of the next one.
    private mutating func markCursor(_ columns: Int) {
        if rows[rows.count - 1].width >= columns { rows.append(Row()) }
        cursorRow = rows.count - 1
        cursorColumn = rows[cursorRow].width
    }

    private mutating func limit(to count: Int) {
        guard rows.count > count else { return }
        let first = max(0, min(cursorRow - count / 2, rows.count - count))
        rows = Array(rows[first..<first + count])
        cursorRow -= first
    }

    // MARK: - Output

    /// Returns the bytes that replace what the terminal shows of this prompt by another frame of it.
    ///
    /// - Parameter old: The frame that is shown; `nil` if the cursor is at the begin of an empty row.
    /// - Returns: The bytes; none for the frame that is shown.
    func update(from old: PromptFrame?) -> String {
        guard old != self else { return "" }
        var output = "\u{1B}[?2026h" + (old?.erasure ?? "")
        output += rows.map(\.text).joined(separator: "\r\n")
        let below = rows.count - 1 - cursorRow
        if below > 0 { output += "\u{1B}[\(below)A" }
        output += "\r" + (cursorColumn > 0 ? "\u{1B}[\(cursorColumn)C" : "")
        return output + "\u{1B}[?2026l"
    }

    /// The bytes that remove the frame, and leave the cursor where the frame began.
    var erasure: String { "\r" + (cursorRow > 0 ? "\u{1B}[\(cursorRow)A" : "") + "\u{1B}[J" }

    /// The bytes that leave the frame on the screen, and move the cursor below it.
    var departure: String {
        let below = rows.count - 1 - cursorRow
        return (below > 0 ? "\u{1B}[\(below)B" : "") + "\r\n"
    }

    /// Returns the frame as a terminal shows it after it has wrapped the rows at another width.
    func wrapped(at columns: Int) -> PromptFrame {
        var frame = self
        let columns = max(1, columns)
        let heights = rows.map { max(1, ($0.width + columns - 1) / columns) }
        frame.cursorRow = heights[..<cursorRow].reduce(0, +) + cursorColumn / columns
        frame.cursorColumn = cursorColumn % columns
        return frame
    }
}
