import DataSources
import Foundation
import Stores
import Testing

private final class Words: ListDataSource {
    var items = ["a", "b"]
    var reloadBlock: ReloadBlock?
    /// Returns the source's own successor, which differs from the default's.
    func indexPath(after indexPath: IndexPath) -> IndexPath? { IndexPath(item: 9, section: 9) }
}

private final class PricedSection: Section<String> {}

private final class Menu: SectionedDataSource {
    typealias ItemType = String

    var sections = [PricedSection(items: ["tea"], headerTitle: "Hot"), PricedSection(items: [])]
    var reloadBlock: ReloadBlock?
    func footerTitle(for section: Int) -> String? { "foot \(section)" }
    func section(at index: Int) -> PricedSection? { index == 7 ? sections[0] : nil }
}

private final class Cities: FetchedDataSource {
    let fetchedResultsController: FetchedResultsController
    var reloadBlock: ReloadBlock?
    private(set) var registrations: [String] = []

    init(_ store: FakeStore) throws {
        fetchedResultsController = try FetchedResultsController(fetchRequest: .byCountry, store: store)
    }

    func registerForFetchedChanges() { registrations.append("register") }
    func unregisterForFetchedChanges() { registrations.append("unregister") }
}

@Suite struct ErasedDataSourceTests {
    private func path(_ section: Int, _ item: Int) -> IndexPath { IndexPath(item: item, section: section) }

    /// Checks that the members of `DataSource` of an eraser are the concrete source's.
    private func expectForwarding<Erased: DataSource, Source: DataSource>(
        _ erased: Erased,
        to source: Source
    ) where Erased.ItemType == Source.ItemType, Erased.ItemType: Equatable {
        #expect(erased.numberOfSections == source.numberOfSections)
        for section in -1...3 {
            #expect(erased.numberOfItems(in: section) == source.numberOfItems(in: section))
            for item in -1...3 {
                #expect(erased.item(at: path(section, item)) == source.item(at: path(section, item)))
                let next = erased.indexPath(after: path(section, item))
                #expect(next == source.indexPath(after: path(section, item)))
            }
        }
        var received: [ChangeSet] = []
        erased.reloadBlock = { received.append($0) }
        source.reloadBlock?(.all)
        #expect(received == [.all])
        source.reloadBlock = nil
        #expect(erased.reloadBlock == nil)
    }

    @Test("D21 AnyDataSource forwards every member, for each kind of source")
    func plain() throws {
        let words = Words()
        expectForwarding(AnyDataSource(dataSource: words), to: words)
        #expect(AnyDataSource(dataSource: words).indexPath(after: path(0, 0)) == path(9, 9))
        let menu = Menu()
        expectForwarding(AnyDataSource(dataSource: menu), to: menu)
        let cities = try Cities(FakeStore(cities: [("DE", "Bonn"), ("FR", "Lyon")]))
        try cities.fetchedResultsController.performFetch()
        expectForwarding(AnyDataSource(dataSource: cities), to: cities)
        #expect(AnyDataSource(dataSource: cities).item(at: path(1, 0))?["name"] == .string("Lyon"))
    }

    @Test("D21 AnyListDataSource forwards every member, including the items")
    func list() {
        let words = Words()
        let erased = AnyListDataSource(dataSource: words)
        expectForwarding(erased, to: words)
        words.items.append("c")
        #expect(erased.items == ["a", "b", "c"])
        #expect(erased.numberOfItems(in: 0) == 3)
    }

    @Test("D21 AnySectionedDataSource forwards every member, including sections and titles")
    func sectioned() {
        let menu = Menu()
        let erased = AnySectionedDataSource(dataSource: menu)
        expectForwarding(erased, to: menu)
        #expect(erased.sections.map(ObjectIdentifier.init) == menu.sections.map(ObjectIdentifier.init))
        #expect(erased.section(at: 7) === menu.sections[0])
        #expect(erased.section(at: 0) == nil)
        #expect(erased.headerTitle(for: 7) == "Hot")
        #expect(erased.footerTitle(for: 1) == "foot 1")
    }

    @Test("D21 AnyFetchedDataSource forwards every member, including the registrations")
    func fetched() throws {
        let cities = try Cities(FakeStore(cities: [("DE", "Bonn"), ("FR", "Lyon")]))
        let erased = AnyFetchedDataSource(dataSource: cities)
        try erased.fetchedResultsController.performFetch()
        #expect(erased.fetchedResultsController === cities.fetchedResultsController)
        expectForwarding(erased, to: cities)
        erased.registerForFetchedChanges()
        erased.unregisterForFetchedChanges()
        #expect(cities.registrations == ["register", "unregister"])
    }

    @Test("D21 an eraser retains its source, and releases it on deinit")
    func lifetime() throws {
        var words: Words? = Words()
        weak let seen = words
        var erased: AnyListDataSource<String>? = AnyListDataSource(dataSource: try #require(words))
        words = nil
        #expect(erased?.items == ["a", "b"])
        #expect(seen != nil)
        erased = nil
        #expect(seen == nil)
    }
}
