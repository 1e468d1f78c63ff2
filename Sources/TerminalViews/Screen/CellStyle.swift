/// A color of a cell by its role, which each terminal shows as well as it can.
enum TerminalColor: UInt8, Sendable, Hashable, CaseIterable {
    /// The color of the terminal itself, which is readable on light and on dark ones.
    case standard
    case gray
    case red
    case green
    case yellow
    case blue
    case cyan
    /// The background of bars.
    case bar
}

/// The appearance of a cell.
struct CellStyle: Sendable, Hashable {
    /// The attributes, which a terminal without colors shows too.
    struct Attributes: OptionSet, Sendable, Hashable {
        let rawValue: UInt8
        static let bold = Attributes(rawValue: 1)
        static let faint = Attributes(rawValue: 2)
        static let underline = Attributes(rawValue: 4)
        static let reverse = Attributes(rawValue: 8)
    }

    var foreground = TerminalColor.standard
    var background = TerminalColor.standard
    var attributes: Attributes = []

    static let plain = CellStyle()

    /// A Boolean value that indicates whether a space of this style looks like an erased cell.
    var isPlainOnSpaces: Bool {
        background == .standard && attributes.isDisjoint(with: [.underline, .reverse])
    }
}
