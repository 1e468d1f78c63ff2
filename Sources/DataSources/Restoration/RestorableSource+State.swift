internal import BridgeValues
public import Foundation
internal import Stores

/// Bounds of what saving a state asks a source, whose counts a script may choose.
private enum RestorationLimits {
    /// The largest number of seen rows that are asked for an identifier.
    static let rows = 1_000
    /// How many sections are looked at for the row next to one at the end of its section.
    static let emptySections = 1_000
}

extension RestorableSource {
    /// The first section that satisfies a condition.
    ///
    /// A source of a script chooses how many sections there are, so that the search ends with the thread's work: then
    /// there is none.
    package func firstSection(where condition: (Int) -> Bool) -> Int? {
        (0..<max(0, numberOfSections)).first { WorkLimit.isOver || condition($0) }
            .flatMap { WorkLimit.isOver ? nil : $0 }
    }

    /// Notes where a view is.
    ///
    /// - Parameters:
    ///   - view: The view.
    ///   - marks: What is selected, focused and unfolded in it.
    ///   - time: When; now if it is left out.
    /// - Returns: The archive; without a place if nothing is seen or the rows seen have no identifiers.
    /// - Complexity: O(v) in the rows that are marked, and in those that are seen before the first one that has an
    ///   identifier. Of the seen rows the first 1,000 are asked for one.
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

    /// The identifier of a row; `nil` also for one that is not saved yet and gets another one then.
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

    /// Four rows before and four behind a row, in turn: the nearest first.
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
        // A row behind more empty sections is not near. The number of sections is asked once: a script may answer
        // another one each time.
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

    /// Finds a view's place and marks again.
    ///
    /// The row that was the first on the screen comes to stand where it stood; where it is gone, what comes
    /// nearest takes its place: ``RestorationRule`` says what. The content does not scroll beyond its end.
    ///
    /// - Parameters:
    ///   - archive: Where the view was.
    ///   - view: The view, with the rows that the source has now; it may be another kind of view.
    ///   - policy: When to restore.
    ///   - knownSchemas: Hashes of earlier shapes of the rows whose archives are right for the present one.
    /// - Returns: The place; `nil` where the policy says not yet: ask again when rows have come.
    /// - Throws: ``StateArchiveError`` `unknownSchema` for an archive of rows of another shape.
    /// - Complexity: O(1) look-ups by identifier for the place and for each marked row.
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
        // The one section of a list without keys says nothing of a place.
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

    /// How far to scroll so that a row stands where an anchor stood.
    private func offset(
        placing path: IndexPath,
        as anchor: StateArchive.Anchor,
        in view: any RestorableView
    ) -> Double? {
        guard let place = view.position(of: path), anchor.offset.isFinite else { return nil }
        let length = place.upperBound - place.lowerBound
        // In a view with other rows the row stands as many rows from the edge, and as much of it is cut off.
        let scale = anchor.length > 0 && length > 0 ? length / anchor.length : 1
        // A smaller viewport still shows it.
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
