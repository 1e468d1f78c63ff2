internal import BridgeValues
internal import CollectionViews
internal import DataSources
internal import Foundation

/// Clicks, scrolls and measurements of the page.
extension PageSession {
    // MARK: - Elements

    /// Returns the element that a view displays, as the page has seen it.
    ///
    /// - Throws: ``PageInputError`` for a number that is gone, or that the page has seen with another row.
    func element(ofView number: Int) throws -> ElementIdentifier {
        let isOther = sent.reference.map { sent.firstUpdates[number] ?? 0 > $0 } ?? false
        guard !isOther, let element = view.displayedElement(ofView: number) else {
            throw PageInputError("the row is no longer shown there (view \(number)); nothing was done")
        }
        return element
    }

    /// Returns the path of an item, or of a header as item -1.
    func path(ofView number: Int) throws -> ItemPath {
        let element = try element(ofView: number)
        return element.category == .cell ? element.path : ItemPath(section: element.path.section, item: -1)
    }

    // MARK: - Clicks

    /// Applies a click: focus, marks, folds, or the primary action.
    func click(_ number: Int, _ modifiers: PageModifiers, count: Int, _ part: PageInput.Part) throws {
        let element = try element(ofView: number)
        guard element.category == .cell else { return try clickOther(element, part) }
        let path = element.path
        if part == .disclosure, let isExpanded = view.isItemExpanded(at: path.indexPath) {
            try view.setItemExpanded(!isExpanded, at: path.indexPath)
            return
        }
        let start = focusedPath
        if modifiers.contains(.shift), view.allowsMultipleSelection {
            return try markRange(from: start, to: path)
        }
        try focusByUser(path)
        if modifiers.isCommand || !view.allowsMultipleSelection {
            // A second click of a double click would remove the mark again.
            if count < 2, view.allowsSelection { try view.selectByUser(at: path.indexPath) }
        }
        beginRange(at: path)
        if count == 2 { try view.performPrimaryAction(at: path.indexPath) }
    }

    private func clickOther(_ element: ElementIdentifier, _ part: PageInput.Part) throws {
        guard element.kind == CollectionView.elementKindSectionHeader else { return }
        let section = Int(element.path.section)
        guard let isFolded = content.isFolded(section: section) else { return }
        setFolded(!isFolded, section: section)
    }

    /// Folds or unfolds a section, or collapses or expands an item.
    func fold(_ element: ElementIdentifier, _ isFolded: Bool) throws {
        guard element.category == .cell else {
            return setFolded(isFolded, section: Int(element.path.section))
        }
        guard view.isItemExpanded(at: element.indexPath) != nil else {
            throw PageInputError("the row cannot be expanded")
        }
        try view.setItemExpanded(!isFolded, at: element.indexPath)
    }

    // MARK: - Scrolling and sizes

    /// Scrolls to where the user has scrolled the page.
    func scrollByUser(to reported: Double, _ velocity: Double) {
        // The page does not have the movement since the last update, such as that of rows inserted above. A view that
        // follows the end of its content is beyond it, and the user leaves the end.
        let present = view.contentOffset
        let movement = present > contentLength ? 0 : present - scroll.offset
        // The end of the content that the page has is the end that the user means, also if rows were measured meanwhile.
        let end = scroll.length ?? contentLength
        let inset = contentInset
        let room = viewportLength - inset.after
        let isAtEnd = end + inset.before > room && reported >= end - room - 0.5
        let shared = scroll.scrolled(to: reported) + movement
        let offset = isAtEnd ? max(shared, contentLength) : shared
        interaction.goal = isAtEnd || offset >= contentLength - room - 0.5 ? .end : nil
        view.beginDragging()
        view.contentOffset = offset
        scroll.restTime = clock.now + .milliseconds(50)
        if velocity == 0 {
            _ = view.endDragging()
            view.endDecelerating()
        }
    }

    private var isVertical: Bool { view.collectionViewLayout.scrollDirection == .vertical }
    /// The length of the content along the scroll direction.
    private var contentLength: Double { isVertical ? view.contentSize.height : view.contentSize.width }
    /// The insets of the view along the scroll direction.
    var contentInset: (before: Double, after: Double) {
        let inset = view.contentInset
        return isVertical ? (inset.top, inset.bottom) : (inset.left, inset.right)
    }
    private var viewportLength: Double { isVertical ? view.frame.size.height : view.frame.size.width }

    /// Adopts the size of the page's viewport; one screen beyond both edges is displayed too.
    func resize(_ width: Double, _ height: Double) throws {
        let size = Size(
            width: min(max(1, width), Self.maximumSide),
            height: min(max(1, height), Self.maximumSide)
        )
        view.overscan = isVertical ? size.height : size.width
        if view.frame.size != size { view.frame = Rect(origin: .zero, size: size) }
        guard size == Size(width: width, height: height) else {
            throw PageInputError(
                "the size \(width) x \(height) is limited to 1...\(Int(Self.maximumSide)) px each"
            )
        }
    }

    /// Adopts the lengths that the page has measured.
    func measure(_ lengths: [Int: Double]) throws {
        guard content.measuresLengths else { return }
        for (number, length) in lengths.sorted(by: { $0.key < $1.key }) {
            // The page may measure elements that are gone meanwhile.
            guard let element = try? element(ofView: number), element.category == .cell else { continue }
            try view.setMeasuredLength(length, forItemAt: element.indexPath)
        }
        switch interaction.goal {
        case .focus: showFocus()
        case .end: view.contentOffset = contentLength
        case nil: break
        }
    }
}
