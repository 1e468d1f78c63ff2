import DataSources
import Foundation
import TestSupport

@testable import CollectionViews

/// One random life of a view, compared after every step with a view that was created for the state.
struct ViewModelRun {
    private var generator: SeededGenerator
    private let source: ModelSource
    private let view: CollectionView
    private let delegate = TestDelegate()
    private let renderer = RecordingRenderer()
    private var configuration: ListConfiguration
    private var list: ListLayout
    private let fault: ViewFault?
    private var selected: Set<Int> = []
    /// A Boolean value that indicates whether a view at the end of its content stays there during batches.
    private let followsEnd: Bool
    private var last: ViewFrame?
    /// The position that a step keeps: the top, or a row by its identity and its distance from the offset.
    private enum Anchor {
        case top
        case end
        case row(Int, distance: Double)
    }

    private var anchor: Anchor?
    /// The distance from both ends of the content within which the offset is not compared.
    private var tolerance = 0.0

    init(seed: UInt64, fault: ViewFault? = nil) {
        generator = SeededGenerator(seed: seed)
        self.fault = fault
        var configuration = ListConfiguration()
        configuration.estimatedRowLength = [1, 7.5, 20][generator.int(0..<3)]
        configuration.rowSpacing = generator.chance(40) ? 1.5 : 0
        configuration.headerLength = generator.chance(50) ? 6 : 0
        configuration.footerLength = generator.chance(30) ? 3 : 0
        configuration.sectionInset.top = generator.chance(30) ? 2 : 0
        configuration.sectionHeadersPinToVisibleBounds = generator.chance(50)
        self.configuration = configuration
        source = ModelSource(ModelState(&generator))
        list = ListLayout(configuration)
        view = Self.view(source, list, fault)
        view.overscan = generator.chance(30) ? 15 : 0
        followsEnd = generator.chance(30)
        view.scrollAnchoring.mode = followsEnd && fault != .ignoresEnd ? .end : .start
        view.delegate = delegate
    }

    private static func view(_ source: ModelSource, _ layout: ListLayout, _ fault: ViewFault?)
        -> CollectionView
    {
        let view = CollectionView(
            frame: Rect(x: 0, y: 0, width: 80, height: 100),
            collectionViewLayout: fault == nil ? layout : FaultyLayout(layout, fault)
        )
        view.register(NumberCell.self, forCellWithReuseIdentifier: "number")
        for kind in [CollectionView.elementKindSectionHeader, CollectionView.elementKindSectionFooter] {
            view.register(ReusableView.self, forSupplementaryViewOfKind: kind, withReuseIdentifier: "header")
        }
        view.dataSource = source
        return view
    }

    /// Takes random steps, and returns the first difference from the model, or `nil` if there is none.
    mutating func firstDifference(steps: Int) throws -> String? {
        for number in 0..<steps {
            anchor = nil
            tolerance = 0
            let what = try step()
            if fault == .shiftsOffset, generator.chance(30) {
                _ = try view.makeFrame()
                view.contentOffset += 1
            }
            if let found = try compare() { return "step \(number), \(what): \(found); \(generator.origin)" }
        }
        return nil
    }

    private mutating func step() throws -> String {
        switch generator.int(0..<17) {
        case 0..<4: return try batch()
        case 4..<7: return scroll()
        case 7:
            guard let id = source.state.paths.keys.min(), let path = randomPath() else { return "nothing" }
            try view.scrollToItem(at: path, at: ScrollPosition.allCases[(id + path.item) % 4])
            return "scroll to \(path)"
        case 8, 9:
            guard let path = randomPath() else { return "nothing" }
            let id = source.state.sections[path.section].items[path.item].id
            keepAnchor()
            try view.setMeasuredLength(ModelSource.length(id), forItemAt: path)
            source.measured.insert(id)
            return "measure \(path)"
        case 10:
            guard let path = randomPath() else { return "nothing" }
            keepAnchor()
            let id = source.state.sections[path.section].items[path.item].id
            if selected.remove(id) != nil {
                try view.deselectItem(at: path)
            } else {
                selected.insert(id)
                if fault != .losesSelection { try view.selectItem(at: path) }
            }
            return "select \(path)"
        case 11, 12: return changeLayout()
        case 13, 14: return changeInCallback()
        case 15: return try move()
        default:
            guard generator.chance(30) else {
                view.frame.size.height = Double(generator.int(20..<160))
                if generator.chance(50) { view.frame.size.width = Double(generator.int(20..<160)) }
                keepAnchor()
                return "resize to \(view.frame)"
            }
            source.measured = []
            selected = []
            view.deselectAllItems()
            view.reloadData()
            return "reload"
        }
    }

    /// Scrolls; sometimes a cell fails in the first passes.
    private mutating func scroll() -> String {
        let far = generator.chance(20)
        let distance = Double(generator.int(far ? -4_000..<4_000 : -60..<61)) / 4
        keepAnchor(distance)
        view.contentOffset += distance
        guard generator.chance(30), let path = randomPath() else { return "scroll by \(distance)" }
        source.failing = source.state.sections[path.section].items[path.item].id
        for _ in 0..<3 { _ = try? view.makeFrame() }
        source.failing = nil
        return "scroll by \(distance) while \(path) fails"
    }

    /// Changes lengths for which the layout is prepared again, or replaces the layout.
    private mutating func changeLayout() -> String {
        configuration.estimatedRowLength = [1, 5, 7.5, 20, 40][generator.int(0..<5)]
        configuration.rowSpacing = generator.chance(40) ? 1.5 : 0
        keepAnchor()
        source.measured = []
        guard generator.chance(30) else {
            list.configuration = configuration
            view.collectionViewLayout.invalidateLayout()
            return "change the configuration"
        }
        list = ListLayout(configuration)
        view.setCollectionViewLayout(fault == nil ? list : FaultyLayout(list, fault))
        return "replace the layout"
    }

    /// Expects that the first row stays that was in the last frame and is in the viewport, but for a scroll, or that a
    /// view at the top stays there.
    private mutating func keepAnchor(_ distance: Double = 0, among isCandidate: (Int) -> Bool = { _ in true })
    {
        guard let last else { return }
        let offset = last.bounds.minY + distance
        if last.bounds.minY <= 0, offset <= 0 {
            anchor = .top
            return
        }
        let length = view.frame.size.height
        let start = min(max(0, offset), max(0, last.contentSize.height - length))
        let rows = last.elements.filter {
            $0.attributes.element.category == .cell && $0.attributes.frame.maxY > start
                && $0.attributes.frame.minY < start + length
        }
        func id(_ element: ViewFrame.Element) -> Int? {
            element.content.text.string.split(separator: " ").first.flatMap { Int($0) }
        }
        let first = rows.filter { id($0).map(isCandidate) == true }.min {
            ($0.attributes.frame.minY, $0.attributes.element)
                < ($1.attributes.frame.minY, $1.attributes.element)
        }
        guard let first, let id = id(first) else { return }
        anchor = .row(id, distance: first.attributes.frame.minY - offset)
    }

    private mutating func randomPath() -> IndexPath? {
        let paths = source.state.paths
        guard let id = paths.keys.sorted().randomElement(using: &generator) else { return nil }
        return paths[id]
    }

    /// Changes the state, and the view by the difference; sometimes a batch that breaks a rule comes first.
    private mutating func batch() throws -> String {
        let old = source.state
        var new = old
        new.change(&generator)
        var difference = try old.difference(to: new)
        if fault == .losesUpdate, !difference.updates.isEmpty { difference.updates.removeLast() }
        if fault == .movesRowBesideItsPlace, let move = difference.moves.first {
            // The other row of the pair then arrives where this one should.
            if difference.moves.count > 1 {
                difference.moves[0].new = difference.moves[1].new
                difference.moves[1].new = move.new
            }
        }
        source.state = new
        if generator.chance(20) {
            let count = new.sections.count + old.sections.count
            let rejected = (try? view.performBatchUpdates { view.insertSections([count + 1]) }) == nil
            if !rejected { return "a batch that breaks a rule was accepted" }
        }
        view.performUpdates(withChangeSet: difference.changeSet)
        let remaining = Set(new.paths.keys)
        let moved = Set(difference.moves.map(\.old.indexPath))
        let oldPaths = old.paths
        if followsEnd, let last,
            last.contentSize.height - last.bounds.size.height - last.bounds.minY <= 1
        {
            anchor = .end
        } else {
            keepAnchor { id in remaining.contains(id) && oldPaths[id].map { !moved.contains($0) } == true }
        }
        tolerance = 400
        source.measured.formIntersection(remaining)
        selected.formIntersection(remaining)
        return "batch \(difference)"
    }

    /// Changes the state while a layout pass requests a cell, and the view by the difference.
    private mutating func changeInCallback() -> String {
        let old = source.state
        var new = old
        new.change(&generator)
        let isReload = generator.chance(20)
        var isCalled = false
        source.whenAsked = { [source, view, fault] in
            isCalled = true
            source.state = new
            guard fault != .losesCallback else { return }
            if isReload {
                view.reloadData()
            } else if let difference = try? old.difference(to: new) {
                view.performUpdates(withChangeSet: difference.changeSet)
            }
        }
        view.contentOffset += Double(generator.int(-200..<400))
        // A request for a path of the old state fails; the next pass has the new one.
        for _ in 0..<2 { _ = try? view.makeFrame() }
        source.whenAsked = nil
        guard isCalled else { return "scroll" }
        let remaining = Set(new.paths.keys)
        source.measured.formIntersection(remaining)
        selected.formIntersection(remaining)
        if isReload {
            source.measured = []
            selected = []
            view.deselectAllItems()
            view.reloadData()
        }
        return isReload ? "reload in a callback" : "change in a callback"
    }

    /// Moves an item interactively, and drops or cancels it.
    private mutating func move() throws -> String {
        guard let path = randomPath(), try view.beginInteractiveMovementForItem(at: path) else {
            return "nothing"
        }
        for _ in 0..<generator.int(0..<4) {
            guard let current = view.interactivelyMovingIndexPath else { break }
            let section = generator.int(0..<source.state.sections.count)
            let count = view.numberOfItems(inSection: section) + (section == current.section ? 0 : 1)
            try view.updateInteractiveMovementTarget(
                IndexPath(item: generator.int(0..<count), section: section)
            )
            if generator.chance(30) { _ = try view.makeFrame() }
        }
        guard generator.chance(70) else {
            view.cancelInteractiveMovement()
            return "cancel the movement of \(path)"
        }
        let state = source.state
        try view.endInteractiveMovement()
        if fault == .losesMovement { source.state = state }
        return "move \(path)"
    }

    /// Compares the frame with that of a new view of the same state, measured lengths and offset.
    private mutating func compare() throws -> String? {
        let frame = try view.makeFrame()
        defer { last = frame }
        try renderer.draw(frame)
        if let fault = delegate.faults.first { return fault }
        if delegate.visible.count != view.visibleCells.count {
            return "other cells are visible than were reported"
        }
        // A source of its own, because the other one records what the view has measured.
        let freshSource = ModelSource(source.state)
        defer { withExtendedLifetime(freshSource) {} }
        let fresh = Self.view(freshSource, ListLayout(configuration), nil)
        fresh.frame = view.frame
        fresh.overscan = view.overscan
        let paths = source.state.paths
        for id in source.measured {
            guard let path = paths[id] else { continue }
            try fresh.setMeasuredLength(ModelSource.length(id), forItemAt: path)
        }
        for id in selected { if let path = paths[id] { try fresh.selectItem(at: path) } }
        if case .top = anchor, frame.bounds.minY != 0 {
            return "the offset is \(frame.bounds.minY), and the view was at the top"
        }
        let end = max(0, frame.contentSize.height - frame.bounds.size.height)
        if case .end = anchor, frame.bounds.minY != end {
            return "the offset is \(frame.bounds.minY), and the view was at the end, which is \(end)"
        }
        if case .row(let id, let distance) = anchor,
            let start = paths[id].flatMap(fresh.position(of:))?.lowerBound
        {
            let wanted = start - distance
            let maximum = max(0, fresh.contentSize.height - fresh.frame.size.height)
            let isNearEnd = wanted < tolerance || wanted > maximum - tolerance
            let expected = min(max(0, wanted), maximum)
            if tolerance == 0 || !isNearEnd, frame.bounds.minY != expected {
                return "the offset is \(frame.bounds.minY), not \(expected), which keeps row \(id)"
            }
        }
        fresh.contentOffset = view.contentOffset
        let expected = try fresh.makeFrame()
        if Set(view.indexPathsForSelectedItems) != Set(selected.compactMap { paths[$0] }) {
            return "other rows are selected"
        }
        guard frame != expected else { return nil }
        return "\(frame.bounds) of \(frame.contentSize.height), \(frame.lines), not \(expected.bounds) of "
            + "\(expected.contentSize.height), \(expected.lines)"
    }
}
