internal import Foundation

/// A rule that keeps visible rows at their position while rows are inserted and deleted around them: CSS scroll
/// anchoring, for change sets.
///
/// The rule is a pure function. It computes the scroll distance from the difference, the visible rows, and the
/// positions of rows before and after.
public struct ScrollAnchoring: Sendable, Hashable {
    /// The end that the view holds on to.
    public enum Mode: Sendable, Hashable {
        /// The first visible row stays where it is.
        case start
        /// The end of the content stays visible if it was, as in logs and chats; otherwise the same as `start`.
        case end
    }

    /// The end that the view holds on to.
    public var mode: Mode
    /// A Boolean value that indicates whether a view scrolled to the very top stays there, so that rows inserted above
    /// are visible.
    public var isSuppressedAtTop: Bool
    /// The maximum distance from the end of the content that counts as the end.
    public var endTolerance: Double

    /// Creates a rule.
    public init(mode: Mode = .start, isSuppressedAtTop: Bool = true, endTolerance: Double = 1) {
        self.mode = mode
        self.isSuppressedAtTop = isSuppressedAtTop
        self.endTolerance = endTolerance
    }

    /// Returns the scroll distance that keeps the visible rows in place when a difference is applied.
    ///
    /// The row that stays is the first visible one that was neither deleted nor moved. If there is none, it is the
    /// first visible row that moved. If all visible rows are gone, it is the nearest row before them.
    ///
    /// - Parameters:
    ///   - difference: The difference.
    ///   - old: The view before.
    ///   - new: The view after, not yet scrolled.
    /// - Returns: The distance to add to the content's offset, or 0 if no scrolling is needed. The sum is within the
    ///   content.
    /// - Complexity: O(c log c) in the changes and O(v) in the visible rows.
    public func adjustment(
        applying difference: Difference,
        from old: any RestorableView,
        to new: any RestorableView
    ) -> Double {
        adjustment(to: anchor(applying: difference, from: old), offset: old.contentOffset, in: new)
    }

    /// The position that a change keeps: a row with its start before the change, the end, or the offset.
    package enum Anchor: Sendable, Hashable {
        /// The end of the content.
        case end
        /// The offset itself, because no row remains.
        case offset
        /// A row by its new path, and its start in the old content.
        case row(ItemPath, oldStart: Double)
    }

    /// Returns the position to keep, computed before a view changes.
    package func anchor(applying difference: Difference, from old: any RestorableView) -> Anchor {
        let offset = old.contentOffset
        if mode == .end, old.contentLength - old.viewportLength - offset <= endTolerance { return .end }
        if isSuppressedAtTop, offset <= 0 { return .offset }
        let tracking = PathTracking(difference)
        let moved = Set(difference.moves.map(\.old))
        var candidates = old.visibleIndexPaths.compactMap { ItemPath($0) }
        let first = candidates.first
        // A moved row would scroll the view with it.
        candidates = candidates.filter { !moved.contains($0) } + candidates.filter { moved.contains($0) }
        func anchor(at candidate: ItemPath) -> Anchor? {
            guard let place = old.position(of: candidate.indexPath),
                let path = tracking.newPath(of: candidate)
            else { return nil }
            return .row(path, oldStart: place.lowerBound)
        }
        if let found = candidates.lazy.compactMap(anchor).first { return found }
        var before = first.flatMap { path(before: $0, in: old) }
        while let candidate = before {
            if let found = anchor(at: candidate) { return found }
            before = path(before: candidate, in: old)
        }
        return .offset
    }

    /// Returns the scroll distance that keeps a position in a view after its change.
    package func adjustment(to anchor: Anchor, offset: Double, in new: any RestorableView) -> Double {
        switch anchor {
        case .end: return new.clamped(.greatestFiniteMagnitude) - offset
        case .offset: return new.clamped(offset) - offset
        case .row(let path, let oldStart):
            guard let now = new.position(of: path.indexPath) else { return new.clamped(offset) - offset }
            return new.clamped(offset + now.lowerBound - oldStart) - offset
        }
    }

    /// Returns the row before another one in the same section; rows of other sections are too far away to anchor on.
    private func path(before path: ItemPath, in view: any RestorableView) -> ItemPath? {
        guard path.item > 0 else { return nil }
        let previous = ItemPath(section: path.section, item: path.item - 1)
        return view.position(of: previous.indexPath) == nil ? nil : previous
    }
}
