internal import CollectionViews
internal import DataSources

/// A renderer of frames of a collection view into the cells of a screen.
struct TerminalRenderer {
    /// The marks that a browser adds to an item or a section header.
    struct Decoration: Hashable {
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
    ///   - drawn: What was drawn for earlier frames.
    ///   - decoration: Returns what is added to an element.
    func draw(
        _ frame: ViewFrame,
        into screen: inout TerminalScreen,
        rows: Range<Int>,
        columns: Range<Int>,
        drawn: inout DrawnElements,
        decoration: (ViewFrame.Element) -> Decoration
    ) {
        drawn.begin(text)
        for index in frame.elements.indices {
            // Not copied, which would retain all of its texts.
            draw(frame.elements[index])
        }
        drawn.end()
        func draw(_ element: ViewFrame.Element) {
            guard element.attributes.alpha > 0 else { return }
            let top = rows.lowerBound + Self.cell(element.attributes.frame.minY - frame.bounds.minY)
            let height = max(1, Self.cell(element.attributes.frame.size.height))
            let visible = rows.clamped(to: top..<top + height)
            guard !visible.isEmpty else { return }
            let left = columns.lowerBound + Self.cell(element.attributes.frame.minX - frame.bounds.minX)
            let width = Self.cell(element.attributes.frame.size.width) + Self.gutterWidth
            let area = columns.clamped(to: left..<max(left, left + width))
            let look = DrawnElements.Look.of(element, decoration(element), width: area.count, height: height)
            for row in visible {
                let cells = drawn.row(of: element.viewNumber, look, line: row - top) {
                    drawnRow(element, line: row - top, look)
                }
                screen.place(cells, row: row, column: area.lowerBound)
            }
        }
    }

    private static func cell(_ length: Double) -> Int { Int(max(-1e6, min(1e6, length.rounded()))) }

    /// Returns a line of an element as cells.
    private func drawnRow(
        _ element: ViewFrame.Element,
        line: Int,
        _ look: DrawnElements.Look
    ) -> ScreenRow {
        let base = Self.style(look)
        var row = ScreenRow(columns: look.width)
        let area = 0..<look.width
        row.fill(area, style: base)
        if line == 0 {
            var gutter = look.decoration.style
            if look.isFocused { gutter.attributes.insert(.reverse) }
            _ = row.draw(
                String(look.decoration.gutter),
                column: 0,
                within: area,
                style: gutter,
                text: text
            )
        }
        let content = element.content
        let indent = max(0, min(content.indentationLevel, 100)) * 2
        var column = Self.gutterWidth + indent
        if line == 0, let isFolded = look.decoration.isFolded ?? Self.disclosure(content) {
            let mark = isFolded ? "▸ " : "▾ "
            column = row.draw(mark, column: column, within: area, style: base, text: text)
        }
        if line == 0 { column = draw(Self.firstLine(content), base, column, area, into: &row) }
        if line == 1 { draw(content.secondaryText, base, column, area, into: &row) }
        guard line == 0 else { return row }
        var trailing = look.height == 1 ? content.secondaryText : StyledText()
        for case .label(let label) in content.accessories { trailing.spans.append(.init(" " + label)) }
        let width = text.width(of: trailing.string)
        if width > 0, column + 1 + width <= area.upperBound {
            draw(trailing, base, area.upperBound - width, area, into: &row)
        }
        return row
    }

    /// Draws spans into a row of the screen, and returns the column after them.
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
        screen.draw(row: row) { draw(styled, base, matches: matches, start, area, into: &$0) } ?? start
    }

    /// Draws spans from a column on, and returns the column after them.
    @discardableResult
    func draw(
        _ styled: StyledText,
        _ base: CellStyle,
        matches: CellStyle.Attributes = [.bold, .underline],
        _ start: Int,
        _ area: Range<Int>,
        into row: inout ScreenRow
    ) -> Int {
        var column = start
        for span in styled.spans {
            let style = Self.style(span.style, on: base, matches: matches)
            column = row.draw(span.string, column: column, within: area, style: style, text: text)
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

    private static func style(_ look: DrawnElements.Look) -> CellStyle {
        var style = look.decoration.style
        if look.category == .supplementaryView { style.attributes.insert(.bold) }
        if look.isSelected {
            // Visible without colors too.
            style.attributes.formUnion([.bold, .underline])
            style.foreground = .yellow
        }
        if look.isFocused { style.attributes.insert(.reverse) }
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
