import CollectionViews
import DataSources
import Foundation

/// A cell that displays a number and knows its length.
final class NumberCell: Cell {
    var number = -1
    var length: Double?
    var whenMeasured: () -> Void = {}
    private(set) var prepared = 0
    private(set) var applied = 0

    override func prepareForReuse() {
        super.prepareForReuse()
        number = -1
        prepared += 1
    }

    override func apply(_ layoutAttributes: LayoutAttributes) { applied += 1 }

    override func preferredLayoutAttributesFitting(_ layoutAttributes: LayoutAttributes) -> LayoutAttributes {
        whenMeasured()
        guard let length else { return layoutAttributes }
        var result = layoutAttributes
        result.frame.size.height = length
        return result
    }
}

/// An error of a data source.
struct SourceFault: Error, Equatable { var path: IndexPath }

/// A data source of numbers in sections, which records what it was asked.
class TestSource: CollectionViewDataSource {
    var sections: [[Int]]
    /// The true length of a number's cell; `nil` if it has the estimated one.
    var length: (Int) -> Double? = { _ in nil }
    /// The content of a number's cell, to which a reload leads.
    var title: (Int) -> String = { "\($0)" }
    var hasHeaders = false
    var failing: Set<IndexPath> = []
    /// The identifier that cells are dequeued with.
    var identifier: (Int) -> String = { _ in "number" }
    var whenAsked: (IndexPath) -> Void = { _ in }
    private(set) var requests: [IndexPath] = []
    private(set) var countRequests = 0
    private(set) var measured: Set<Int> = []

    init(_ sections: [[Int]]) { self.sections = sections }

    convenience init(count: Int) { self.init([Array(0..<count)]) }

    func numberOfSections(in collectionView: CollectionView) -> Int {
        countRequests += 1
        return sections.count
    }

    func collectionView(_ collectionView: CollectionView, numberOfItemsInSection section: Int) -> Int {
        sections[section].count
    }

    func collectionView(_ collectionView: CollectionView, cellForItemAt indexPath: IndexPath) throws -> Cell {
        requests.append(indexPath)
        whenAsked(indexPath)
        let number = sections[indexPath.section][indexPath.item]
        let dequeued = try collectionView.dequeueReusableCell(
            withReuseIdentifier: identifier(number),
            for: indexPath
        )
        // After the cell was dequeued, so that it must return to its queue.
        if failing.contains(indexPath) { throw SourceFault(path: indexPath) }
        guard let cell = dequeued as? NumberCell else { return dequeued }
        cell.number = number
        cell.length = length(number)
        cell.content.text = StyledText(title(number))
        measured.insert(number)
        return cell
    }

    func collectionView(
        _ collectionView: CollectionView,
        viewForSupplementaryElementOfKind kind: String,
        at indexPath: IndexPath
    ) throws -> ReusableView? {
        guard hasHeaders else { return nil }
        let view = try collectionView.dequeueReusableSupplementaryView(
            ofKind: kind,
            withReuseIdentifier: "header",
            for: indexPath
        )
        view.content.text = StyledText("section \(indexPath.section)")
        return view
    }

    var reportsInteractiveMoves: Bool { false }

    func collectionView(_ collectionView: CollectionView, canMoveItemAt indexPath: IndexPath) -> Bool {
        false
    }

    func collectionView(
        _ collectionView: CollectionView,
        moveItemAt sourceIndexPath: IndexPath,
        to destinationIndexPath: IndexPath
    ) {}

    func resetRequests() { requests = [] }
}

extension TestSource {
    /// Returns the number of an item as its identity, for subclasses that are a `DataSourceModelAssociation`.
    func identity(at indexPath: IndexPath) -> String { "\(sections[indexPath.section][indexPath.item])" }

    /// Returns the path of a number of the first section.
    func path(of identity: String) -> IndexPath? {
        sections[0].firstIndex { "\($0)" == identity }.map { IndexPath(item: $0, section: 0) }
    }

    /// Calls a closure once, when the next cell is requested.
    func whenNextAsked(_ body: @escaping () -> Void) {
        whenAsked = { [weak self] _ in
            self?.whenAsked = { _ in }
            body()
        }
    }
}

/// A delegate that checks that each view becomes visible and ends its display in turn.
final class TestDelegate: CollectionViewDelegate {
    private(set) var visible: [ObjectIdentifier: IndexPath] = [:]
    private(set) var events: [String] = []
    private(set) var faults: [String] = []
    var whenDisplayed: (IndexPath) -> Void = { _ in }

    func collectionView(
        _ collectionView: CollectionView,
        willDisplay cell: Cell,
        forItemAt indexPath: IndexPath
    ) {
        if visible.updateValue(indexPath, forKey: ObjectIdentifier(cell)) != nil {
            faults.append("a cell becomes visible twice, at \(indexPath)")
        }
        events.append("display \(indexPath.section).\(indexPath.item)")
        whenDisplayed(indexPath)
    }

    func collectionView(
        _ collectionView: CollectionView,
        didEndDisplaying cell: Cell,
        forItemAt indexPath: IndexPath
    ) {
        if visible.removeValue(forKey: ObjectIdentifier(cell)) == nil {
            faults.append("a cell ends its display that was not visible, at \(indexPath)")
        }
        events.append("end \(indexPath.section).\(indexPath.item)")
    }

    func resetEvents() { events = [] }
}

extension CollectionView {
    /// Creates a list of 100 units in height.
    static func list(
        _ source: TestSource,
        height: Double = 100,
        _ configure: (inout ListConfiguration) -> Void = { _ in }
    ) -> CollectionView {
        var configuration = ListConfiguration()
        configuration.estimatedRowLength = 20
        configure(&configuration)
        let view = CollectionView(
            frame: Rect(x: 0, y: 0, width: 80, height: height),
            collectionViewLayout: ListLayout(configuration)
        )
        view.register(NumberCell.self, forCellWithReuseIdentifier: "number")
        for kind in [CollectionView.elementKindSectionHeader, CollectionView.elementKindSectionFooter] {
            view.register(ReusableView.self, forSupplementaryViewOfKind: kind, withReuseIdentifier: "header")
        }
        view.dataSource = source
        return view
    }
}
