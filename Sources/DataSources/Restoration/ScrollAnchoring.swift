internal import Foundation

/// Keeps what is seen where it is while rows come and go around it: CSS's scroll anchoring, for change sets.
///
/// A pure function: from the change set, what was seen, and where rows stand before and after, to how far to
/// scroll.
public struct ScrollAnchoring: Sendable, Hashable {
    /// Which end the view holds on to.
    public enum Mode: Sendable, Hashable {
        /// The first row that is seen stays where it is.
        case start
        /// The end of the content stays in view if it was, as in logs and chats; else as `start`.
        case end
    }

    /// Which end the view holds on to.
    public var mode: Mode
    /// Whether a view at its very top stays there, so that rows that come above are seen.
    public var isSuppressedAtTop: Bool
    /// How near to the end of the content counts as the end.
    public var endTolerance: Double

    /// Makes a rule.
    public init(mode: Mode = .start, isSuppressedAtTop: Bool = true, endTolerance: Double = 1) {
        self.mode = mode
        self.isSuppressedAtTop = isSuppressedAtTop
        self.endTolerance = endTolerance
    }

    /// How far to scroll when a difference is applied, so that no visible row moves.
    ///
    /// The row that stays is the first one seen that neither went nor moved by itself; if there is none, the
    /// first one seen that moved; if all that was seen is gone, the nearest row before it.
    ///
    /// - Parameters:
    ///   - difference: What changed.
    ///   - old: The view before.
    ///   - new: The view after, not yet scrolled.
    /// - Returns: What to add to the content's offset: 0 where nothing has to be done. The sum does not lead
    ///   beyond the content's ends.
    /// - Complexity: O(c log c) in the changes and O(v) in the rows that are seen.
    public func adjustment(
        applying difference: Difference,
        from old: any RestorableView,
        to new: any RestorableView
    ) -> Double {
        let offset = old.contentOffset
        if mode == .end, old.contentLength - old.viewportLength - offset <= endTolerance {
            return new.clamped(.greatestFiniteMagnitude) - offset
        }
        if isSuppressedAtTop, offset <= 0 { return new.clamped(offset) - offset }
        let tracking = PathTracking(difference)
        let moved = Set(difference.moves.map(\.old))
        var candidates = old.visibleIndexPaths.compactMap { ItemPath($0) }
        let first = candidates.first
        // A row that changed its place would take the view along with it.
        candidates = candidates.filter { !moved.contains($0) } + candidates.filter { moved.contains($0) }
        var before = first
        while before != nil || !candidates.isEmpty {
            let candidate: ItemPath
            if !candidates.isEmpty {
                candidate = candidates.removeFirst()
            } else if let next = before.flatMap({ path(before: $0, in: old) }) {
                before = next
                candidate = next
            } else {
                break
            }
            guard let place = old.position(of: candidate.indexPath),
                let path = tracking.newPath(of: candidate), let now = new.position(of: path.indexPath)
            else { continue }
            return new.clamped(offset + now.lowerBound - place.lowerBound) - offset
        }
        return new.clamped(offset) - offset
    }

    /// The row before one, inside its section: what is farther away is no hold.
    private func path(before path: ItemPath, in view: any RestorableView) -> ItemPath? {
        guard path.item > 0 else { return nil }
        let previous = ItemPath(section: path.section, item: path.item - 1)
        return view.position(of: previous.indexPath) == nil ? nil : previous
    }
}
