internal import CollectionViews
internal import DataSources
internal import Foundation

/// The focus: an item, or the header of a section without visible items.
extension PageSession {
    /// The path with the focus; the item of a section header is -1.
    var focusedPath: ItemPath? {
        if let section = interaction.focusedSection, section < view.numberOfSections {
            guard view.numberOfItems(inSection: section) > 0 else {
                return ItemPath(section: section, item: -1)
            }
            return ItemPath(section: section, item: 0)
        }
        return view.focusedIndexPath.flatMap(ItemPath.init)
    }

    /// Returns the number of the element that has the focus in a frame.
    func activeNumber(in frame: ViewFrame) -> Int? {
        guard let path = focusedPath else { return nil }
        guard path.item < 0 else { return frame.elements.first { $0.isFocused }?.viewNumber }
        return frame.elements.first {
            $0.attributes.element.path.section == path.section
                && $0.attributes.element.kind == CollectionView.elementKindSectionHeader
        }?
        .viewNumber
    }

    /// Moves the focus as the user asks, and scrolls as little as shows it.
    func focusByUser(_ path: ItemPath) throws {
        guard path.item >= 0 else {
            interaction.focusedSection = Int(path.section)
            try view.focusItem(at: nil)
            return showFocus()
        }
        guard try view.focusByUser(at: path.indexPath) else { return }
        interaction.focusedSection = nil
        showFocus()
    }

    func focus(_ path: ItemPath?) throws {
        if let path { try focusByUser(path) }
    }

    /// Scrolls as little as shows the focus.
    func showFocus() {
        guard let path = focusedPath else { return }
        interaction.goal = .focus
        if path.item >= 0 {
            try? view.scrollToItem(at: path.indexPath, at: .nearest)
        } else if let header = view.layoutAttributesForSupplementaryElement(
            ofKind: CollectionView.elementKindSectionHeader,
            at: IndexPath(item: 0, section: Int(path.section))
        ) {
            view.scrollRectToVisible(header.frame)
        }
    }

    /// Gives the focus to the last row, again when more rows were found.
    func focusLast() { try? focus(stop(from: view.numberOfSections - 1, by: -1)) }

    /// Gives the focus to the row that the view chooses when it enters, or to the first header without items.
    private func enterFocus() throws {
        guard try view.focusByUser() == nil else { return showFocus() }
        try focus(stop(from: 0, by: 1))
    }

    /// Moves the focus by a number of rows, as far as there are rows.
    func moveFocus(by distance: Int) throws {
        guard let start = focusedPath else { return try enterFocus() }
        try focus(path(from: start, by: distance))
    }

    /// Moves the focus to the first row of the next or previous section.
    func moveFocus(bySections distance: Int) throws {
        guard let start = focusedPath else { return try enterFocus() }
        if distance < 0, start.item > 0 {
            return try focus(ItemPath(section: start.section, item: 0))
        }
        var section = Int(start.section)
        if let next = stop(from: section + distance, by: distance) {
            section = Int(next.section)
            try focus(ItemPath(section: section, item: next.item < 0 ? -1 : 0))
        }
    }

    /// Returns the path at a distance of rows from another, as far as there are rows; a folded section is one row.
    func path(from start: ItemPath, by distance: Int) -> ItemPath {
        var path = start
        var left = distance
        while left != 0 {
            let section = Int(path.section)
            let position = max(0, Int(path.item))
            let room = left > 0 ? max(1, view.numberOfItems(inSection: section)) - 1 - position : position
            let step = min(abs(left), room)
            let target = position + (left > 0 ? step : -step)
            path = ItemPath(section: section, item: path.item < 0 ? -1 : target)
            left -= left > 0 ? step : -step
            guard left != 0 else { break }
            guard let next = stop(from: section + left.signum(), by: left.signum()) else { break }
            path = next
            left -= left.signum()
        }
        return path
    }

    /// Returns the first row that can have the focus, from a section on: forwards its first, backwards its last.
    func stop(from start: Int, by step: Int) -> ItemPath? {
        var section = start
        while (0..<view.numberOfSections).contains(section) {
            let count = view.numberOfItems(inSection: section)
            if count > 0 { return ItemPath(section: section, item: step > 0 ? 0 : count - 1) }
            if content.isFolded(section: section) != nil { return ItemPath(section: section, item: -1) }
            section += step
        }
        return nil
    }

    /// The number of rows of a page, from the rows that are visible.
    var pageLength: Int { max(1, view.visibleIndexPaths.count - 1) }
}
