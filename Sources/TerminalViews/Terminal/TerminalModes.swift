/// The sequences that turn a terminal into a screen for a program, and back.
enum TerminalModes {
    // Each step with its inverse. Entering makes them in this order, leaving undoes them in the reverse order.
    private static let steps: [(enter: String, leave: String)] = [
        // The title.
        ("\u{1B}[22;0t", "\u{1B}[23;0t"),
        // The alternate screen.
        ("\u{1B}[?1049h", "\u{1B}[?1049l"),
        // The cursor.
        ("\u{1B}[?25l", "\u{1B}[?25h"),
        // Automatic wrapping.
        ("\u{1B}[?7l", "\u{1B}[?7h"),
        // Marks around pasted text.
        ("\u{1B}[?2004h", "\u{1B}[?2004l"),
        // Buttons, drags, and coordinates of any size.
        ("\u{1B}[?1000h\u{1B}[?1002h\u{1B}[?1006h", "\u{1B}[?1006l\u{1B}[?1002l\u{1B}[?1000l"),
        // The focus.
        ("\u{1B}[?1004h", "\u{1B}[?1004l"),
        // Distinct codes for all keys, by the Kitty protocol.
        ("\u{1B}[>1u", "\u{1B}[<u"),
    ]

    /// The bytes that enter the screen.
    static let enter = Array(steps.map(\.enter).joined().utf8)

    /// The bytes that leave the screen.
    ///
    /// They may follow any part of a frame.
    ///
    /// They first end a string, synchronized output, a scroll region and a style that a frame has begun.
    static let leave = Array(
        ("\u{1B}\\\u{1B}[?2026l\u{1B}[r\u{1B}[0m" + steps.reversed().map(\.leave).joined()).utf8
    )
}
