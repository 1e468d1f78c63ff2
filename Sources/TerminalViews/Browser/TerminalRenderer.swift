internal import CollectionViews
internal import DataSources

/// A renderer of frames of a collection view into the cells of a screen.
struct TerminalRenderer {
    /// The marks that a browser adds to an item or a section header.
    struct Decoration {
        /// The character before the content; a space for none.
        var gutter: Character = " "
        var style = CellStyle.plain
        var isFocused = false
        var isFolded: Bool?
    }

    /// The number of columns before the content of rows.
    static let gutterWidth = 2

    let text: TerminalText

    /// Draws the elements of a frame, from back to front.
    ///
    /// - Parameters:
    ///   - frame: The frame, in units of cells.
    ///   - screen: The screen to draw into.
    ///   - rows: The rows of the screen for the viewport.
    ///   - columns: The columns of the screen for the viewport, gutter included.
    ///   - decoration: Returns what is added to an element.
    func draw(
        _ frame: ViewFrame,
        into screen: inout TerminalScreen,
        rows: Range<Int>,
        columns: Range<Int>,
        decoration: (ViewFrame.Element) -> Decoration
    ) {
        for element in frame.elements where element.attributes.alpha > 0 {
            let top = rows.lowerBound + Self.cell(element.attributes.frame.minY - frame.bounds.minY)
            let height = max(1, Self.cell(element.attributes.frame.size.height))
            let left = columns.lowerBound + Self.cell(element.attributes.frame.minX - frame.bounds.minX)
            let width = Self.cell(element.attributes.frame.size.width) + Self.gutterWidth
            let area = columns.clamped(to: left..<max(left, left + width))
            let look = decoration(element)
            for line in 0..<height where rows.contains(top + line) {
                draw(element, line: line, of: height, row: top + line, area, look, into: &screen)
            }
        }
    }

    private static func cell(_ length: Double) -> Int { Int(max(-1e6, min(1e6, length.rounded()))) }

    private func draw(
        _ element: ViewFrame.Element,
        line: Int,
        of height: Int,
        row: Int,
        _ area: Range<Int>,
        _ look: Decoration,
        into screen: inout TerminalScreen
    ) {
        let base = Self.style(of: element, look)
        screen.fill(row: row, area, style: base)
        if line == 0 {
            var gutter = look.style
            if look.isFocused || element.isFocused { gutter.attributes.insert(.reverse) }
            screen.draw(
                String(look.gutter),
                row: row,
                column: area.lowerBound,
                within: area,
                style: gutter,
                text: text
            )
        }
        let content = element.content
        let indent = max(0, min(content.indentationLevel, 100)) * 2
        var column = area.lowerBound + Self.gutterWidth + indent
        if line == 0, let isFolded = look.isFolded ?? Self.disclosure(content) {
            column = screen.draw(
                isFolded ? "▸ " : "▾ ",
                row: row,
                column: column,
                within: area,
                style: base,
                text: text
            )
        }
        if line == 0 { column = draw(Self.firstLine(content), base, row, column, area, into: &screen) }
        if line == 1 { draw(content.secondaryText, base, row, column, area, into: &screen) }
        guard line == 0 else { return }
        var trailing = height == 1 ? content.secondaryText : StyledText()
        for case .label(let label) in content.accessories { trailing.spans.append(.init(" " + label)) }
        let width = text.width(of: trailing.string)
        if width > 0, column + 1 + width <= area.upperBound {
            draw(trailing, base, row, area.upperBound - width, area, into: &screen)
        }
    }

    /// Draws spans from a column on, and returns the column after them.
    @discardableResult
    func draw(
        _ styled: StyledText,
        _ base: CellStyle,
        matches: CellStyle.Attributes = [.bold, .underline],
        _ row: Int,
        _ start: Int,
        _ area: Range<Int>,
        into screen: inout TerminalScreen
    ) -> Int {
        var column = start
        for span in styled.spans {
            let style = Self.style(span.style, on: base, matches: matches)
            column = screen.draw(
                span.string,
                row: row,
                column: column,
                within: area,
                style: style,
                text: text
            )
        }
        return column
    }

    /// Returns the first line: the columns, two cells apart, if there are any.
    private static func firstLine(_ content: CellContent) -> StyledText {
        guard !content.columns.isEmpty else { return content.text }
        return StyledText(spans: Array(content.columns.map(\.spans).joined(separator: [.init("  ")])))
    }

    private static func disclosure(_ content: CellContent) -> Bool? {
        for case .outlineDisclosure(let isExpanded) in content.accessories { return !isExpanded }
        return nil
    }

    // MARK: - Styles

    private static func style(of element: ViewFrame.Element, _ look: Decoration) -> CellStyle {
        var style = look.style
        if element.attributes.element.category == .supplementaryView { style.attributes.insert(.bold) }
        if element.isSelected {
            // Visible without colors too.
            style.attributes.formUnion([.bold, .underline])
            style.foreground = .yellow
        }
        if element.isFocused || look.isFocused { style.attributes.insert(.reverse) }
        return style
    }

    private static func style(
        _ style: StyledText.Style,
        on base: CellStyle,
        matches: CellStyle.Attributes
    ) -> CellStyle {
        var result = base
        switch style {
        case .plain: break
        case .strong: result.attributes.insert(.bold)
        case .secondary:
            result.foreground = base.foreground == .standard ? .gray : base.foreground
        case .match:
            result.attributes.formUnion(matches)
            result.foreground = .green
        case .failure, .deleted: result.foreground = .red
        case .accent: result.foreground = .cyan
        case .inserted: result.foreground = .green
        case .moved: result.foreground = .blue
        case .updated: result.foreground = .yellow
        }
        return result
    }
}
