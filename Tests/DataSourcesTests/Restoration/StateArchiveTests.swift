import DataSources
import Foundation
import Stores
import Testing

@Suite("State archives")
struct StateArchiveTests {
    private func error(_ json: String) -> StateArchiveError? {
        do throws(StateArchiveError) {
            _ = try StateArchive(json: Data(json.utf8))
            return nil
        } catch { return error }
    }

    @Test("S6 an archive is readable JSON, and every kind of value in it is decoded as it was")
    func readable() throws {
        var archive = StateArchive(schema: "s", request: "r", time: Date(timeIntervalSince1970: 7))
        archive.anchor = StateArchive.Anchor(id: "x-store://A/word/p1", offset: -0.5, length: 1)
        archive.values = [
            "null": .null, "true": .boolean(true), "integer": .integer(.max), "whole": .double(3),
            "double": .double(0.1), "text": .string("é"), "date": .date(Date(timeIntervalSince1970: 0.5)),
            "data": .data(Data([1, 255])),
        ]
        let json = try archive.json()
        #expect(try StateArchive(json: json) == archive)
        let text = String(decoding: json, as: UTF8.self)
        #expect(text.contains(#""anchor":{"id":"x-store://A/word/p1","length":1,"offset":-0.5}"#))
        #expect(text.contains(#""version":1"#))
    }

    @Test("S6 an archive written by hand needs only version, schema and request")
    func byHand() throws {
        let archive = try StateArchive(json: Data(#"{"version": 1, "schema": "s", "request": ""}"#.utf8))
        #expect(archive.anchor == nil && archive.selection == .ids([]) && archive.proportion == 0)
    }

    @Test("S6 an archive of an unknown version is rejected as a whole, before anything else of it is read")
    func version() {
        #expect(error(#"{"version": 2, "anchor": 5}"#) == .unknownVersion(found: 2, known: 1))
        #expect(error(#"{"version": 0}"#) == .unknownVersion(found: 0, known: 1))
    }

    @Test("S6 an invalid archive is an error with the position")
    func unreadable() {
        for json in [
            "", "[]", "null", "5", "{", #"{"version": "1"}"#, #"{"version": 1}"#,
            #"{"version": 1, "schema": "s", "request": "r", "anchor": {"id": 5, "offset": 0, "length": 1}}"#,
            #"{"version": 1, "schema": "s", "request": "r", "anchor": {"id": "a", "offset": 1e999, "length": 1}}"#,
            #"{"version": 1, "schema": "s", "request": "r", "selected": [1]}"#,
            #"{"version": 1, "schema": "s", "request": "r", "sortKey": [[1]]}"#,
        ] {
            guard case .unreadable(let detail)? = error(json) else {
                Issue.record("\(json) was read")
                continue
            }
            #expect(!detail.isEmpty)
        }
        guard
            case .unreadable(let detail)? = error(
                #"{"version": 1, "schema": "s", "request": "r", "anchor": {"id": 5}}"#
            )
        else { return }
        #expect(detail.hasPrefix("anchor.id"))
    }

    @Test("S6 an archive of more than a mebibyte is rejected unread")
    func size() {
        let json = String(repeating: " ", count: StateArchive.largestSize + 1)
        #expect(error(json) == .tooLarge(bytes: json.utf8.count, limit: StateArchive.largestSize))
    }

    @Test("S6 an archive of rows of another shape is rejected, unless the program knows that shape")
    func schema() throws {
        let world = try RestorationFixture(words: 10)
        let list = try world.list()
        var archive = list.savedState(of: list.view(offset: 40))
        archive.schema = "older"
        do throws(StateArchiveError) {
            _ = try list.restoredState(from: archive, in: list.view())
            Issue.record("nothing was thrown")
        } catch {
            #expect(error == .unknownSchema(found: "older", known: [list.restorationSchema]))
        }
        #expect(
            try list.restoredState(from: archive, in: list.view(), knownSchemas: ["older"])?.rule == .anchor
        )
    }

    @Test("S6 wrong values from a script lead to the next rule and to no crash")
    func hostile() throws {
        let world = try RestorationFixture(words: 100)
        let list = try world.list()
        var archive = list.savedState(of: list.view(offset: 500))
        archive.anchor?.id = "nonsense"
        archive.fallbacks = []
        for key: [AttributeValue] in [
            [], [.integer(1)], [.integer(1), .integer(2)], [.string("g05"), .data(Data())],
            [.string("g05"), .string("w"), .null],
        ] {
            archive.sortKey = key
            let state = try #require(try list.restoredState(from: archive, in: list.view()))
            #expect(state.rule == .section, "\(key)")
        }
        archive.section = [.integer(.max), .null]
        archive.proportion = .infinity
        #expect(try list.restoredState(from: archive, in: list.view())?.rule == .top)
        archive.proportion = -4
        #expect(try list.restoredState(from: archive, in: list.view())?.rule == .top)
        archive.anchor = StateArchive.Anchor(
            id: list.modelIdentifierForElement(at: IndexPath(item: 3, section: 3), in: list.view()) ?? "",
            offset: -1e300,
            length: 1e-300
        )
        let state = try #require(try list.restoredState(from: archive, in: list.view()))
        #expect(state.contentOffset.isFinite && state.isClamped)
    }

    @Test(
        "S5 the identity of an unsaved object is not archived: the next row is the anchor"
    )
    func temporary() throws {
        let store = UUID()
        let ids = [(1, true), (2, true), (3, false), (4, true), (5, false)].map { number, isTemporary in
            ModelIdentifier(
                storeIdentifier: store,
                entityName: "e",
                key: ["\(number)"],
                isTemporary: isTemporary
            ).uri
        }
        let source = ListSource(values: ids)
        let paths = ids.indices.map { IndexPath(item: $0, section: 0) }
        let archive = source.savedState(
            of: RowsView(of: source, viewportLength: 4, contentOffset: 1),
            marks: RestorableMarks(selection: paths, focus: paths[0])
        )
        #expect(archive.anchor == StateArchive.Anchor(id: ids[2], offset: 1, length: 1))
        #expect(archive.fallbacks.map(\.id) == [ids[4]])
        #expect(archive.selection == .ids([ids[2], ids[4]]))
        #expect(archive.focus == nil)
    }
}
