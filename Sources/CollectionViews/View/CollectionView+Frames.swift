internal import DataSources

extension CollectionView {
    /// Returns the visible part as a value, after a layout pass if one is needed.
    ///
    /// - Throws: ``CollectionViewError``, or an error of the data source; the next call tries again.
    public func makeFrame() throws -> ViewFrame {
        // Changes that the pass itself requests are in this frame already.
        pass.isFrameRequested = true
        defer { pass.isFrameRequested = false }
        try layoutIfNeeded()
        let transitions = pass.transitions
        pass.transitions = ViewTransitions()
        return ViewFrame(
            version: version,
            scrollDirection: scrollDirection,
            bounds: bounds,
            contentSize: collectionViewLayout.collectionViewContentSize,
            transitions: transitions,
            elements: try frameElements()
        )
    }

    /// Returns the elements of the frame, from back to front.
    private func frameElements() throws -> [ViewFrame.Element] {
        var result: [ViewFrame.Element] = []
        result.reserveCapacity(displayed.count + 1)
        let moving = try movingAttributes()
        for element in displayedInOrder where element.isVisible {
            guard let view = element.view else { continue }
            let isMoving = moving?.element == element.attributes.element
            result.append(ViewFrame.Element(view, (isMoving ? moving : nil) ?? element.attributes))
        }
        if moving != nil { result.sort { LayoutAttributes.isBehind($0.attributes, $1.attributes) } }
        if let element = backgroundElement() { result.insert(element, at: 0) }
        return result
    }

    /// Returns the attributes that the layout gives to the item that moves with a pointer; `nil` if it moves by keys, or
    /// no item moves.
    private func movingAttributes() throws -> LayoutAttributes? {
        guard let movement = interaction.movement, let position = movement.position,
            hasItem(movement.current),
            let attributes = collectionViewLayout.layoutAttributesForInteractivelyMovingItem(
                at: movement.current.indexPath,
                withTargetPosition: position
            )
        else { return nil }
        try check(attributes, of: "the layout", counts ?? [])
        return attributes
    }

    /// The identity of the background, which layouts never see.
    static let background = ElementIdentifier(
        category: .decorationView,
        kind: elementKindBackground,
        path: ItemPath(section: 0, item: 0)
    )

    private func backgroundElement() -> ViewFrame.Element? {
        guard let backgroundView else { return nil }
        var attributes = LayoutAttributes(Self.background, frame: bounds)
        // Behind the backgrounds of sections.
        attributes.zIndex = -1_000
        if backgroundView.layoutAttributes != attributes {
            backgroundView.layoutAttributes = attributes
            backgroundView.apply(attributes)
        }
        return ViewFrame.Element(backgroundView, attributes, number: backgroundNumber)
    }
}
