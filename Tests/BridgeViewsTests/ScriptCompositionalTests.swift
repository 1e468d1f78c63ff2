import BridgeTesting
import BridgeValues
import BridgeViews
import CollectionViews
import DataSources
import Foundation
import Testing

/// Compositional layouts that scripts describe.
@Suite struct ScriptCompositionalTests {
    private static func makeViews(
        _ layout: String,
        sections: Int = 2,
        count: Int = 6,
        limit: Duration? = .seconds(60)
    ) async throws -> ScriptViews {
        let views = try ScriptViews(limit: limit)
        try await views.run(
            """
            globalThis.counts = Array(\(sections)).fill(\(count));
            globalThis.view = bridge.collectionView({
                source: { get numberOfSections() { return counts.length; }, numberOfItems: s => counts[s], item: (s, i) => "i" + s + i },
                header: section => "header " + section, footer: section => "footer " + section,
                layout: \(layout),
            });
            """
        )
        return views
    }

    /// Returns the text and the frame of each element, in the order of their texts.
    private static func places(_ views: ScriptViews) async throws -> [String] {
        try await views.bridge.withCollectionView("main") { owner in
            try owner.view.makeFrame().elements
                .map { element in
                    let frame = element.attributes.frame
                    let numbers = [frame.minX, frame.minY, frame.size.width, frame.size.height].map {
                        "\(Int($0))"
                    }
                    let text = element.content.text.string
                    return "\(text.isEmpty ? element.attributes.element.kind : text) "
                        + numbers.joined(separator: " ")
                }
                .sorted()
        }
    }

    @Test("a section of groups in groups, with a header, a footer and a background, for all sections")
    func section() async throws {
        let views = try await Self.makeViews(
            """
            {
                type: "compositional", interSectionSpacing: 1,
                section: {
                    group: {
                        axis: "horizontal", layoutSize: { heightDimension: 2 }, interItemSpacing: 2,
                        subitems: [
                            { layoutSize: { widthDimension: { absolute: 10 } } },
                            { axis: "vertical", layoutSize: { widthDimension: { fractionalWidth: 0.5 } }, subitem: { layoutSize: {} }, count: 2 },
                        ],
                    },
                    contentInsets: { left: 2, right: 2 },
                    boundarySupplementaryItems: [
                        { elementKind: "header", layoutSize: { heightDimension: 1 }, pinToVisibleBounds: true },
                        { elementKind: "footer", layoutSize: { heightDimension: { absolute: 1 } } },
                    ],
                    decorationItems: [{ elementKind: "shelf" }],
                },
            }
            """,
            count: 4
        )
        #expect(
            try await Self.places(views) == [
                "footer 0 0 5 40 1", "header 0 0 0 40 1", "header 1 0 7 40 1", "i00 2 1 10 2",
                "i01 14 1 18 1", "i02 14 2 18 1", "i03 2 3 10 2", "i10 2 8 10 2", "i11 14 8 18 1",
                "i12 14 9 18 1", "shelf 0 1 40 4", "shelf 0 8 40 4",
            ]
        )
        try await views.run("view.contentOffset = 3;")
        #expect(try await Self.places(views).contains("header 0 0 3 40 1"))
        #expect(views.errors.elements.isEmpty)
    }

    @Test("a function describes each section, with the size of the view, and again after a batch")
    func sectionProvider() async throws {
        let views = try await Self.makeViews(
            """
            {
                type: "compositional",
                sectionProvider(section, { containerSize }) {
                    if (section === 0) return { list: { rowLength: 1, headerLength: 0, footerLength: 0 } };
                    const columns = containerSize.width >= 40 ? counts[section] : 1;
                    return { group: { axis: "horizontal", layoutSize: { heightDimension: 1 }, subitem: { layoutSize: {} }, count: columns } };
                },
            }
            """,
            count: 2
        )
        #expect(
            try await Self.places(views) == [
                "i00 0 0 40 1", "i01 0 1 40 1", "i10 0 2 20 1", "i11 20 2 20 1",
            ]
        )
        try await views.run(
            "view.performBatchUpdates(() => { counts[1] = 4; view.insertItems({ at: [[1, 2], [1, 3]] }); });"
        )
        #expect(try await Self.places(views).suffix(2) == ["i12 20 2 10 1", "i13 30 2 10 1"])
        try await views.bridge.withCollectionView("main") { owner in
            owner.view.frame = Rect(x: 0, y: 0, width: 20, height: 10)
        }
        #expect(try await Self.places(views).suffix(2) == ["i12 0 4 20 1", "i13 0 5 20 1"])
        #expect(views.errors.elements.isEmpty)
    }

    @Test("V6 V20 a section scrolls across the layout, and scrollToItem reveals an item of it")
    func orthogonal() async throws {
        let views = try await Self.makeViews(
            """
            {
                type: "compositional",
                section: {
                    group: { axis: "horizontal", layoutSize: { widthDimension: 15, heightDimension: 3 }, subitems: [{ layoutSize: {} }] },
                    orthogonalScrollingBehavior: "continuousGroupLeadingBoundary", interGroupSpacing: 1,
                },
            }
            """,
            sections: 3,
            count: 100
        )
        #expect(try await Self.places(views).prefix(3) == ["i00 0 0 15 3", "i01 16 0 15 3", "i02 32 0 15 3"])
        try await views.run("view.scrollToItem({ at: [1, 50] });")
        let places = try await Self.places(views)
        #expect(places.contains("i150 25 3 15 3") && places.contains("i00 0 0 15 3"))
    }

    @Test("V4 estimated lengths are those of measured cells")
    func estimated() async throws {
        let views = try await Self.makeViews(
            """
            {
                type: "compositional",
                section: {
                    group: {
                        axis: "horizontal", layoutSize: { heightDimension: { estimated: 2 } },
                        subitem: { layoutSize: { heightDimension: { estimated: 2 } } }, count: 2,
                    },
                },
            }
            """,
            sections: 1
        )
        _ = try await Self.places(views)
        try await views.bridge.withCollectionView("main") { owner in
            try owner.view.setMeasuredLength(5, forItemAt: IndexPath(item: 1, section: 0))
        }
        #expect(try await Self.places(views).prefix(3) == ["i00 0 0 20 2", "i01 20 0 20 5", "i02 0 5 20 2"])
    }

    private static let group = "group: { axis: 'vertical', layoutSize: {}, subitems: [{ layoutSize: {} }] }"

    @Test(
        "a description that cannot be is refused with the key and what was expected, and the view keeps its layout",
        arguments: [
            ("", "a compositional layout has either a section, or the function sectionProvider"),
            ("section: 7", "section of a layout is an object, not 7"),
            (
                "section: {}",
                "section.group of a layout is an object, unless the section is { list }, not undefined"
            ),
            ("sections: []", "a layout has no member 'sections': its members are interSectionSpacing, "),
            (
                "section: { \(group) }, sectionProvider() {}",
                "a compositional layout has either a section, or"
            ),
            ("sectionProvider: 7", "sectionProvider is a function, not number"),
            (
                "section: { list: { rowHeight: 2 } }",
                "section.list of a layout has no member 'rowHeight': its members are backgroundKind, "
            ),
            (
                "section: { group: { layoutSize: {}, subitems: [] } }",
                "section.group.axis of a layout is 'vertical' or 'horizontal', not undefined"
            ),
            (
                "section: { group: { axis: 'vertical', subitems: [] } }",
                "section.group.layoutSize of a layout is an object { widthDimension, heightDimension }, not undefined"
            ),
            (
                "section: { group: { axis: 'vertical', layoutSize: {}, subitems: [] } }",
                "section.group.subitems of a layout is an array of objects, or else the group has subitem and count, not an array"
            ),
            (
                "section: { group: { axis: 'vertical', layoutSize: {}, subitem: { layoutSize: {} }, count: 0 } }",
                "section.group.count of a layout is an integer from 1 to 500, not 0"
            ),
            (
                "section: { group: { axis: 'vertical', layoutSize: { heightDimension: { fractional: 1 } }, subitems: [{}] } }",
                "section.group.layoutSize.heightDimension of a layout is a length from 1 on, { absolute: length }"
            ),
            (
                "section: { group: { axis: 'vertical', layoutSize: {}, subitems: [{ layoutSize: { widthDimension: 0 } }] } }",
                "section.group.subitems[0].layoutSize.widthDimension of a layout is a length from 1 on"
            ),
            (
                "section: { group: { axis: 'vertical', layoutSize: {}, subitems: [{ layoutSize: {}, count: 2 }] } }",
                "section.group.subitems[0] of a layout has no member 'count': its members are contentInsets, layoutSize"
            ),
            (
                "section: { \(group), contentInsets: { top: -1 } }",
                "section.contentInsets.top of a layout is a number from 0 to 1,000,000,000, not -1"
            ),
            (
                "section: { \(group), orthogonalScrollingBehavior: 'snap' }",
                "section.orthogonalScrollingBehavior of a layout is 'none', 'continuous', "
            ),
            (
                "section: { \(group), boundarySupplementaryItems: [{ elementKind: 'badge', layoutSize: {} }] }",
                "section.boundarySupplementaryItems[0].elementKind of a layout is 'header' or 'footer', not 'badge'"
            ),
            (
                "section: { \(group), boundarySupplementaryItems: [{ elementKind: 'header', layoutSize: {} }, { elementKind: 'footer', alignment: 'top', layoutSize: {} }] }",
                "section.boundarySupplementaryItems of a layout is an array of at most one header and one footer"
            ),
            (
                "section: { \(group), decorationItems: [{ elementKind: 'a' }, { elementKind: 'b' }] }",
                "section.decorationItems of a layout is an array of at most one object"
            ),
            ("section: { \(group) }, sizeForItemAt() {}", "sizeForItemAt is a member of the layout 'flow'"),
            (
                "section: (() => { let group = { layoutSize: {} }; for (let n = 0; n < 20; n++) group = { axis: 'vertical', layoutSize: {}, subitems: [group] }; return { group }; })()",
                "groups of a layout are nested more than 16 deep"
            ),
        ]
    )
    func wrong(_ members: String, _ message: String) async throws {
        let views = try await Self.makeViews("'list'")
        let before = try await views.texts()
        try await views.run(
            "try { view.setCollectionViewLayout({ type: 'compositional', \(members) }); } catch (error) { note(error.message); }"
        )
        let note = try #require(views.notes.elements.first?.stringValue)
        #expect(note.hasPrefix(message), "\(note)")
        // The layout that was refused is not used for another renderer either.
        let texts = try await views.bridge.withCollectionView("main") { owner in
            let other = try owner.makeView(unit: .cell, frame: owner.view.frame)
            return try other.makeFrame().elements.map(\.content.text.string)
        }
        #expect(texts == before)
        #expect(try await views.texts() == before)
    }

    @Test(
        "a section that a function describes wrongly fails the frame with the sentence, and the next one is right",
        arguments: [
            ("return 7;", "sectionProvider of a layout returns a section { group }, not number"),
            ("return {};", "sectionProvider(1).group of a layout is an object"),
            ("return Promise.resolve({});", "sectionProvider must return its value, not a promise"),
            ("throw new Error('no section');", "no section"),
            ("while (true);", "time"),
            (
                "return { group: { axis: 'vertical', layoutSize: {}, subitems: [{ layoutSize: () => 1 }] } };",
                "layoutSize"
            ),
        ]
    )
    func wrongSection(_ fault: String, _ message: String) async throws {
        let views = try await Self.makeViews(
            """
            {
                type: "compositional",
                sectionProvider(section) {
                    if (globalThis.isBad && section === 1) { \(fault) }
                    return { group: { axis: "vertical", layoutSize: { heightDimension: 1 }, subitems: [{ layoutSize: {} }] } };
                },
            }
            """,
            count: 2,
            limit: .milliseconds(200)
        )
        #expect(try await views.texts() == ["i00", "i01", "i10", "i11"])
        try await views.run("globalThis.isBad = true; view.invalidateLayout();")
        for _ in 0..<2 {
            let error = await #expect(throws: (any Error).self) { try await views.texts() }
            #expect("\(error.map { "\($0)" } ?? "")".contains(message), "\(error.map { "\($0)" } ?? "")")
        }
        try await views.run("isBad = false; view.invalidateLayout();")
        #expect(try await views.texts() == ["i00", "i01", "i10", "i11"])
    }

    @Test(
        "a section that fails in a batch applies the batch, and fails the frame until the function is right"
    )
    func wrongSectionInBatch() async throws {
        let views = try await Self.makeViews(
            """
            {
                type: "compositional",
                sectionProvider() {
                    if (globalThis.isBad) throw new Error("no section");
                    return { group: { axis: "vertical", layoutSize: { heightDimension: 1 }, subitems: [{ layoutSize: {} }] } };
                },
            }
            """,
            sections: 1,
            count: 2
        )
        #expect(try await views.texts() == ["i00", "i01"])
        try await views.run(
            """
            globalThis.isBad = true;
            view.performBatchUpdates(() => { counts[0] = 3; view.insertItems({ at: [[0, 2]] }); });
            """
        )
        await #expect(throws: (any Error).self) { try await views.texts() }
        try await views.run("isBad = false; view.invalidateLayout();")
        #expect(try await views.texts() == ["i00", "i01", "i02"])
    }

    @Test("items that are too many for one frame fail it with the number, whatever their sizes")
    func tooMany() async throws {
        let views = try await Self.makeViews(
            """
            {
                type: "compositional",
                section: {
                    group: { axis: "vertical", layoutSize: { heightDimension: { fractionalHeight: 0.002 } }, subitem: { layoutSize: {} }, count: 500 },
                },
            }
            """,
            sections: 1,
            count: 2_147_483_647
        )
        let error = await #expect(throws: CollectionViewError.self) { try await views.texts() }
        #expect(error?.message.contains("(limit 100000)") == true, "\(error?.message ?? "")")
        let across = try await Self.makeViews(
            """
            {
                type: "compositional",
                section: {
                    group: { axis: "vertical", layoutSize: { widthDimension: { fractionalWidth: 0.001 } }, subitem: { layoutSize: {} }, count: 500 },
                    orthogonalScrollingBehavior: "continuous",
                },
            }
            """,
            sections: 1,
            count: 2_147_483_647
        )
        let other = await #expect(throws: CollectionViewError.self) { try await across.texts() }
        #expect(other?.message.contains("(limit 100000)") == true, "\(other?.message ?? "")")
    }
}
