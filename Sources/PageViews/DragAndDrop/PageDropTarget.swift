internal import BridgeValues
internal import CollectionViews
internal import DataSources

/// The drag over a page's view, whether it began on a page of the same host or elsewhere.
final class PageDropTarget {
    /// The time without messages of the page after which a drag has left the view.
    static let maximumRest = Duration.seconds(10)

    /// The origin of a drag.
    private enum Visitor {
        case known(name: String, DragSession)
        case foreign(PageDropOffer, PageDropItems, DropSession)
    }

    private let view: CollectionView
    private let drags: PageDrags
    private var visitor: Visitor?
    private var lastTime = Duration.zero
    /// The last proposal; `nil` if no drag is over the view.
    private(set) var proposal: DropProposal?

    init(_ view: CollectionView, _ drags: PageDrags) {
        self.view = view
        self.drags = drags
    }

    /// The time at which a drag that the page no longer reports has left the view; `nil` for none.
    var deadline: Duration? { visitor == nil ? nil : lastTime + Self.maximumRest }

    /// Moves a drag to a point of the content.
    func move(_ offer: PageDropOffer, to point: Point, at now: Duration) throws {
        lastTime = now
        switch visitor(of: offer) {
        case .known(_, let drag): proposal = try drag.move(over: view, at: point)
        case .foreign(_, _, let session): proposal = try view.updateDrop(session, at: point)
        }
    }

    /// Returns the drag of an offer, and ends the visit of another one.
    private func visitor(of offer: PageDropOffer) -> Visitor {
        let known = offer.name.flatMap { name in drags[name].map { (name, $0) } }
        switch (visitor, known) {
        case (.known(let name, let drag)?, (let present, let session)?)
        where name == present && drag === session:
            break
        case (.foreign(let before, _, _)?, nil) where before == offer: break
        default:
            leave()
            if let known {
                visitor = .known(name: known.0, known.1)
            } else {
                let items = PageDropItems(offer)
                visitor = .foreign(offer, items, DropSession(items: items.items))
            }
        }
        // Set above.
        return visitor ?? .foreign(offer, PageDropItems(offer), DropSession(items: []))
    }

    /// Ends the visit of a drag without a drop.
    func leave() {
        defer {
            visitor = nil
            proposal = nil
        }
        switch visitor {
        case .known(_, let drag)?:
            // It may be over the view of another page meanwhile.
            if drag.targetView === view { _ = try? drag.move(over: nil) }
        case .foreign(_, _, let session)?: view.endDrop(session)
        case nil: break
        }
    }

    /// Drops the data of a drag at a point, and returns the effect.
    func drop(
        _ offer: PageDropOffer,
        _ content: PageDropContent,
        at point: Point,
        from source: DroppedFileSource,
        on executor: PageExecutor,
        time now: Duration
    ) throws -> DropOperation {
        try move(offer, to: point, at: now)
        defer {
            visitor = nil
            proposal = nil
        }
        if case .known(_, let drag)? = visitor { return try drag.drop() }
        if case .foreign(_, let items, _)? = visitor, !items.fits(content) {
            try move(PageDropItems.offer(of: content), to: point, at: now)
        }
        guard case .foreign(_, let items, let session)? = visitor else { return .cancel }
        items.fill(content, from: source, on: executor)
        defer { view.endDrop(session) }
        return try view.performDrop(session)
    }

    /// Ends the visit of a drag that the page no longer reports.
    func update(at now: Duration) {
        if let deadline, deadline <= now { leave() }
    }
}
