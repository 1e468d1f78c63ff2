internal import CollectionViews
internal import DataSources
internal import Foundation

/// The focus: an item, or the header of a section without visible items.
extension TerminalBrowser {
    /// The path with the focus.
    ///
    /// The item of a section header is -1.
    var focusedPath: ItemPath? {
        if let focusedSection, focusedSection < view.numberOfSections {
            if view.numberOfItems(inSection: focusedSection) == 0 {
                return ItemPath(section: focusedSection, item: -1)
            }
            return ItemPath(section: focusedSection, item: 0)
        }
        return view.focusedIndexPath.flatMap(ItemPath.init)
    }

    /// Gives the focus to a path as the user asks, and scrolls as little as shows it.
    func focus(_ path: ItemPath) {
        if path.item < 0 {
            focusedSection = Int(path.section)
            try? view.focusItem(at: nil)
        } else {
            // The delegate may refuse it.
            guard (try? view.focusByUser(at: path.indexPath)) == true else { return }
            focusedSection = nil
        }
        showFocus()
    }

    /// Scrolls as little as shows the focus.
    func showFocus() {
        guard let path = focusedPath else { return }
        if path.item >= 0 {
            try? view.scrollToItem(at: path.indexPath, at: .nearest)
        } else if let header = view.layoutAttributesForSupplementaryElement(
            ofKind: CollectionView.elementKindSectionHeader,
            at: IndexPath(item: 0, section: Int(path.section))
        ) {
            // A pinned header has the place of the viewport's edge while its section is there.
            let end = header.frame.maxY - Double(viewportRows.count)
            view.contentOffset = min(max(view.contentOffset, end), header.frame.minY)
        }
    }

    /// Gives the focus to the first row.
    func focusFirst() {
        if let path = firstStop(from: 0, by: 1) { focus(path) }
    }

    /// Gives the focus to the last row.
    func focusLast() {
        if let path = firstStop(from: view.numberOfSections - 1, by: -1) { focus(path) }
    }

    /// Moves the focus by a number of rows, as far as there are rows.
    func moveFocus(by distance: Int) {
        guard let start = focusedPath else { return focusFirst() }
        focus(path(from: start, by: distance))
    }

    /// Returns the path at a distance of rows from another, as far as there are rows.
    func path(from start: ItemPath, by distance: Int) -> ItemPath {
        var section = Int(start.section)
        var item = Int(start.item)
        var left = distance
        while left != 0 {
            let count = stops(in: section)
            let position = max(0, item)
            if left > 0 {
                let step = min(left, count - 1 - position)
                (item, left) = (position + step, left - step)
                guard left > 0 else { break }
                guard let next = firstStop(from: section + 1, by: 1) else { break }
                (section, item, left) = (Int(next.section), Int(next.item), left - 1)
            } else {
                let step = min(-left, position)
                (item, left) = (position - step, left + step)
                guard left < 0 else { break }
                guard let next = firstStop(from: section - 1, by: -1) else { break }
                (section, item, left) = (Int(next.section), Int(next.item), left + 1)
            }
        }
        return ItemPath(
            section: section,
            item: view.numberOfItems(inSection: section) == 0 ? -1 : max(0, item)
        )
    }

    /// Moves the focus to the first row of the next or previous section.
    func moveFocus(bySections distance: Int) {
        guard let start = focusedPath else { return focusFirst() }
        let section = Int(start.section) + distance
        // Backwards, first to the beginning of the present section.
        if distance < 0, start.item > 0 { return focus(ItemPath(section: start.section, item: 0)) }
        guard (0..<view.numberOfSections).contains(section) else { return }
        focus(ItemPath(section: section, item: view.numberOfItems(inSection: section) == 0 ? -1 : 0))
    }

    /// Moves the focus into the viewport, after the viewport was scrolled.
    func keepFocusVisible() {
        let visible = view.visibleIndexPaths.compactMap(ItemPath.init)
        guard let first = visible.first, let last = visible.last, let path = focusedPath else { return }
        guard path < first || path > last || path.item < 0 else { return }
        // The first visible row may be under a pinned header.
        let isAbove = path < first
        let pinned = isAbove && content.isFolded(section: Int(first.section)) != nil ? 1 : 0
        let target = isAbove ? visible[min(pinned, visible.count - 1)] : last
        focusedSection = nil
        try? view.focusItem(at: target.indexPath)
    }

    private func stops(in section: Int) -> Int { max(1, view.numberOfItems(inSection: section)) }

    private func firstStop(from start: Int, by step: Int) -> ItemPath? {
        var section = start
        while (0..<view.numberOfSections).contains(section) {
            let count = view.numberOfItems(inSection: section)
            if count > 0 { return ItemPath(section: section, item: step > 0 ? 0 : count - 1) }
            // A folded section is one row, an empty one without a header is none.
            if content.isFolded(section: section) != nil { return ItemPath(section: section, item: -1) }
            section += step
        }
        return nil
    }
}
