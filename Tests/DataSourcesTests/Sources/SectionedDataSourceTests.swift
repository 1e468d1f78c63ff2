import DataSources
import Foundation
import Testing

private final class Menu: SectionedDataSource {
    typealias ItemType = String

    var sections = [
        Section(items: ["soup", "salad"]),
        Section(items: ["fish"], headerTitle: "Main"),
        Section(items: []),
        Section(items: []),
        Section(items: ["cake"], headerTitle: "Sweet", footerTitle: "All home-made"),
        Section(items: []),
    ]
    var reloadBlock: ReloadBlock?
}

private final class PricedSection: Section<String> {
    let price: Int

    init(items: [String], price: Int) {
        self.price = price
        super.init(items: items, headerTitle: "\(price) euros")
    }
}

private final class PricedMenu: SectionedDataSource {
    typealias ItemType = String

    var sections = [PricedSection(items: ["tea"], price: 2)]
    var reloadBlock: ReloadBlock?
}

@Suite struct SectionedDataSourceTests {
    private let menu = Menu()

    private func path(_ section: Int, _ item: Int) -> IndexPath { IndexPath(item: item, section: section) }

    @Test(
        "D5 a sectioned source has no items in sections out of range and no item at paths out of range",
        arguments: [
            (-1, 0), (6, 0), (Int.max, 0), (Int.min, 0), (0, -1), (0, 2), (2, 0), (0, Int.max), (0, Int.min),
        ]
    )
    func missing(section: Int, item: Int) {
        #expect(menu.item(at: path(section, item)) == nil)
        if !(0..<6).contains(section) { #expect(menu.numberOfItems(in: section) == 0) }
    }

    @Test("D1 a sectioned source counts its sections and items, including empty sections")
    func counts() {
        #expect(menu.numberOfSections == 6)
        #expect((0..<6).map(menu.numberOfItems) == [2, 1, 0, 0, 1, 0])
        #expect(menu.item(at: path(1, 0)) == "fish")
    }

    @Test(
        "D8 the next path after a section's last item is the first of the next section, and nil after the last"
    )
    func next() {
        #expect(menu.indexPath(after: path(0, 0)) == path(0, 1))
        #expect(menu.indexPath(after: path(0, 1)) == path(1, 0))
        #expect(menu.indexPath(after: path(4, 0)) == nil)
    }

    @Test("D9 the next path skips empty sections; the shipped code stopped at the first of them")
    func nextSkipsEmpty() {
        #expect(menu.indexPath(after: path(1, 0)) == path(4, 0))
        #expect(menu.indexPath(after: path(2, -1)) == path(4, 0))
    }

    @Test("D10 a negative section has no next path and no section; the shipped code trapped")
    func negative() {
        for section in [-1, Int.min, 6, Int.max] {
            #expect(menu.indexPath(after: path(section, 0)) == nil)
            #expect(menu.section(at: section) == nil)
        }
        #expect(menu.indexPath(after: path(0, -2)) == nil)
        #expect(menu.indexPath(after: path(0, Int.max)) == path(1, 0))
    }

    @Test("D11 sections and their titles are read by index, nil if missing, and titles are optional")
    func titles() {
        #expect(menu.section(at: 1)?.items == ["fish"])
        #expect((0..<6).map(menu.headerTitle) == [nil, "Main", nil, nil, "Sweet", nil])
        #expect(menu.footerTitle(for: 4) == "All home-made")
        #expect(menu.footerTitle(for: 1) == nil)
        for section in [-1, 6] {
            #expect(menu.headerTitle(for: section) == nil)
            #expect(menu.footerTitle(for: section) == nil)
        }
    }

    @Test(
        "D12 a section is an object that can be subclassed and changed, and changing it notifies no observer"
    )
    func sectionObject() {
        let priced = PricedMenu()
        var isNotified = false
        priced.reloadBlock = { _ in isNotified = true }
        let section = priced.section(at: 0)
        #expect(section?.price == 2)
        section?.items.append("coffee")
        section?.footerTitle = "hot"
        section?.headerTitle = nil
        #expect(priced.numberOfItems(in: 0) == 2)
        #expect(priced.footerTitle(for: 0) == "hot")
        #expect(priced.headerTitle(for: 0) == nil)
        #expect(!isNotified)
    }
}
