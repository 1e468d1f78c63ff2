internal import DataSources
internal import Foundation

/// The headers, footers and backgrounds of the sections of a layout, at their positions for the present bounds.
struct SectionElements {
    let direction: ScrollDirection
    let bounds: Rect
    var pinsHeaders = false
    var pinsFooters = false
    var backgroundKind: String?
    var headerKind = CollectionView.elementKindSectionHeader
    var footerKind = CollectionView.elementKindSectionFooter

    /// Returns the supplementary or the decoration elements of a section that begins at an offset.
    func attributes(
        _ category: ElementCategory,
        section index: Int,
        at start: Int,
        _ section: SectionStack.Section
    ) -> [LayoutAttributes] {
        if category == .decorationView {
            guard let backgroundKind else { return [] }
            let length = section.total - section.header - section.footer - section.after
            return [make(category, backgroundKind, index, start + section.header, length, zIndex: -1)]
        }
        var result: [LayoutAttributes] = []
        if section.header > 0 {
            result.append(
                make(
                    category,
                    headerKind,
                    index,
                    headerStart(start, section),
                    section.header,
                    zIndex: pinsHeaders ? 1 : 0
                )
            )
        }
        if section.footer > 0 {
            result.append(
                make(
                    category,
                    footerKind,
                    index,
                    footerStart(start, section),
                    section.footer,
                    zIndex: pinsFooters ? 1 : 0
                )
            )
        }
        return result
    }

    /// Returns the element of a kind at a path, or `nil` if its section has none.
    func attributes(
        _ category: ElementCategory,
        ofKind kind: String,
        at indexPath: IndexPath,
        in stack: SectionStack
    ) -> LayoutAttributes? {
        let section = indexPath.section
        guard indexPath.item == 0, stack.sections.indices.contains(section) else { return nil }
        return attributes(
            category,
            section: section,
            at: stack.offset(of: section),
            stack.sections[section]
        )
        .first { $0.element.kind == kind }
    }

    /// Returns the start of a header: at the edge of the viewport while it is pinned, and before the footer at most.
    private func headerStart(_ start: Int, _ section: SectionStack.Section) -> Int {
        guard pinsHeaders else { return start }
        let edge = FixedLength.position(direction.start(of: bounds))
        return max(start, min(edge, start + section.footerStart - section.header))
    }

    /// Returns the start of a footer: before the end of the viewport while it is pinned, and after the header at least.
    private func footerStart(_ start: Int, _ section: SectionStack.Section) -> Int {
        let natural = start + section.footerStart
        guard pinsFooters else { return natural }
        let edge = FixedLength.position(direction.range(of: bounds).upperBound) - section.footer
        return min(natural, max(edge, start + section.header))
    }

    private func make(
        _ category: ElementCategory,
        _ kind: String,
        _ section: Int,
        _ start: Int,
        _ length: Int,
        zIndex: Int
    ) -> LayoutAttributes {
        let path = ItemPath(section: section, item: 0)
        let frame = direction.rect(
            start: FixedLength.length(start),
            length: FixedLength.length(length),
            across: 0,
            breadth: direction.breadth(of: bounds.size)
        )
        var attributes = LayoutAttributes(
            ElementIdentifier(category: category, kind: kind, path: path),
            frame: frame
        )
        attributes.zIndex = zIndex
        return attributes
    }
}
