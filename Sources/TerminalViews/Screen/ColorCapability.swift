/// The colors that a terminal has.
public enum ColorCapability: Sendable, Hashable, CaseIterable {
    /// No colors; attributes such as bold and reverse remain.
    case none
    /// The 16 colors of ANSI, in the user's own shades.
    case ansi
    /// 256 colors.
    case indexed
    /// 24 bits for each color.
    case trueColor

    /// Chooses the capability by the environment.
    ///
    /// `NO_COLOR` that is not empty means none. `COLORTERM` of `truecolor` or `24bit` means 24 bits. Otherwise `TERM`
    /// decides: names with `256color` or `direct`, known names, `dumb`.
    public init(environment: [String: String]) {
        let name = environment["TERM"] ?? ""
        if environment["NO_COLOR"].map({ !$0.isEmpty }) == true {
            self = .none
        } else if ["truecolor", "24bit"].contains(environment["COLORTERM"]) || name.hasSuffix("-direct") {
            self = .trueColor
        } else if name.contains("256color") {
            self = .indexed
        } else if name.isEmpty || name == "dumb" || name.hasPrefix("vt") || name.hasSuffix("-m") {
            self = .none
        } else {
            self = .ansi
        }
    }

    /// Appends the parameters of SGR that select a style, after a reset.
    func append(_ style: CellStyle, to bytes: inout [UInt8]) {
        bytes.append(contentsOf: "\u{1B}[0".utf8)
        if style.attributes.contains(.bold) { bytes.append(contentsOf: ";1".utf8) }
        if style.attributes.contains(.faint) { bytes.append(contentsOf: ";2".utf8) }
        if style.attributes.contains(.underline) { bytes.append(contentsOf: ";4".utf8) }
        if style.attributes.contains(.reverse) { bytes.append(contentsOf: ";7".utf8) }
        append(style.foreground, isBackground: false, to: &bytes)
        append(style.background, isBackground: true, to: &bytes)
        bytes.append(UInt8(ascii: "m"))
    }

    private func append(_ color: TerminalColor, isBackground: Bool, to bytes: inout [UInt8]) {
        guard color != .standard, self != .none else { return }
        let values = color.values
        let kind = isBackground ? 48 : 38
        switch self {
        case .none: return
        case .ansi:
            let base = isBackground ? 40 : 30
            bytes.append(
                contentsOf: ";\(values.ansi < 8 ? base + values.ansi : base + 60 + values.ansi - 8)".utf8
            )
        case .indexed: bytes.append(contentsOf: ";\(kind);5;\(values.indexed)".utf8)
        case .trueColor:
            let (red, green, blue) = values.rgb
            bytes.append(contentsOf: ";\(kind);2;\(red);\(green);\(blue)".utf8)
        }
    }
}

extension TerminalColor {
    /// The color for each capability.
    ///
    /// The shades are readable on black and on white.
    fileprivate var values: (ansi: Int, indexed: Int, rgb: (Int, Int, Int)) {
        switch self {
        case .standard: (0, 0, (0, 0, 0))
        case .gray: (8, 244, (128, 128, 128))
        case .red: (1, 160, (205, 49, 49))
        case .green: (2, 34, (22, 152, 62))
        case .yellow: (3, 172, (196, 134, 12))
        case .blue: (4, 33, (36, 114, 200))
        case .cyan: (6, 37, (17, 148, 168))
        case .bar: (8, 240, (88, 88, 88))
        }
    }
}
