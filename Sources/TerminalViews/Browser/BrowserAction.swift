/// An action of a browser, which keys begin.
public enum BrowserAction: String, Sendable, Hashable, CaseIterable {
    /// Moves the focus by rows.
    case down, up, halfPageDown, halfPageUp, pageDown, pageUp, first, last
    /// Moves the focus by columns.
    case left, right, firstColumn, lastColumn
    /// Moves the focus to a row, a section or a match.
    case goToRow, nextSection, previousSection, nextMatch, previousMatch
    /// Finds and selects rows.
    case search, filter
    /// Marks rows.
    case mark, range, invert, unmark
    /// Changes the order and the groups.
    case sort, group, fold, unfold, move
    /// Uses a row.
    case open, menu, copy, charts
    /// Changes the appearance.
    case widen, repaint, help
    /// Ends something.
    case cancel, suspend, quit
}

/// The keys of a browser, in the order of the help.
enum KeyBindings {
    /// Keys and what they do.
    struct Binding: Sendable {
        let keys: [KeyPress]
        let action: BrowserAction
        /// The keys and the action in words.
        let help: (keys: String, text: String)
    }

    static let all: [Binding] = [
        row(.down, "j, Down", "next row", [char("j"), KeyPress(.down)]),
        row(.up, "k, Up", "previous row", [char("k"), KeyPress(.up)]),
        row(.left, "h, Left", "previous column", [char("h"), KeyPress(.left)]),
        row(.right, "l, Right", "next column", [char("l"), KeyPress(.right)]),
        row(.halfPageDown, "Ctrl-D", "half a page down", [control("d")]),
        row(.halfPageUp, "Ctrl-U", "half a page up", [control("u")]),
        row(.pageDown, "Ctrl-F, PageDown", "a page down", [control("f"), KeyPress(.pageDown)]),
        row(.pageUp, "Ctrl-B, PageUp", "a page up", [control("b"), KeyPress(.pageUp)]),
        row(.first, "g, Home", "first row", [char("g"), KeyPress(.home)]),
        row(.last, "G, End", "last row", [char("G"), KeyPress(.end)]),
        row(.firstColumn, "0", "first column", [char("0"), char("^")]),
        row(.lastColumn, "$", "last column", [char("$")]),
        row(.goToRow, ":", "go to a row by its number", [char(":")]),
        row(.nextSection, "Tab", "next section", [KeyPress(.tab)]),
        row(.previousSection, "Shift-Tab", "previous section", [KeyPress(.tab, .shift)]),
        row(.search, "/", "search while typing; Enter keeps the matches, Escape returns", [char("/")]),
        row(.nextMatch, "n", "next match", [char("n")]),
        row(.previousMatch, "N", "previous match", [char("N")]),
        row(.filter, "f", "show only the rows that match", [char("f"), char("&")]),
        row(.mark, "Space", "mark the row, or remove its mark", [char(" ")]),
        row(.range, "v", "begin a range; Space or v marks it", [char("v")]),
        row(.invert, "*", "invert the marks", [char("*")]),
        row(.unmark, "u", "remove all marks", [char("u")]),
        row(.sort, "o", "sort by the column; again for the other direction, then for none", [char("o")]),
        row(.group, "b", "group by the column, or end it", [char("b")]),
        row(.fold, "[", "fold the section", [char("[")]),
        row(.unfold, "]", "unfold the section", [char("]")]),
        row(.move, "m", "move the row by the keys above; Enter drops it, Escape cancels", [char("m")]),
        row(.open, "Enter", "show the row, or unfold the section", [KeyPress(.enter)]),
        row(.menu, "a", "actions of the row, by number or with Enter", [char("a")]),
        row(.copy, "y", "copy the marked rows, or this one", [char("y")]),
        row(.charts, "c", "the charts of the script", [char("c")]),
        row(.widen, "_", "show the column in its full width, or not", [char("_")]),
        row(.repaint, "Ctrl-L", "draw everything again", [control("l")]),
        row(.help, "?", "these keys", [char("?"), KeyPress(.function(1))]),
        row(.cancel, "Escape", "end a range, a search or a filter", [KeyPress(.escape)]),
        row(.suspend, "Ctrl-Z", "stop, until the shell continues it", [control("z")]),
        row(.quit, "q, Ctrl-C", "quit", [char("q"), control("c")]),
    ]

    /// The uses of the mouse, for the help.
    static let mouseHelp: [(keys: String, text: String)] = [
        ("wheel", "scroll"),
        ("click", "focus a row; sort by a column title; fold a section title"),
        ("drag", "move a row"),
    ]

    /// The action of each key.
    static let actions: [KeyPress: BrowserAction] = {
        var actions: [KeyPress: BrowserAction] = [:]
        for binding in all {
            for key in binding.keys { actions[key] = binding.action }
        }
        return actions
    }()

    private static func row(_ action: BrowserAction, _ keys: String, _ text: String, _ presses: [KeyPress])
        -> Binding
    {
        Binding(keys: presses, action: action, help: (keys, text))
    }

    private static func char(_ character: Character) -> KeyPress { KeyPress(.character(character)) }
    private static func control(_ letter: Character) -> KeyPress { KeyPress(.character(letter), .control) }
}
