internal import BridgeValues
public import Foundation
internal import Stores

/// The limits of the work that saving a state does on a source, whose counts a script may choose.
private enum RestorationLimits {
    /// The maximum number of visible rows whose identifier is requested.
    static let rows = 1_000
    /// The maximum number of sections to search for the row next to one at the end of its section.
    static let emptySections = 1_000
}

extension RestorableSource {
    /// Returns the first section that satisfies a condition.
    ///
    /// A script's source chooses its number of sections, so the search stops at the thread's work limit. The result is
    /// then `nil`.
    package func firstSection(where condition: (Int) -> Bool) -> Int? {
        (0..<max(0, numberOfSections)).first { WorkLimit.isOver || condition($0) }
            .flatMap { WorkLimit.isOver ? nil : $0 }
    }

    /// Returns an archive of a view's position and marks.
    ///
    /// - Parameters:
    ///   - view: The view.
    ///   - marks: The view's selection, focus and expanded items.
    ///   - time: The time of the archive; the present time by default.
    /// - Returns: The archive. It has no position if no row is visible or the visible rows have no identifiers.
    /// - Complexity: O(v) in the marked rows and in the visible rows before the first one that has an identifier. At
    ///   most the first 1,000 visible rows are examined.
    public func savedState(
        of view: any RestorableView,
        marks: RestorableMarks = RestorableMarks(),
        time: Date = Date()
    ) -> StateArchive {
        var archive = StateArchive(schema: restorationSchema, request: restorationRequest, time: time)
        let range = view.contentLength - view.viewportLength
        archive.proportion = range > 0 ? min(1, max(0, view.contentOffset / range)) : 0
        let first = view.firstVisibleIndexPath(limit: RestorationLimits.rows) { path in
            !WorkLimit.isOver && anchor(at: path, in: view) != nil
        }
        if let first {
            archive.anchor = anchor(at: first, in: view)
            archive.fallbacks = neighbours(of: first).compactMap { anchor(at: $0, in: view) }
            archive.section = restorationSection(first.section)
            let sortKeys = restorationSortKeys
            if !sortKeys.isEmpty, let values = restorationSortValues(at: first) {
                archive.sortedBy = sortKeys
                archive.sortKey = values
            }
        }
        let selected = marks.selection.compactMap { lastingIdentifier(at: $0, in: view) }
        archive.selection = marks.selectsAllExcept ? .allExcept(selected) : .ids(selected)
        archive.focus = marks.focus.flatMap { lastingIdentifier(at: $0, in: view) }
        archive.expanded = marks.expanded
        return archive
    }

    /// Returns the identifier of a row, or `nil` for an unsaved row, which gets another identifier when it is saved.
    private func lastingIdentifier(at path: IndexPath, in view: any RestorableView) -> String? {
        guard let id = modelIdentifierForElement(at: path, in: view) else { return nil }
        return ModelIdentifier(uri: id)?.isTemporary == true ? nil : id
    }

    private func anchor(at path: IndexPath, in view: any RestorableView) -> StateArchive.Anchor? {
        guard let id = lastingIdentifier(at: path, in: view), let place = view.position(of: path)
        else { return nil }
        return StateArchive.Anchor(
            id: id,
            offset: place.lowerBound - view.contentOffset,
            length: place.upperBound - place.lowerBound
        )
    }

    /// Returns up to four rows before and four after a row, in turn: the nearest first.
    private func neighbours(of path: IndexPath) -> [IndexPath] {
        var neighbours: [IndexPath] = []
        var next = indexPath(from: path, by: 1)
        var previous = indexPath(from: path, by: -1)
        for _ in 0..<4 {
            if let path = next {
                neighbours.append(path)
                next = indexPath(from: path, by: 1)
            }
            if let path = previous {
                neighbours.append(path)
                previous = indexPath(from: path, by: -1)
            }
        }
        return neighbours
    }

    private func indexPath(from path: IndexPath, by step: Int) -> IndexPath? {
        let item = path.item + step
        if item >= 0, item < numberOfItems(in: path.section) {
            return IndexPath(item: item, section: path.section)
        }
        // A row behind more empty sections is not near. The number of sections is read once, because a script may
        // return another one each time.
        let sections = numberOfSections
        var section = path.section + step
        for _ in 0..<RestorationLimits.emptySections where section >= 0 && section < sections {
            guard !WorkLimit.isOver else { return nil }
            let count = numberOfItems(in: section)
            if count > 0 { return IndexPath(item: step > 0 ? 0 : count - 1, section: section) }
            section += step
        }
        return nil
    }

    // MARK: - Restoring

    /// Finds a view's position and marks again.
    ///
    /// The row that was first on the screen returns to the same distance from the viewport's edge. If that row is gone,
    /// ``RestorationRule`` defines the replacement. The content does not scroll beyond its end.
    ///
    /// - Parameters:
    ///   - archive: The saved state of the view.
    ///   - view: The view, with the rows that the source has now; it may be another kind of view.
    ///   - policy: The condition under which to restore.
    ///   - knownSchemas: Hashes of earlier shapes of the rows whose archives are valid for the present one.
    /// - Returns: The position and marks, or `nil` if the policy does not allow restoration yet: call again when there
    ///   are rows.
    /// - Throws: ``StateArchiveError`` `unknownSchema` for an archive of rows of another shape.
    /// - Complexity: O(1) lookups by identifier for the position and for each marked row.
    public func restoredState(
        from archive: StateArchive,
        in view: any RestorableView,
        policy: RestorationPolicy = .allow,
        knownSchemas: [String] = []
    ) throws(StateArchiveError) -> RestoredState? {
        guard archive.schema == restorationSchema || knownSchemas.contains(archive.schema) else {
            throw .unknownSchema(found: archive.schema, known: [restorationSchema] + knownSchemas)
        }
        guard policy != .prevent, isReadyForRestoration else { return nil }
        if policy == .preventWhenEmpty, firstSection(where: { numberOfItems(in: $0) > 0 }) == nil {
            return nil
        }
        let place = place(of: archive, in: view)
        let offset = view.clamped(place.offset)
        let (marks, missing) = marks(of: archive, in: view)
        return RestoredState(
            rule: place.rule,
            indexPath: place.path,
            contentOffset: offset,
            isClamped: offset != place.offset,
            marks: marks,
            missing: missing,
            values: archive.values
        )
    }

    private typealias Place = (rule: RestorationRule, path: IndexPath?, offset: Double)

    private func place(of archive: StateArchive, in view: any RestorableView) -> Place {
        if let anchor = archive.anchor {
            if let place = place(of: anchor, .anchor, in: view) { return place }
            for fallback in archive.fallbacks {
                if let place = place(of: fallback, .fallback, in: view) { return place }
            }
            if !archive.sortKey.isEmpty, archive.sortedBy == restorationSortKeys,
                archive.sortKey.count == archive.sortedBy.count,
                let path = indexPath(nearestToSortValues: archive.sortKey, modelIdentifier: anchor.id),
                let offset = offset(placing: path, as: anchor, in: view)
            {
                return (.sortKey, path, offset)
            }
        }
        // The only section of a list without keys does not determine a position.
        if let keys = archive.section, !keys.isEmpty, let section = section(withRestorationKeys: keys),
            let place = view.position(of: IndexPath(item: 0, section: section))
        {
            return (.section, IndexPath(item: 0, section: section), place.lowerBound)
        }
        let range = view.contentLength - view.viewportLength
        if archive.proportion > 0, archive.proportion <= 1, range > 0 {
            return (.proportion, nil, archive.proportion * range)
        }
        return (.top, nil, 0)
    }

    private func place(
        of anchor: StateArchive.Anchor,
        _ rule: RestorationRule,
        in view: any RestorableView
    ) -> Place? {
        guard let path = indexPathForElement(withModelIdentifier: anchor.id, in: view),
            let offset = offset(placing: path, as: anchor, in: view)
        else { return nil }
        return (rule, path, offset)
    }

    /// Returns the content offset at which a row has the position of an anchor.
    private func offset(
        placing path: IndexPath,
        as anchor: StateArchive.Anchor,
        in view: any RestorableView
    ) -> Double? {
        guard let place = view.position(of: path), anchor.offset.isFinite else { return nil }
        let length = place.upperBound - place.lowerBound
        // In a view with other row lengths, the distance from the edge is the same number of rows, and the same part is
        // cut off.
        let scale = anchor.length > 0 && length > 0 ? length / anchor.length : 1
        // The row is visible in a smaller viewport too.
        let offset = min(anchor.offset * scale, max(0, view.viewportLength - length))
        return place.lowerBound - offset
    }

    private func marks(
        of archive: StateArchive,
        in view: any RestorableView
    ) -> (marks: RestorableMarks, missing: Int) {
        var marks = RestorableMarks(expanded: archive.expanded)
        let ids: [String]
        switch archive.selection {
        case .ids(let selected): ids = selected
        case .allExcept(let others):
            ids = others
            marks.selectsAllExcept = true
        }
        marks.selection = ids.compactMap { indexPathForElement(withModelIdentifier: $0, in: view) }
        marks.focus = archive.focus.flatMap { indexPathForElement(withModelIdentifier: $0, in: view) }
        let lost = ids.count - marks.selection.count + (archive.focus != nil && marks.focus == nil ? 1 : 0)
        return (marks, lost)
    }
}
