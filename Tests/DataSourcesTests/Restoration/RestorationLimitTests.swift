import BridgeValues
import DataSources
import Foundation
import Testing

/// Saving and restoring read a bounded part of a source, whose counts a script may choose.
@Suite("R19 R23 saving and restoring a state is bounded work")
struct RestorationLimitTests {
    /// A source that counts its calls.
    private final class CountingSource: RestorableSource {
        let numberOfSections: Int
        let itemCount: Int
        let firstIdentified: Int
        private(set) var askedRows = 0
        private(set) var askedSections = 0

        init(sections: Int = 1, items: Int, firstIdentified: Int = .max) {
            numberOfSections = sections
            itemCount = items
            self.firstIdentified = firstIdentified
        }

        func numberOfItems(in section: Int) -> Int {
            askedSections += 1
            return section == 0 ? itemCount : 0
        }

        func modelIdentifierForElement(at indexPath: IndexPath, in view: any RestorableView) -> String? {
            askedRows += 1
            return indexPath.item >= firstIdentified ? String(indexPath.item) : nil
        }

        func indexPathForElement(withModelIdentifier identifier: String, in view: any RestorableView)
            -> IndexPath?
        { nil }
    }

    private struct Over: Error {}

    @Test("R19 R23 no path is created for visible rows after the first one with an identifier")
    func firstRow() {
        let source = CountingSource(items: 3_000_000, firstIdentified: 2)
        var asked = 0
        let view = RowsView(counts: [3_000_000], viewportLength: 1e12)
        let found = view.firstVisibleIndexPath(limit: 10) { path in
            asked += 1
            return path.item == 2
        }
        #expect(found == IndexPath(item: 2, section: 0))
        #expect(asked == 3)
        let archive = source.savedState(of: view)
        #expect(archive.anchor?.id == "2")
        #expect(archive.fallbacks.map(\.id) == ["3", "4", "5", "6"])
        #expect(source.askedRows < 20)
    }

    @Test("R19 R23 the identifiers of at most 1,000 visible rows are read")
    func rowsWithoutIdentifiers() {
        let source = CountingSource(items: 100_000)
        let archive = source.savedState(of: RowsView(counts: [100_000], viewportLength: 1e12))
        #expect(archive.anchor == nil)
        #expect(source.askedRows == 1_000)
    }

    @Test("R19 R23 at most 1,000 empty sections after a row are searched")
    func emptySections() {
        let source = CountingSource(sections: 100_000, items: 1, firstIdentified: 0)
        let archive = source.savedState(of: RowsView(counts: [1], viewportLength: 10))
        #expect(archive.anchor?.id == "0")
        #expect(source.askedSections < 1_010)
    }

    @Test("R19 R23 the search for a section and for a row stops at the work limit")
    func workLimit() throws {
        let source = CountingSource(sections: 1_000_000, items: 0)
        let empty = RowsView(counts: [], viewportLength: 1)
        var archive = StateArchive(schema: source.restorationSchema, request: "")
        archive.proportion = 0
        let state = try source.restoredState(from: archive, in: empty, policy: .preventWhenEmpty)
        #expect(state == nil)
        #expect(source.askedSections == 1_000_000)

        let limited = CountingSource(sections: 1_000_000, items: 0)
        let over: () throws -> Void = { if limited.askedSections + limited.askedRows >= 5 { throw Over() } }
        let found = try WorkLimit.withLimit(over) {
            try limited.restoredState(from: archive, in: empty, policy: .preventWhenEmpty)
        }
        #expect(found == nil)
        #expect(limited.askedSections == 5)

        let rows = CountingSource(items: 1_000)
        let rowsOver: () throws -> Void = { if rows.askedRows >= 5 { throw Over() } }
        let saved = try WorkLimit.withLimit(rowsOver) {
            rows.savedState(of: RowsView(counts: [1_000], viewportLength: 1e12))
        }
        #expect(saved.anchor == nil)
        #expect(rows.askedRows == 5)
    }
}
