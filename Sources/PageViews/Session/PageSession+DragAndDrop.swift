internal import BridgeValues
internal import CollectionViews
internal import DataSources
internal import Foundation

/// Drags between pages, from the desktop and out of the browser.
extension PageSession {
    /// A Boolean value that indicates whether a drag of a row leaves the view; otherwise it reorders rows.
    var dragsRows: Bool {
        view.dragInteractionEnabled && (view.dragDelegate != nil || !content.canReorder)
    }

    /// The time at which an interaction in progress ends unless the page continues it; `nil` for none.
    var interactionEnd: Duration? {
        [movementEnd, interaction.drags.deadline].compactMap(\.self).min()
    }

    /// Begins the drag of a row that is pressed, or of all marked rows if it is one of them.
    ///
    /// A browser takes the data of a drag only at the moment of its beginning, so it is requested at the press. A click is a
    /// drag that is cancelled.
    ///
    /// - Returns: The rows as text and with tabs; `null` if they stay in this process.
    /// - Throws: ``PageInputError`` with a sentence for rows that are too many or too long, or gone.
    func beginDrag(ofView number: Int, seen: Int?, name: String) throws -> Value {
        guard PageDrags.isName(name) else {
            throw PageInputError("the name of a drag has 32 hexadecimal digits, not '\(name.prefix(40))'")
        }
        let path = try path(ofView: number, seen: seen)
        guard path.item >= 0, view.dragInteractionEnabled else {
            throw PageInputError("the row cannot be dragged")
        }
        let paths = try draggedPaths(from: path.indexPath)
        let session = try interaction.drags.source.begin(name, at: paths)
        if let session, session.isRestrictedToDraggingApplication { return .null }
        let copied = content.copiedRows(
            at: paths.compactMap(sourcePath),
            maximumByteCount: PageAnswer.maximumByteCount
        )
        return .object(try answer(copied ?? shownRows(at: paths)))
    }

    private func draggedPaths(from path: IndexPath) throws -> [IndexPath] {
        guard view.isItemSelected(at: path) else { return [path] }
        let count = markedCount
        guard count <= PageDragSource.maximumItems else {
            throw PageInputError("\(count) rows are marked (limit of a drag: \(PageDragSource.maximumItems))")
        }
        return [path] + view.indexPathsForSelectedItems.filter { $0 != path }
    }

    /// Moves a drag over the view, and finds out what a drop would do.
    func dragOver(_ offer: PageDropOffer, _ point: Point) throws {
        try interaction.drags.target.move(offer, to: point, at: clock.now)
    }

    /// Drops the data of a drag, and returns a message or `nil`.
    ///
    /// - Throws: ``PageInputError`` with a sentence if nothing is dropped.
    func drop(
        _ offer: PageDropOffer,
        _ data: PageDropContent,
        x: Double,
        y: Double,
        from source: DroppedFileSource,
        on executor: PageExecutor
    ) throws -> String? {
        let target = interaction.drags.target
        do {
            try data.check(maximumFileSize: content.maximumFileSize)
        } catch {
            target.leave()
            throw error
        }
        let limit = PageInput.farthest
        guard x.isFinite, y.isFinite, abs(x) <= limit, abs(y) <= limit else {
            target.leave()
            throw PageInputError("the position of a drop is (\(x), \(y)); nothing was dropped")
        }
        defer {
            isInfoStale = true
            updateHandler?()
        }
        let effect = try target.drop(
            offer,
            data,
            at: Point(x: x, y: y),
            from: source,
            on: executor,
            time: clock.now
        )
        return effect.isAccepted ? nil : "nothing was dropped: the rows here do not take it"
    }
}
