internal import CollectionViews
internal import DataSources
internal import Foundation

extension TerminalBrowser {
    /// The number of rows by which a step of the wheel scrolls.
    static let wheelRows = 3

    func handle(_ event: MouseEvent) {
        message = ""
        wantsLast = false
        if case .wheel(let step) = event.kind { return scroll(step * Self.wheelRows) }
        switch mode {
        case .rows: handleRows(event)
        case .moving: handleDrag(event)
        case .page, .prompt, .menu: break
        }
    }

    private func scroll(_ distance: Int) {
        if case .page(var page) = mode {
            for _ in 0..<abs(distance) {
                _ = page.apply(distance > 0 ? .down : .up, height: viewportRows.count)
            }
            mode = .page(page)
            return
        }
        view.contentOffset = view.limited(view.contentOffset + Double(distance))
        if case .rows = mode { keepFocusVisible() }
    }

    private func handleRows(_ event: MouseEvent) {
        switch event.kind {
        case .press(0): press(event)
        case .drag(0):
            guard let pressed, let target = item(at: event), target != pressed,
                (try? view.beginInteractiveMovementForItem(at: pressed)) == true
            else { return }
            mode = .moving
            handleDrag(event)
        case .release: pressed = nil
        default: break
        }
    }

    private func press(_ event: MouseEvent) {
        pressed = nil
        if showsIndex, event.column == size.columns - 1, viewportRows.contains(event.row) {
            return jump(toIndexRow: event.row - viewportRows.lowerBound)
        }
        if content.header != nil, event.row < viewportRows.lowerBound {
            if content.selectColumn(at: event.column - TerminalRenderer.gutterWidth) { perform(.sort) }
            return
        }
        guard let element = element(at: event)?.attributes.element else { return }
        switch element.category {
        case .cell:
            focus(element.path)
            pressed = element.path.indexPath
        case .supplementaryView:
            let section = Int(element.path.section)
            guard let isFolded = content.isFolded(section: section) else { return }
            setFolded(!isFolded, section: section)
        case .decorationView: break
        }
    }

    private func handleDrag(_ event: MouseEvent) {
        switch event.kind {
        case .drag:
            // At an edge, the view scrolls by a row for each movement.
            if event.row <= viewportRows.lowerBound { scroll(-1) }
            if event.row >= viewportRows.upperBound - 1 { scroll(1) }
            if let target = item(at: event) { try? view.updateInteractiveMovementTarget(target) }
        case .release:
            pressed = nil
            try? view.endInteractiveMovement()
            mode = .rows
        default: break
        }
    }

    private func item(at event: MouseEvent) -> IndexPath? {
        guard let element = element(at: event)?.attributes.element, element.category == .cell else {
            return nil
        }
        return element.indexPath
    }

    /// Returns the frontmost element of the last frame at a cell of the screen.
    private func element(at event: MouseEvent) -> ViewFrame.Element? {
        guard viewportRows.contains(event.row), let frame = lastFrame else { return nil }
        let y = frame.bounds.minY + Double(event.row - viewportRows.lowerBound) + 0.5
        let x = max(0.5, Double(event.column - TerminalRenderer.gutterWidth) + 0.5)
        return frame.elements.last { $0.attributes.frame.contains(Point(x: x, y: y)) }
    }

    // MARK: - Index

    /// The index title for each row of the viewport, as evenly as they fit.
    var indexRows: [ViewIndexTitle] {
        let titles = content.indexTitles
        let rows = viewportRows.count
        guard titles.count > rows else { return titles }
        return (0..<rows).map { titles[$0 * titles.count / rows] }
    }

    private func jump(toIndexRow row: Int) {
        let rows = indexRows
        guard rows.indices.contains(row) else { return }
        let section = rows[row].section
        focus(ItemPath(section: section, item: view.numberOfItems(inSection: section) == 0 ? -1 : 0))
        if let path = focusedPath, path.item >= 0 { try? view.scrollToItem(at: path.indexPath, at: .start) }
    }
}
