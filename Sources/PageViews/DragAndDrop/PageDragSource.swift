internal import CollectionViews
internal import Foundation

/// The drag that began on a page, from the press on a row to the end that the browser reports.
final class PageDragSource {
    /// The time for a drop on another page to arrive, after the browser has reported the end of the drag.
    static let maximumDelay = Duration.seconds(10)
    /// The maximum number of marked rows that are dragged along.
    static let maximumItems = 1_000

    private let view: CollectionView
    private let drags: PageDrags
    private var current: (name: String, session: DragSession)?
    /// The effect of a drop that another page has not performed yet, and the time until which it is waited for.
    private var released: (effect: DropOperation, deadline: Duration)?

    init(_ view: CollectionView, _ drags: PageDrags) {
        self.view = view
        self.drags = drags
    }

    /// Begins the drag of rows, and returns it; `nil` if the view has no items for them.
    func begin(_ name: String, at paths: [IndexPath]) throws -> DragSession? {
        cancel()
        guard let first = paths.first, let session = try view.beginDrag(at: first) else { return nil }
        current = (name, session)
        drags[name] = session
        for path in paths.dropFirst().prefix(Self.maximumItems - 1) { _ = try session.addItems(at: path) }
        return session
    }

    /// Ends the drag with the effect that the browser reports.
    ///
    /// The page on which it was dropped has another connection, whose message may arrive later.
    func end(_ name: String, _ effect: DropOperation, at now: Duration) {
        guard let current, current.name == name else { return }
        if effect.isAccepted, current.session.operation == nil, current.session.targetView != nil {
            released = (effect, now + Self.maximumDelay)
        } else {
            finish(effect)
        }
    }

    /// The time at which a drop that did not arrive is given up; `nil` for none.
    var deadline: Duration? { released?.deadline }

    /// Forgets a drag that was dropped, or whose drop did not arrive.
    func update(at now: Duration) {
        guard let released else { return }
        if released.deadline <= now {
            finish(.cancel)
        } else if current?.session.operation != nil {
            finish(.cancel)
        }
    }

    /// Cancels the drag.
    func cancel() { finish(.cancel) }

    private func finish(_ effect: DropOperation) {
        released = nil
        guard let (name, session) = current else { return }
        current = nil
        drags[name] = nil
        // Without effect on a drag that was dropped.
        session.end(outside: effect)
    }
}
