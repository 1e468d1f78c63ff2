import BridgeTesting
import BridgeValues
import BridgeViews
import CollectionViews
import DataSources
import Testing

/// The sizes of items and the filter of scripts' views.
@Suite("sizes and filters of scripts' views")
struct ScriptSizeTests {
    private static func makeViews(_ sizes: String, type: String = "flow") async throws -> ScriptViews {
        let views = try ScriptViews()
        try await views.run(
            """
            globalThis.items = [1, 2, 3, 4, 5].map(size => ({ size }));
            globalThis.asked = [];
            globalThis.view = bridge.collectionView({
                source: items, cell: item => "size " + item.size,
                layout: {
                    type: "\(type)", itemSize: { width: 9, height: 1 }, minimumLineSpacing: 0, minimumInteritemSpacing: 0,
                    sizeForItemAt: \(sizes),
                },
            });
            """
        )
        return views
    }

    private static func lengths(_ views: ScriptViews) async throws -> [Double] {
        try await views.bridge.withCollectionView("main") { owner in
            try owner.view.makeFrame().elements.map(\.attributes.frame.size.height)
        }
    }

    @Test("C5 a flow layout asks sizeForItemAt once for each item, and again for new and reloaded ones only")
    func sizes() async throws {
        let views = try await Self.makeViews(
            "path => { asked.push(path.item); return { width: 40, height: items[path.item].size }; }"
        )
        #expect(try await Self.lengths(views) == [1, 2, 3, 4])
        let first = try await views.value("asked.splice(0).sort().join()")
        #expect(first == "0,0,1,2,3,4", "\(first)")
        try await views.run(
            """
            view.performBatchUpdates(() => { items.splice(1, 0, { size: 7 }); view.insertItems({ at: [[0, 1]] }); });
            """
        )
        #expect(try await Self.lengths(views) == [1, 7, 2])
        let second = try await views.value("[...new Set(asked.splice(0))].sort().join()")
        #expect(second == "0,1" || second == "1", "\(second)")
        #expect(views.errors.elements.isEmpty)
    }

    @Test(
        "a size that cannot be is reported once, and the item has the itemSize of the layout",
        arguments: [
            ("() => 7", "sizeForItemAt of a layout returns { width, height }, not number"),
            ("() => ({ width: NaN, height: 2 })", "the width of sizeForItemAt is a number, not NaN"),
            ("() => ({ width: 0.5, height: 2 })", "sizeForItemAt of a layout is at least 1"),
            ("() => ({ width: 2, height: -1 })", "sizeForItemAt of a layout is at least 1"),
            ("() => ({ width: 2, height: Infinity })", "sizeForItemAt of a layout is at most 1,000,000,000"),
            ("() => { throw new Error('no size'); }", "no size"),
            (
                "async () => ({ width: 1, height: 1 })",
                "sizeForItemAt must return its value, not a promise"
            ),
        ]
    )
    func wrongSizes(_ function: String, _ message: String) async throws {
        let views = try await Self.makeViews(function)
        #expect(try await Self.lengths(views) == [1, 1, 1, 1, 1])
        #expect(views.errors.elements.count == 1)
        #expect(views.errors.elements.first?.contains(message) == true, "\(views.errors.elements)")
    }

    @Test(
        "sizeForItemAt of another layout, or one that is not a function, is refused",
        arguments: [
            ("7", "flow", "sizeForItemAt is a function, not"),
            ("() => 7", "list", "sizeForItemAt is a member of the layout 'flow'"),
        ]
    )
    func wrongMember(_ member: String, _ type: String, _ message: String) async throws {
        let error = await #expect(throws: (any Error).self) {
            try await Self.makeViews(member, type: type)
        }
        #expect("\(error.map { "\($0)" } ?? "")".contains(message), "\(error.map { "\($0)" } ?? "")")
    }

    @Test("C5 a flow layout asks for the insets, distances, headers and footers of each section")
    func sections() async throws {
        let views = try ScriptViews()
        try await views.run(
            """
            globalThis.view = bridge.collectionView({
                source: { numberOfSections: 2, numberOfItems: () => 3, item: (s, i) => "i" + s + i },
                header: section => "header " + section, footer: section => "footer " + section,
                layout: {
                    type: "flow", itemSize: { width: 9, height: 1 }, minimumLineSpacing: 0, minimumInteritemSpacing: 0,
                    insetForSectionAt: section => section === 0 ? { left: 2, bottom: 1 } : 3,
                    minimumLineSpacingForSectionAt: section => section,
                    minimumInteritemSpacingForSectionAt: section => 20 * section,
                    referenceSizeForHeaderInSection: section => ({ width: 0, height: 1 + section }),
                    referenceSizeForFooterInSection: section => ({ width: 0, height: section }),
                },
            });
            """
        )
        let places = try await views.bridge.withCollectionView("main") { owner in
            owner.view.frame = Rect(x: 0, y: 0, width: 40, height: 40)
            return try owner.view.makeFrame().elements
                .map {
                    "\($0.content.text.string) \(Int($0.attributes.frame.minX)) \(Int($0.attributes.frame.minY))"
                }
                .sorted()
        }
        #expect(
            places == [
                "footer 1 0 16", "header 0 0 0", "header 1 0 3", "i00 2 1", "i01 16 1", "i02 31 1",
                "i10 15 8", "i11 15 10", "i12 15 12",
            ]
        )
        #expect(views.errors.elements.isEmpty)
    }

    @Test(
        "a length of a section that cannot be is reported, and that of the layout applies",
        arguments: [
            ("insetForSectionAt: () => 'x'", "insetForSectionAt of a layout is a number, or { top"),
            ("insetForSectionAt: () => ({ top: -1 })", "insetForSectionAt of a layout has lengths from 0"),
            (
                "minimumLineSpacingForSectionAt: async () => 1",
                "minimumLineSpacingForSectionAt must return its value, not a promise"
            ),
            (
                "minimumInteritemSpacingForSectionAt: () => Infinity",
                "minimumInteritemSpacingForSectionAt of a layout has lengths from 0"
            ),
            (
                "referenceSizeForHeaderInSection: () => 7",
                "referenceSizeForHeaderInSection of a layout returns { width, height }, not number"
            ),
        ]
    )
    func wrongLengths(_ member: String, _ message: String) async throws {
        let views = try ScriptViews()
        try await views.run(
            """
            bridge.collectionView({
                source: ["a", "b"],
                layout: { type: "flow", itemSize: { width: 40, height: 1 }, minimumLineSpacing: 0, \(member) },
            });
            """
        )
        let frames = try await views.bridge.withCollectionView("main") { owner in
            try owner.view.makeFrame().elements.map(\.attributes.frame.minY)
        }
        #expect(frames == [0, 1])
        #expect(views.errors.elements.count == 1)
        #expect(views.errors.elements.first?.contains(message) == true, "\(views.errors.elements)")
    }

    @Test("the filter is passed to the script once for each text, and its error is reported")
    func filter() async throws {
        let views = try ScriptViews()
        try await views.run(
            """
            const all = ["tea", "coffee", "water"], shown = [...all];
            bridge.collectionView({
                source: shown,
                search(query, view) {
                    note(query);
                    if (query === "bad") throw new Error("no such words");
                    shown.splice(0, Infinity, ...all.filter(text => text.includes(query)));
                    view.reloadData();
                },
            });
            """
        )
        try await views.bridge.withCollectionView("main") { owner in
            #expect(owner.canSearch && owner.canFilter)
            owner.filter = "te"
            owner.filter = "te"
        }
        #expect(try await views.texts() == ["tea", "water"])
        try await views.bridge.withCollectionView("main") { $0.filter = "bad" }
        #expect(try await views.texts() == ["tea", "water"])
        try await views.bridge.withCollectionView("main") { $0.filter = "" }
        #expect(try await views.texts() == ["tea", "coffee", "water"])
        await views.settle()
        #expect(views.notes.elements == ["te", "bad", ""])
        #expect(views.errors.elements.count == 1 && views.errors.elements[0].contains("no such words"))
    }

    @Test("a view without search, or with a search by its cells only, has no filter")
    func noFilter() async throws {
        let views = try ScriptViews()
        try await views.run(
            """
            bridge.collectionView({ source: ["a"] });
            bridge.collectionView({ name: "found", source: ["a"], search: true });
            try { bridge.collectionView({ name: "wrong", source: [], search: "a" }); } catch (error) { note(error.message); }
            """
        )
        for (name, canSearch) in [("main", false), ("found", true)] {
            try await views.bridge.withCollectionView(name) { owner in
                owner.filter = "x"
                #expect(owner.canSearch == canSearch && !owner.canFilter && owner.filter.isEmpty)
            }
        }
        #expect(views.notes.elements.first?.stringValue?.contains("search is a function, not") == true)
    }
}
