public import BridgeValues
internal import CollectionViews
internal import DataSources
internal import Foundation

extension PageSession {
    /// Returns the steps from the last update to the present state, or `nil` if the page shows it already.
    ///
    /// The first update has everything. An error of the view is a message of the update.
    public func makeUpdate() -> Value? {
        restorePendingState()
        guard isFrameStale else { return makeUpdate(nil) }
        isFrameStale = false
        do {
            let frame = try view.makeFrame()
            failure = nil
            return makeUpdate(frame)
        } catch {
            let sentence = "the rows cannot be shown: \(error)"
            if failure?.message != sentence { message = sentence }
            failure = (sentence, clock.now + .seconds(1))
            return makeUpdate(nil)
        }
    }

    private func makeUpdate(_ frame: ViewFrame?) -> Value? {
        endMovementIfGone()
        announcer.add(view.counters, content.takeAnnouncement())
        var update = ValueObject()
        let sequence = sent.sequence + 1
        if let frame { add(frame, sequence, to: &update) }
        if isInfoStale || !sent.hasMarks(of: view) { addInfo(to: &update) }
        addCounts(to: &update)
        if let proposal = interaction.drags.takeChange() { update["drop"] = proposal }
        if let message {
            update["message"] = .string(TextLimit.cut(sentence: message))
            self.message = nil
        }
        if let announcement = announcer.take(at: clock.now) {
            update["announcement"] = .string(TextLimit.cut(sentence: announcement))
        }
        guard !update.members.isEmpty else { return nil }
        if update["content"] == nil, let frame = sent.frame {
            update["content"] = contentValue(frame, 0, contentInset)
        }
        update["sequence"] = .integer(Int64(sequence))
        update["version"] = .integer(Int64(view.version))
        sent.sequence = sequence
        return .object(update)
    }

    // MARK: - Rows

    private func add(_ frame: ViewFrame, _ sequence: Int, to update: inout ValueObject) {
        let isFirst = sent.frame == nil
        let difference = frame.difference(from: sent.frame)
        if isFirst { update["reset"] = .bool(true) }
        addContent(frame, sequence, to: &update)
        if !difference.removed.isEmpty {
            update["removed"] = .array(difference.removed.map { .integer(Int64($0)) })
            for number in difference.removed {
                sent.looks[number] = nil
                sent.firstUpdates[number] = nil
                sent.paths[number] = nil
                sent.identities[number] = nil
            }
        }
        let elements = elements(of: frame, difference, sequence)
        if !elements.isEmpty {
            update["elements"] = .array(elements)
            let order = Self.order(of: frame)
            if order != sent.order {
                sent.order = order
                update["order"] = .array(order.map { .integer(Int64($0)) })
            }
        } else if !difference.removed.isEmpty {
            sent.order = Self.order(of: frame)
            update["order"] = .array(sent.order.map { .integer(Int64($0)) })
        }
        // A reload gives other items to the views, so that no element has moved.
        if !isFirst, frame.transitions.isAnimated, sent.reloads == view.counters.reloads {
            update["animated"] = .bool(true)
        }
        let active = activeNumber(in: frame)
        if isFirst || active != sent.active {
            sent.active = active
            update["active"] = active.map { .integer(Int64($0)) } ?? .null
        }
        if sent.frame?.version != frame.version { isInfoStale = true }
        sent.reloads = view.counters.reloads
        sent.frame = frame
    }

    private func addContent(_ frame: ViewFrame, _ sequence: Int, to update: inout ValueObject) {
        let offset = frame.scrollDirection == .vertical ? frame.bounds.minY : frame.bounds.minX
        let adjustment = offset - scroll.offset
        let isSame =
            sent.frame.map {
                $0.contentSize == frame.contentSize && $0.scrollDirection == frame.scrollDirection
            } ?? false
        let inset = contentInset
        guard !isSame || adjustment != 0 || inset != sent.inset else { return }
        sent.inset = inset
        // Exactly the offset, which a sum of differences may miss by a rounding.
        let size = frame.contentSize
        scroll.sent(
            sequence,
            adjustment: adjustment,
            length: frame.scrollDirection == .vertical ? size.height : size.width
        )
        scroll.offset = offset
        update["content"] = contentValue(frame, adjustment, inset)
    }

    private func contentValue(
        _ frame: ViewFrame,
        _ adjustment: Double,
        _ inset: (before: Double, after: Double)
    ) -> Value {
        let isVertical = frame.scrollDirection == .vertical
        let size = frame.contentSize
        var content: ValueObject = [
            "length": .number(isVertical ? size.height : size.width),
            "breadth": .number(isVertical ? size.width : size.height),
            "offset": .number(scroll.offset),
            "adjustment": .number(adjustment),
            "direction": .string(isVertical ? "vertical" : "horizontal"),
        ]
        if inset != (0, 0) { content["inset"] = [.number(inset.before), .number(inset.after)] }
        return .object(content)
    }

    /// Returns the elements that are new or look different, and remembers how they look.
    private func elements(
        of frame: ViewFrame,
        _ difference: ViewFrame.Difference,
        _ sequence: Int
    ) -> [Value] {
        let context = LookContext(self)
        let limit = TextLimit(elementCount: frame.elements.count)
        var result: [Value] = []
        var shown: Set<Int> = []
        for element in difference.inserted + difference.changed {
            let look = context.look(of: element)
            shown.insert(element.viewNumber)
            rememberItem(of: element, sequence)
            sent.looks[element.viewNumber] = look
            result.append(PageEncoder.value(element, look, limit))
        }
        guard shown.count < frame.elements.count else { return result }
        for element in frame.elements where !shown.contains(element.viewNumber) {
            let look = context.look(of: element)
            guard sent.looks.updateValue(look, forKey: element.viewNumber) != look else { continue }
            result.append(PageEncoder.value(element, look, limit))
        }
        return result
    }

    /// Remembers from which update on a view displays its item: a view that is used again displays another one.
    ///
    /// An item whose data source has no identities is another one at each other place.
    private func rememberItem(of element: ViewFrame.Element, _ sequence: Int) {
        let number = element.viewNumber
        let identifier = element.attributes.element
        let identity = identifier.category == .cell ? shownIdentity(at: identifier.indexPath) : nil
        let isSame =
            identity == nil
            ? sent.paths[number] == identifier.path && view.counters.reloads == sent.reloads
            : sent.identities[number] == identity
        if !isSame { sent.firstUpdates[number] = sequence }
        sent.paths[number] = identifier.path
        sent.identities[number] = identity
    }

    /// Returns the numbers of the views in the order in which a reader reads them: header, items, footer.
    private static func order(of frame: ViewFrame) -> [Int] {
        frame.elements.map { element -> (key: (Int32, Int, Int32), number: Int) in
            let identifier = element.attributes.element
            let rank: Int
            switch identifier.category {
            case .decorationView: rank = 0
            case .supplementaryView:
                rank = identifier.kind == CollectionView.elementKindSectionFooter ? 3 : 1
            case .cell: rank = 2
            }
            return ((identifier.path.section, rank, identifier.path.item), element.viewNumber)
        }
        .sorted { $0.key < $1.key }
        .map(\.number)
    }

    // MARK: - Beside the rows

    private func addInfo(to update: inout ValueObject) {
        isInfoStale = false
        sent.marks = view.markCount
        let charts = content.charts
        if charts != sent.charts {
            sent.charts = charts
            update["charts"] = .array(charts.map(PageEncoder.value))
        }
        let info = makeInfo()
        guard info != sent.info else { return }
        sent.info = info
        update["info"] = info.value
    }

    /// Adds the numbers that change with each movement of the focus, which are not worth all of the information.
    private func addCounts(to update: inout ValueObject) {
        let focused = focusedPath.map { $0.item < 0 ? 0 : rows.index(of: $0) + 1 } ?? 0
        let counts = [focused, rows.itemCount, allMarkedCount, content.hiddenMarkCount]
        guard counts != sent.counts else { return }
        sent.counts = counts
        update["counts"] = .array(counts.map { .integer(Int64($0)) })
    }

    private func makeInfo() -> PageInfo {
        var info = PageInfo()
        let rows = rows
        info.title = TextLimit.cut(sentence: content.title)
        info.status = TextLimit.cut(sentence: content.status)
        info.isComplete = content.isComplete
        info.rowCount = rows.rowCount
        var room = PageInfo.maximumHeader
        info.header = content.columnTitles.map { TextLimit.cut($0, &room) }
        info.role =
            view.dataSource is any ExpandableDataSource
            ? "treegrid" : info.header.isEmpty ? "listbox" : "grid"
        info.selectedCount = allMarkedCount
        info.sort = content.sort
        info.indexTitles = PageInfo.limited(indexTitles)
        info.filter = content.filter
        info.search = content.search
        info.matches = content.matches
        let flags = [
            ("isMultiple", view.allowsMultipleSelection), ("hasDetails", content.hasDetails),
            ("canSearch", content.canSearch), ("canFilter", content.canFilter),
            ("fillsSpace", view.collectionViewLayout is ListLayout),
            ("canDrag", view.dragInteractionEnabled), ("dragsRows", dragsRows),
            ("canDrop", view.dropDelegate != nil),
            ("isMoving", view.interactivelyMovingIndexPath != nil), ("canReorder", content.canReorder),
        ]
        info.flags = flags.filter(\.1).map(\.0)
        return info
    }

    /// The titles of the content, or else those of the view's data source.
    private var indexTitles: [ViewIndexTitle] {
        let titles = content.indexTitles
        guard titles.isEmpty else { return titles }
        return sectionTitles.titles(of: view).map { ViewIndexTitle($0.title, section: $0.section) }
    }
}

/// The state that the looks of all elements of an update have in common.
private struct LookContext {
    private let session: PageSession
    private let content: any PageContent
    private let layout: CollectionLayout
    private let rows: RowNumbers
    private let measuresLengths: Bool

    init(_ session: PageSession) {
        self.session = session
        content = session.content
        layout = session.view.collectionViewLayout
        rows = session.rows
        measuresLengths = session.content.measuresLengths
    }

    func look(of element: ViewFrame.Element) -> ElementLook {
        let identifier = element.attributes.element
        var look = ElementLook()
        look.row = rows.row(identifier)
        guard identifier.category == .cell else {
            if identifier.kind == CollectionView.elementKindSectionHeader {
                look.isFolded = content.isFolded(section: Int(identifier.path.section))
                look.pinned = layout.pinnedRange(
                    forSupplementaryViewOfKind: identifier.kind,
                    at: identifier.indexPath
                )
            }
            return look
        }
        look.isMeasured = measuresLengths
        look.mark = session.sourcePath(identifier.indexPath).flatMap(content.changeMark)
        for case .outlineDisclosure(let isExpanded) in element.content.accessories {
            look.isExpanded = isExpanded
        }
        if look.isExpanded != nil || element.content.indentationLevel > 0 {
            look.level = element.content.indentationLevel + 1
        }
        return look
    }
}
