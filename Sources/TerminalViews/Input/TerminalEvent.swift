/// An event that a terminal sends.
enum TerminalEvent: Sendable, Hashable {
    /// A key was pressed.
    case key(KeyPress)
    /// The mouse was used.
    case mouse(MouseEvent)
    /// Text was pasted; it is never keys. A long paste arrives in parts.
    case paste(String)
    /// The terminal gained or lost the focus.
    case focus(Bool)
    /// The terminal answered a question.
    case reply(TerminalReply)
}

/// A key with its modifiers.
struct KeyPress: Sendable, Hashable {
    /// A key.
    enum Key: Sendable, Hashable {
        /// A key that types a character; for letters with Control, the small letter.
        case character(Character)
        /// A named key.
        case up, down, left, right, home, end, pageUp, pageDown, insert, delete
        /// A named key.
        case enter, tab, backspace, escape
        /// A function key, from 1 on.
        case function(Int)
    }

    /// Keys that are held.
    struct Modifiers: OptionSet, Sendable, Hashable {
        /// The bits, in the order of the Kitty protocol.
        let rawValue: UInt8
        /// Shift, where it does not make another character.
        static let shift = Modifiers(rawValue: 1)
        /// Alt, or Escape before the key.
        static let alt = Modifiers(rawValue: 2)
        /// Control.
        static let control = Modifiers(rawValue: 4)
    }

    /// The key.
    var key: Key
    /// The keys that are held.
    var modifiers: Modifiers

    /// Creates a key press.
    init(_ key: Key, _ modifiers: Modifiers = []) {
        self.key = key
        self.modifiers = modifiers
    }
}

/// A use of the mouse.
struct MouseEvent: Sendable, Hashable {
    /// The kind of a use.
    enum Kind: Sendable, Hashable {
        /// A button was pressed: 0 is the left one.
        case press(Int)
        /// A button was released.
        case release(Int)
        /// The mouse moved while a button was held.
        case drag(Int)
        /// The wheel turned by one step; positive ones scroll down.
        case wheel(Int)
    }

    /// The kind.
    var kind: Kind
    /// The column of the cell, from 0.
    var column: Int
    /// The row of the cell, from 0.
    var row: Int

    /// Creates an event.
    init(_ kind: Kind, column: Int, row: Int) {
        self.kind = kind
        self.column = column
        self.row = row
    }
}

/// An answer of a terminal.
enum TerminalReply: Sendable, Hashable {
    /// The primary device attributes (DA1), which every terminal answers.
    case deviceAttributes
    /// The position of the cursor, from 0.
    case cursor(row: Int, column: Int)
}
