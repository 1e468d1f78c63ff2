import DataSources
import Foundation
import Stores
import StoresSQLite
import TestSupport
import Testing

@Suite("Restoration of a view's position")
struct RestorationTests {
    /// Returns the archive of a view with `w043` cut off by 7 at the upper edge.
    private func saved(_ world: RestorationFixture, _ request: FetchRequest = .words) throws -> StateArchive {
        let list = try world.list(request)
        // Four groups of 230 each, a header and three rows.
        let view = list.view(offset: 4 * 230 + 30 + 3 * 20 + 7)
        #expect(list.seen(at: view.contentOffset) == "w043 -7")
        return try StateArchive(json: list.savedState(of: view).json())
    }

    @Test(
        "S1 an archive has the first row, its offset, eight neighbours, section, sort key, marks, hashes and time"
    )
    func save() throws {
        let world = try RestorationFixture()
        let list = try world.list()
        let view = list.view(offset: 4 * 230 + 30 + 3 * 20 + 7)
        let marks = RestorableMarks(
            selection: [IndexPath(item: 1, section: 0), IndexPath(item: 9, section: 9)],
            focus: IndexPath(item: 0, section: 5),
            expanded: ["details"]
        )
        var archive = list.savedState(of: view, marks: marks, time: Date(timeIntervalSince1970: 12))
        archive["filter"] = .string("w")
        let base = "x-store://\(world.store.identifier.uuidString)/word/p"
        #expect(archive.anchor == StateArchive.Anchor(id: base + "44", offset: -7, length: 20))
        #expect(
            archive.fallbacks.map(\.id) == [45, 43, 46, 42, 47, 41, 48, 40].map { base + "\($0)" }
        )
        // Between the row before its section and this one is the header.
        #expect(archive.fallbacks.map(\.offset) == [13, -27, 33, -47, 53, -67, 73, -117])
        #expect(archive.section == [.string("g04")])
        #expect(archive.sortedBy == ["group", "text"])
        #expect(archive.sortKey == [.string("g04"), .string("w043")])
        #expect(archive.selection == .ids([base + "2", base + "100"]))
        #expect(archive.focus == base + "51")
        #expect(archive.expanded == ["details"])
        #expect(archive.time == 12)
        #expect(archive.schema == list.restorationSchema && archive.request == list.restorationRequest)
        let json = try archive.json()
        #expect(json.count < 4_096)
        #expect(try StateArchive(json: json) == archive)
        let all = RestorableMarks(selection: [IndexPath(item: 0, section: 0)], selectsAllExcept: true)
        #expect(list.savedState(of: view, marks: all).selection == .allExcept([base + "1"]))
    }

    @Test("S2 the row returns to the same pixel, then the marks, and missing rows are counted")
    func restore() throws {
        let world = try RestorationFixture()
        let list = try world.list()
        let view = list.view(offset: 4 * 230 + 30 + 3 * 20 + 7)
        let marks = RestorableMarks(
            selection: [IndexPath(item: 1, section: 0), IndexPath(item: 9, section: 9)],
            focus: IndexPath(item: 0, section: 5),
            expanded: ["details"]
        )
        let archive = list.savedState(of: view, marks: marks)
        try world.delete([99])
        list.processPendingChanges()
        let state = try #require(try list.restoredState(from: archive, in: list.view()))
        #expect(state.rule == .anchor)
        #expect(list.word(state.indexPath) == "w043")
        #expect(list.seen(at: state.contentOffset) == "w043 -7")
        #expect(state.marks.selection.map { list.word($0) } == ["w001"])
        #expect(state.marks.focus.map { list.word($0) } == "w050")
        #expect(state.marks.expanded == ["details"])
        #expect(state.missing == 1)
        #expect(!state.isClamped)
    }

    @Test("S2 nothing is restored before there are rows, according to the policy")
    func policy() throws {
        let world = try RestorationFixture()
        let archive = try saved(world)
        let unfetched = try FetchedResultsController(fetchRequest: .words, store: world.store)
        #expect(try unfetched.restoredState(from: archive, in: unfetched.view()) == nil)
        let list = try world.list()
        #expect(try list.restoredState(from: archive, in: list.view(), policy: .prevent) == nil)
        #expect(
            try list.restoredState(from: archive, in: list.view(), policy: .preventWhenEmpty)?.rule == .anchor
        )
        try world.delete(0..<100)
        list.processPendingChanges()
        #expect(try list.restoredState(from: archive, in: list.view(), policy: .preventWhenEmpty) == nil)
        #expect(try list.restoredState(from: archive, in: list.view())?.rule == .top)
    }

    @Test("S2 a position beyond the end of the content is clamped and reported as such")
    func clamped() throws {
        let world = try RestorationFixture()
        let archive = try saved(world)
        try world.delete(45..<100)
        let list = try world.list()
        let state = try #require(try list.restoredState(from: archive, in: list.view()))
        #expect(state.rule == .anchor && state.isClamped)
        let view = list.view()
        #expect(state.contentOffset == view.contentLength - view.viewportLength)
    }

    @Test("S3 fallback: the anchor is deleted, so its nearest remaining neighbor keeps its own pixel")
    func fallback() throws {
        let world = try RestorationFixture()
        let archive = try saved(world)
        try world.delete([43, 44])
        let list = try world.list()
        let state = try #require(try list.restoredState(from: archive, in: list.view()))
        #expect(state.rule == .fallback)
        #expect(list.word(state.indexPath) == "w042")
        let view = list.view(offset: state.contentOffset)
        let place = try #require(state.indexPath.flatMap { view.position(of: $0) })
        #expect(place.lowerBound - state.contentOffset == -27)
    }

    @Test("S3 sort key: all anchors are deleted, so the row at the position of the first one is shown")
    func sortKey() throws {
        let world = try RestorationFixture()
        let archive = try saved(world)
        try world.delete(30..<60)
        let list = try world.list()
        let state = try #require(try list.restoredState(from: archive, in: list.view()))
        #expect(state.rule == .sortKey)
        #expect(list.word(state.indexPath) == "w060")
        // At the end of the list no row follows: the last row is used.
        try world.delete(60..<100)
        list.processPendingChanges()
        let last = try #require(try list.restoredState(from: archive, in: list.view()))
        #expect(last.rule == .sortKey)
        #expect(list.word(last.indexPath) == "w029")
    }

    @Test(
        "S3 section: all anchors are deleted and the sort order differs, so its section begins at the edge"
    )
    func section() throws {
        let world = try RestorationFixture()
        let archive = try saved(world)
        try world.delete(39..<48)
        try world.store.write { try $0.insertWord(500, group: "g04") }
        var request = FetchRequest.words
        request.sortDescriptors[1] = FetchRequest.SortDescriptor("text", ascending: false)
        let list = try world.list(request)
        let state = try #require(try list.restoredState(from: archive, in: list.view()))
        #expect(state.rule == .section)
        #expect(list.word(state.indexPath) == "w500")
        #expect(list.seen(at: state.contentOffset) == "w500 0")
    }

    @Test("S3 proportion: the section is deleted too, so the content is scrolled by the same proportion")
    func proportion() throws {
        let world = try RestorationFixture()
        let archive = try saved(world)
        try world.delete(39..<50)
        let list = try world.list(.words(by: "size"))
        let view = list.view()
        let state = try #require(try list.restoredState(from: archive, in: view))
        #expect(state.rule == .proportion)
        #expect(state.indexPath == nil)
        let proportion = state.contentOffset / (view.contentLength - view.viewportLength)
        #expect(abs(proportion - 1_017.0 / 2_200) < 1e-9)
    }

    @Test("S3 top: no other rule applies")
    func top() throws {
        let world = try RestorationFixture()
        let archive = try saved(world)
        try world.delete(0..<98)
        let list = try world.list(.words(by: "size"))
        let state = try #require(try list.restoredState(from: archive, in: list.view()))
        #expect(state.rule == .top)
        #expect(state.contentOffset == 0)
    }

    @Test("S3 every rule has its test here")
    func rules() {
        #expect(
            RestorationRule.allCases.map(\.rawValue) == [
                "anchor", "fallback", "sortKey", "section", "proportion", "top",
            ]
        )
    }

    // MARK: - S4: the same element on the screen

    @Test("S4 sorted again: the same row at the same pixel", arguments: [true, false])
    func resort(ascending: Bool) throws {
        let world = try RestorationFixture()
        let archive = try saved(world)
        let list = try world.list(.words(by: "size", ascending: ascending))
        let state = try #require(try list.restoredState(from: archive, in: list.view()))
        #expect(state.rule == .anchor)
        #expect(list.seen(at: state.contentOffset).hasPrefix("w043"))
    }

    @Test("S4 filtered: the same row if it is still in the results, else its neighbor")
    func refilter() throws {
        let world = try RestorationFixture()
        let archive = try saved(world)
        let with = try world.list(.words(by: "text", where: .compare("text", .contains, .string("3"))))
        let state = try #require(try with.restoredState(from: archive, in: with.view()))
        #expect(state.rule == .anchor && with.word(state.indexPath) == "w043")
        let without = try world.list(
            .words(by: "text", where: .not(.compare("text", .contains, .string("3"))))
        )
        let other = try #require(try without.restoredState(from: archive, in: without.view()))
        #expect(other.rule == .fallback && without.word(other.indexPath) == "w044")
    }

    @Test("S4 a thousand rows inserted above: the same row at the same pixel")
    func insertedAbove() throws {
        let world = try RestorationFixture()
        let archive = try saved(world)
        try world.store.write { transaction in
            for number in 0..<1_000 { try transaction.insertWord(number, group: "a\(number % 7)") }
        }
        let list = try world.list()
        let state = try #require(try list.restoredState(from: archive, in: list.view()))
        #expect(state.rule == .anchor)
        #expect(list.seen(at: state.contentOffset) == "w043 -7")
    }

    @Test("S4 restarted, and changed by another process meanwhile: the same row at the same pixel")
    func restart() throws {
        let world = try RestorationFixture()
        let json = try saved(world).json()
        try world.store.close()
        let writer = try WriterProcess(world.path, author: "other")
        #expect(
            writer.run("bare DELETE FROM word WHERE text < 'w030'; UPDATE word SET size = size + 1") == "ok"
        )
        try world.restart()
        let list = try world.list()
        let state = try #require(try list.restoredState(from: StateArchive(json: json), in: list.view()))
        #expect(state.rule == .anchor)
        #expect(list.seen(at: state.contentOffset) == "w043 -7")
    }

    @Test("S4 a smaller viewport still shows the row, and a row cut off above stays so")
    func viewport() throws {
        let world = try RestorationFixture()
        let list = try world.list()
        // Under a header that is seen as a whole.
        let archive = list.savedState(of: list.view(offset: 4 * 230))
        #expect(archive.anchor?.offset == 30)
        let state = try #require(try list.restoredState(from: archive, in: list.view(height: 40)))
        #expect(list.seen(at: state.contentOffset, height: 40) == "w040 20")
        let cut = try #require(try list.restoredState(from: saved(world), in: list.view(height: 40)))
        #expect(list.seen(at: cut.contentOffset, height: 40) == "w043 -7")
    }

    @Test("S4 saved in a terminal and restored in a page: the same row, cut off as much")
    func otherRenderer() throws {
        let world = try RestorationFixture()
        let list = try world.list()
        let archive = list.savedState(of: list.view(offset: 43, row: 1, header: 0, height: 24))
        let state = try #require(
            try list.restoredState(from: archive, in: list.view(row: 48, header: 32, height: 600))
        )
        #expect(list.seen(at: state.contentOffset, row: 48, header: 32, height: 600) == "w043 0")
        let half = list.savedState(of: list.view(offset: 4 * 230 + 30 + 3 * 20 + 10))
        let doubled = try #require(try list.restoredState(from: half, in: list.view(row: 40, header: 30)))
        #expect(list.seen(at: doubled.contentOffset, row: 40, header: 30) == "w043 -20")
    }

    @Test(
        "S3 S4 random edits, sorts and filters: the rule is the first that applies, by an oracle of plain arrays"
    )
    func random() throws {
        var generator = SeededGenerator.fromEnvironment()
        let world = try RestorationFixture(words: 60)
        for _ in 0..<40 {
            let list = try world.list()
            guard list.numberOfObjects > 12 else { break }
            let archive = list.savedState(of: list.view(offset: Double(generator.int(1..<900))))
            try world.delete((0..<generator.int(1..<12)).map { _ in generator.int(0..<200) })
            let ids = archive.fallbacks.map(\.id)
            try world.store.write { transaction in
                for number in 0..<generator.int(0..<8) { try transaction.insertWord(200 + number) }
            }
            let later = try world.list(generator.chance(50) ? .words : .words(by: "size"))
            let present = Set(
                (later.fetchedObjectIDs ?? []).map { id in
                    ModelIdentifier(storeIdentifier: world.store.identifier, entityName: "word", rowID: id)
                        .uri
                }
            )
            let state = try #require(try later.restoredState(from: archive, in: later.view()))
            let anchor = try #require(archive.anchor?.id)
            let expected = ([anchor] + ids).first { present.contains($0) }
            let found = state.indexPath.flatMap { later.modelIdentifierForElement(at: $0, in: later.view()) }
            switch state.rule {
            case .anchor: #expect(found == anchor && expected == anchor, "\(generator.origin)")
            case .fallback: #expect(found == expected && expected != anchor, "\(generator.origin)")
            default: #expect(expected == nil, "\(generator.origin)")
            }
        }
    }
}
