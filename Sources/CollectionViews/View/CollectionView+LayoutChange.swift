/// A replacement of the layout that no layout pass has shown yet.
struct LayoutChange {
    /// The layout of the last successful pass.
    let old: CollectionLayout
    /// The views that are displayed meanwhile.
    let views: [ReusableView]
    /// The closure that receives whether the layout was shown.
    var completion: ((Bool) -> Void)?
}

extension CollectionView {
    /// Replaces the layout.
    ///
    /// The first visible item keeps its distance from the edge of the viewport, unless the delegate returns another
    /// offset. Views that stay visible keep their numbers in the next frame, so a renderer can move them.
    ///
    /// - Parameters:
    ///   - layout: The new layout.
    ///   - animated: A Boolean value that indicates whether the next frame has ``ViewTransitions/isAnimated`` set.
    ///   - completion: A closure that is called once: with `true` after the layout pass that shows the layout, or with
    ///     `false` if another layout replaces it before.
    public func setCollectionViewLayout(
        _ layout: CollectionLayout,
        animated: Bool = false,
        completion: ((Bool) -> Void)? = nil
    ) {
        performWhenIdle { $0.replaceLayout(by: layout, animated, completion) }
    }

    private func replaceLayout(
        by layout: CollectionLayout,
        _ animated: Bool,
        _ completion: ((Bool) -> Void)?
    ) {
        let earlier = pass.layoutChange
        guard layout !== collectionViewLayout else {
            guard let completion else { return }
            guard let earlier else { return performCompletions([{ completion(true) }]) }
            pass.layoutChange?.completion = { isShown in
                earlier.completion?(isShown)
                completion(isShown)
            }
            return
        }
        let old = collectionViewLayout
        old.host = nil
        attach(layout)
        collectionViewLayout = layout
        let views = displayed.keys.sorted().compactMap { displayed[$0]?.view }
        pass.layoutChange = LayoutChange(old: earlier?.old ?? old, views: views, completion: completion)
        if animated { pass.transitions.isAnimated = true }
        setNeedsMeasurement()
        setNeedsLayout()
        calling { for view in views { view.willTransition(from: old, to: layout) } }
        if let completion = earlier?.completion { performCompletions([{ completion(false) }]) }
    }

    /// Calls completions now, or after the queue of updates whose loop runs.
    private func performCompletions(_ completions: [() -> Void]) {
        if updateQueue.isPerforming {
            updateQueue.finish(completions)
        } else {
            for completion in completions { completion() }
        }
    }

    /// Asks the delegate for the offset at which a batch or a new layout ends, and returns whether it differs.
    func adoptTargetOffset() -> Bool {
        guard let delegate else { return false }
        let proposed = limited(offset)
        let target = calling {
            delegate.collectionView(self, targetContentOffsetForProposedContentOffset: proposed)
        }
        guard !target.isNaN, target != proposed else { return false }
        offset = limited(target)
        return true
    }

    /// Ends the replacement of the layout after a successful pass; the loop calls the completion.
    func finishLayoutChange() {
        guard let change = pass.layoutChange else { return }
        pass.layoutChange = nil
        for view in change.views where view.layoutAttributes != nil {
            view.didTransition(from: change.old, to: collectionViewLayout)
        }
        if let completion = change.completion { updateQueue.finish([{ completion(true) }]) }
    }
}
