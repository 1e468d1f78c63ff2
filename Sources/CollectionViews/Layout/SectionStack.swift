/// Sections one after the other, each with parts before and after a body of rows or lines.
///
/// The lengths of the sections are an index of their own, so a change in one section does not touch the others.
struct SectionStack {
    /// A section: header, inset, body, inset, footer, and the distance to the next section.
    struct Section {
        var header = 0
        var leading = 0
        var body = LengthIndex()
        /// The distance between rows, which the body counts after each row, also after the last one.
        var spacing = 0
        var trailing = 0
        var footer = 0
        /// The distance to the next section.
        var after = 0

        var bodyStart: Int { header + leading }
        var bodyLength: Int { max(0, body.total - (body.count > 0 ? spacing : 0)) }
        var total: Int { bodyStart + bodyLength + trailing + footer + after }
        var footerStart: Int { bodyStart + bodyLength + trailing }

        /// Returns the offset of a row in the section and its length without the spacing.
        func row(_ row: Int) -> (start: Int, length: Int) {
            (bodyStart + body.offset(of: row), body.run(at: row).length - spacing)
        }

        /// Calls a closure with the rows that end after an offset in the section, until it returns `false`.
        func forEachRow(after offset: Int, _ visit: (_ row: Int, _ start: Int, _ length: Int) -> Bool) {
            let position = max(0, offset - bodyStart)
            guard position < body.total else { return }
            body.forEach(from: body.row(at: position)) { row, start, run in
                visit(row, bodyStart + start, run.length - spacing)
            }
        }
    }

    private(set) var sections: [Section] = []
    private var totals = LengthIndex()

    init(_ sections: [Section] = []) {
        self.sections = sections
        totals = LengthIndex(
            runs: sections.map { LengthRun(count: 1, length: $0.total, isMeasured: false) }
        )
    }

    /// The length of all sections.
    var total: Int { totals.total }

    /// Returns the offset at which a section begins.
    func offset(of section: Int) -> Int { totals.offset(of: section) }

    /// Changes a section.
    mutating func update(_ section: Int, _ change: (inout Section) -> Void) {
        let old = sections[section].total
        change(&sections[section])
        let new = sections[section].total
        if new != old { totals.setLength(new, isMeasured: false, at: section) }
    }

    /// Calls closures with the sections, and the rows, that are in a range of the content; empty ones are left out.
    func forEach(
        in range: Range<Double>,
        section visitSection: (_ section: Int, _ start: Int, Section) -> Void,
        row visitRow: (_ section: Int, _ row: Int, _ start: Int, _ length: Int) -> Void
    ) {
        let from = max(0, FixedLength.position(range.lowerBound))
        let end = FixedLength.position(range.upperBound.nextUp)
        guard from < totals.total else { return }
        totals.forEach(from: totals.row(at: from)) { index, start, _ in
            guard start <= end else { return false }
            let section = sections[index]
            visitSection(index, start, section)
            section.forEachRow(after: from - start) { row, offset, length in
                guard start + offset <= end else { return false }
                visitRow(index, row, start + offset, length)
                return true
            }
            return true
        }
    }
}
