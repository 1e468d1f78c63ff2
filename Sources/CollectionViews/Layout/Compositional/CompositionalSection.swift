/// The items of one section of a compositional layout.
struct CompositionalSection {
    let description: CollectionLayoutSection
    let top: CollectionLayoutBoundarySupplementaryItem?
    let bottom: CollectionLayoutBoundarySupplementaryItem?
    private let count: Int
    private let direction: ScrollDirection
    private let container: Size
    /// The space of the groups.
    private let room: Size
    /// The group before anything is measured.
    private let template: SolvedGroup
    private var measured: [Int: Double]
    /// The breadths of the groups of a section that scrolls across the layout, each with the distance to the next.
    private let across: LengthIndex?

    init(
        _ description: CollectionLayoutSection,
        count: Int,
        container: Size,
        direction: ScrollDirection,
        measured: [Int: Double]
    ) {
        self.description = description
        self.count = count
        self.container = container
        self.direction = direction
        self.measured = measured
        top = description.boundarySupplementaryItems.first { $0.alignment == .top }
        bottom = description.boundarySupplementaryItems.first { $0.alignment == .bottom }
        let insets = description.contentInsets
        room = Size(
            width: max(0, container.width - insets.left - insets.right),
            height: max(0, container.height - insets.top - insets.bottom)
        )
        template = SolvedGroup(description.group, in: room, along: direction)
        guard description.orthogonalScrollingBehavior != .none, count > 0 else {
            across = nil
            return
        }
        across = LengthIndex(
            count: (count + template.frames.count - 1) / template.frames.count,
            length: FixedLength.parts(direction.breadth(of: template.size))
                + FixedLength.parts(description.interGroupSpacing)
        )
    }

    private var perGroup: Int { template.frames.count }
    private var groupCount: Int { (count + perGroup - 1) / perGroup }

    /// Returns the section in the index of lengths: a row for each group, or one for all that scroll across the layout.
    func stackSection(spacingAfter: Int) -> SectionStack.Section {
        var result = SectionStack.Section()
        let insets = direction.along(description.contentInsets)
        result.header = length(of: top)
        result.footer = length(of: bottom)
        result.leading = FixedLength.parts(insets.before)
        result.trailing = FixedLength.parts(insets.after)
        result.after = spacingAfter
        let length = FixedLength.parts(direction.length(of: template.size))
        guard across == nil else {
            result.body = LengthIndex(count: count > 0 ? 1 : 0, length: longestAcross ?? length)
            return result
        }
        result.spacing = FixedLength.parts(description.interGroupSpacing)
        result.body = LengthIndex(count: groupCount, length: length + result.spacing)
        for group in Set(measured.keys.filter { $0 < count }.map { $0 / perGroup }) {
            result.body.setLength(self.length(ofGroup: group) + result.spacing, isMeasured: true, at: group)
        }
        return result
    }

    private func length(of item: CollectionLayoutBoundarySupplementaryItem?) -> Int {
        item.map { FixedLength.parts(direction.length(of: $0.layoutSize.size(in: container))) } ?? 0
    }

    // MARK: - Groups

    func isEstimated(item: Int) -> Bool {
        (0..<count).contains(item) && template.isEstimated[item % perGroup]
    }

    /// Records the length of an item, and returns the row of its group and the row's new length.
    mutating func measure(_ length: Double, item: Int) -> (row: Int, length: Int) {
        measured[item] = length
        guard across == nil else { return (0, longestAcross ?? 0) }
        let group = item / perGroup
        return (group, self.length(ofGroup: group))
    }

    /// The length of the longest group of a section that scrolls across the layout, or `nil` if none is measured.
    private var longestAcross: Int? {
        Set(measured.keys.filter { $0 < count }.map { $0 / perGroup }).map(length).max()
    }

    private func length(ofGroup group: Int) -> Int {
        FixedLength.parts(direction.length(of: solved(group).size))
    }

    private func solved(_ group: Int) -> SolvedGroup {
        guard !measured.isEmpty, template.isEstimated.contains(true) else { return template }
        let first = group * perGroup
        guard (first..<first + perGroup).contains(where: { measured[$0] != nil }) else { return template }
        return SolvedGroup(
            description.group,
            in: room,
            along: direction,
            measured: measured,
            from: first,
            as: template
        )
    }

    /// Returns the items of a row with their frames, from the start of the row.
    ///
    /// Of a section that scrolls across the layout, the items of the groups that are visible at its offset.
    func items(ofRow row: Int, across strip: Rect, offset: Double) -> [(item: Int, frame: Rect)] {
        guard let across else { return items(ofGroup: row, at: 0) }
        var result: [(item: Int, frame: Rect)] = []
        let insets = direction.across(description.contentInsets)
        let first = max(0, FixedLength.position(offset - insets.before))
        guard across.total > 0, first < across.total else { return [] }
        let end = offset - insets.before + direction.breadth(of: strip.size)
        across.forEach(from: across.row(at: first)) { group, start, _ in
            let position = FixedLength.length(start)
            guard position < end, result.count <= CollectionView.maximumElements else { return false }
            result += items(ofGroup: group, at: position - offset)
            return true
        }
        return result
    }

    private func items(ofGroup group: Int, at position: Double) -> [(item: Int, frame: Rect)] {
        let inset = direction.across(description.contentInsets).before
        let first = group * perGroup
        return solved(group).frames.prefix(max(0, count - first)).enumerated().map { number, frame in
            var frame = frame
            if direction == .vertical {
                frame.origin.x += inset + position
            } else {
                frame.origin.y += inset + position
            }
            return (first + number, frame)
        }
    }

    /// Returns the row of an item, and its frame from the start of the row.
    func place(ofItem item: Int, offset: Double) -> (row: Int, frame: Rect)? {
        guard (0..<count).contains(item) else { return nil }
        let group = item / perGroup
        let position = across.map { FixedLength.length($0.offset(of: group)) - offset } ?? 0
        return (across == nil ? group : 0, items(ofGroup: group, at: position)[item - group * perGroup].frame)
    }

    // MARK: - Orthogonal scrolling

    var maximumOrthogonalOffset: Double {
        guard let across else { return 0 }
        let insets = direction.across(description.contentInsets)
        let content =
            FixedLength.length(across.total) - description.interGroupSpacing + insets.before + insets.after
        return max(0, content - direction.breadth(of: container))
    }

    /// Returns the range of an item across the layout, in the content of its section.
    func orthogonalRange(ofItem item: Int) -> Range<Double>? {
        guard across != nil, let frame = place(ofItem: item, offset: 0)?.frame else { return nil }
        return direction == .vertical ? frame.minX..<frame.maxX : frame.minY..<frame.maxY
    }

    func target(_ proposed: Double, from start: Double, breadth: Double) -> Double {
        let maximum = maximumOrthogonalOffset
        let inRange = min(max(0, proposed.isNaN ? start : proposed), maximum)
        guard let across, across.count > 0, maximum > 0 else { return 0 }
        let group = FixedLength.length(across.run(at: 0).length)
        func nearest(_ step: Double, _ limit: Double?) -> Double {
            guard step > 0 else { return inRange }
            let from = (start / step).rounded()
            var page = (inRange / step).rounded()
            if let limit { page = min(max(page, from - limit), from + limit) }
            return min(max(0, page * step), maximum)
        }
        switch description.orthogonalScrollingBehavior {
        case .none: return 0
        case .continuous: return inRange
        case .continuousGroupLeadingBoundary: return nearest(group, nil)
        case .groupPaging: return nearest(group, 1)
        case .paging: return nearest(breadth, 1)
        }
    }
}
