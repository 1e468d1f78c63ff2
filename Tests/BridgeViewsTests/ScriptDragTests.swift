import BridgeTesting
import BridgeValues
import BridgeViews
import CollectionViews
import DataSources
import Foundation
import JavaScriptBridge
import Testing

/// The drag and drop delegates of scripts' views.
@Suite("drags of scripts' views")
struct ScriptDragTests {
    /// Creates two lists, from the first of which items can be dragged to the second.
    private static func makeViews(drag: String = "", drop: String = "") async throws -> ScriptViews {
        let views = try ScriptViews()
        try await views.run(
            """
            globalThis.names = ["Ada", "Alan"];
            globalThis.shelf = ["one", "two"];
            bridge.collectionView({
                name: "names", source: names,
                dragDelegate: {
                    itemsForBeginning: ({ item }) => [{ "text/plain": names[item], "text/csv": "1," + names[item] }],
                    dragSessionDidEnd: operation => note("end " + operation),
                    \(drag)
                },
            });
            bridge.collectionView({
                name: "shelf", source: shelf,
                dropDelegate: {
                    async performDropWith({ items, destinationIndexPath, operation }, view) {
                        const text = await items[0].text();
                        note([operation, items[0].types.join(), items[0].sourceIndexPath?.item ?? "elsewhere"].join(" "));
                        shelf.splice(destinationIndexPath.item, 0, text);
                        view.performBatchUpdates(() => view.insertItems({ at: [destinationIndexPath] }));
                    },
                    \(drop)
                },
            });
            """
        )
        for name in ["names", "shelf"] { _ = try await views.texts(name) }
        return views
    }

    /// Drags the second name over the second row of the shelf, drops it, and returns the operation.
    private static func drag(_ views: ScriptViews) async throws -> DropOperation? {
        try await views.bridge.withContext { context in
            let source = try context.collectionView(named: "names").view
            let target = try context.collectionView(named: "shelf").view
            guard let session = try source.beginDrag(at: IndexPath(item: 1, section: 0)) else { return nil }
            try session.move(over: target, to: IndexPath(item: 1, section: 0))
            return try session.drop()
        }
    }

    @Test("PG21 an item is dragged from one script's view to another, and its text arrives by a promise")
    func dragged() async throws {
        let views = try await Self.makeViews(
            drop: """
                canHandle: ({ types }) => types.includes("text/csv"),
                dropSessionDidUpdate({ types, destinationIndexPath }) {
                    note("over " + destinationIndexPath.item + " " + types.length);
                    return "move";
                },
                """
        )
        #expect(try await Self.drag(views) == .move)
        await views.settle()
        #expect(try await views.texts("shelf") == ["one", "Alan", "two"])
        await views.settle()
        #expect(views.notes.elements == ["over 1 2", "end move", "move text/plain,text/csv elsewhere"])
        #expect(views.errors.elements.isEmpty)
    }

    @Test("an item of the same view has its path, and a drop without dropSessionDidUpdate copies")
    func sameView() async throws {
        let views = try ScriptViews()
        try await views.run(
            """
            bridge.collectionView({
                source: ["a", "b", "c"],
                dragDelegate: { itemsForBeginning: () => ["text"] },
                dropDelegate: { performDropWith: ({ items, operation }) => note(operation + " " + items[0].sourceIndexPath.item) },
            });
            """
        )
        _ = try await views.texts()
        let operation = try await views.bridge.withCollectionView("main") { owner -> DropOperation? in
            let session = try owner.view.beginDrag(at: IndexPath(item: 2, section: 0))
            try session?.move(over: owner.view, to: IndexPath(item: 0, section: 0))
            return try session?.drop()
        }
        await views.settle()
        #expect(operation == .copy && views.notes.elements == ["copy 2"])
    }

    @Test("PG21 other items are added to a drag by itemsForAddingTo, and by nothing without it")
    func added() async throws {
        for (function, expected) in [
            ("itemsForAddingTo: ({ item }) => item === 0 ? null : ['more ' + item, 'b'],", [3, 1]),
            ("", [1, 1]),
        ] {
            let views = try ScriptViews()
            try await views.run(
                """
                bridge.collectionView({
                    source: ["a", "b", "c"], dragDelegate: { itemsForBeginning: () => ["text"], \(function) },
                });
                """
            )
            _ = try await views.texts()
            let counts = try await views.bridge.withCollectionView("main") { owner in
                try [1, 0].map { item -> Int in
                    let session = try #require(
                        try owner.view.beginDrag(at: IndexPath(item: 2, section: 0))
                    )
                    let isAdded = try session.addItems(at: IndexPath(item: item, section: 0))
                    #expect(isAdded == (session.items.count > 1))
                    defer { session.cancel() }
                    return session.items.count
                }
            }
            #expect(counts == expected)
            #expect(views.errors.elements.isEmpty)
        }
    }

    @Test(
        "the delegates are notified of the begin of a drag, and of its way over the view, by names of UIKit"
    )
    func sessions() async throws {
        let views = try await Self.makeViews(
            drag: """
                dragSessionWillBegin: view => note("begin " + view.name),
                dragSessionAllowsMoveOperation: () => false,
                dragSessionIsRestrictedToDraggingApplication: () => true,
                """,
            drop: """
                dropSessionDidEnter: ({ types }) => note("enter " + types.length),
                dropSessionDidUpdate: () => "move",
                dropSessionDidExit: (_, view) => note("exit " + view.name),
                dropSessionDidEnd: ({ types }) => note("ended " + types[0]),
                """
        )
        let operation = try await views.bridge.withContext { context -> DropOperation? in
            let source = try context.collectionView(named: "names").view
            let target = try context.collectionView(named: "shelf").view
            guard let session = try source.beginDrag(at: IndexPath(item: 1, section: 0)) else { return nil }
            #expect(session.isRestrictedToDraggingApplication)
            try session.move(over: target, to: IndexPath(item: 1, section: 0))
            try session.move(over: source, to: IndexPath(item: 0, section: 0))
            try session.move(over: target, to: IndexPath(item: 1, section: 0))
            return try session.drop()
        }
        await views.settle()
        // A proposal to move what may not be moved is forbidden.
        #expect(operation != .move)
        #expect(
            views.notes.elements.prefix(4) == ["begin names", "enter 2", "exit shelf", "enter 2"],
            "\(views.notes.elements)"
        )
        #expect(views.notes.elements.contains("ended text/plain"), "\(views.notes.elements)")
        #expect(views.errors.elements.isEmpty)
    }

    @Test("data that is missing, fails or is not text rejects the promise with a sentence")
    func wrongData() async throws {
        let views = try ScriptViews()
        try await views.run(
            """
            bridge.collectionView({
                source: ["a"],
                dropDelegate: {
                    performDropWith({ items }) {
                        for (const [item, type] of [[0], [0, "image/png"], [1, "text/html"], [2, "text/html"]]) {
                            items[item].text(type).then(note, error => note(error.message));
                        }
                    },
                },
            });
            """
        )
        _ = try await views.texts()
        try await views.bridge.withCollectionView("main") { owner in
            let providers = (0..<3).map { _ in ItemProvider() }
            providers[0].register("text/plain") { $0(.success(Array("grüße".utf8))) }
            providers[1].register("text/html") { $0(.success([0xFF, 0xFE])) }
            providers[2].register("text/html") { $0(.failure(BridgeError(.internal, "it is gone"))) }
            let session = DropSession(items: providers.map { DragItem(itemProvider: $0) })
            _ = try owner.view.updateDrop(session, at: Point(x: 1, y: 0))
            #expect(try owner.view.performDrop(session) == .copy)
            owner.view.endDrop(session)
        }
        await views.settle()
        let notes = views.notes.elements.compactMap(\.stringValue)
        #expect(notes.count == 4 && notes.first == "grüße")
        #expect(notes.contains("the item has no form of the type \"image/png\""))
        #expect(notes.contains { $0.contains("the form of the type \"text/html\" is not UTF-8 text") })
        #expect(notes.contains { $0.contains("it is gone") })
    }

    @Test(
        "items that cannot be dragged are reported, and no drag begins",
        arguments: [
            ("() => { throw new Error('no items'); }", "no items"),
            ("async () => ['a']", "itemsForBeginning must return its value, not a promise"),
            ("() => 7", "itemsForBeginning returns an array of items, not number"),
            ("() => [7]", "an item of a drag is a string, or an object of texts by MIME type, not number"),
            (
                "() => [{ 'text/plain': 7 }]",
                "the form 'text/plain' of a dragged item is a string, not number"
            ),
        ]
    )
    func wrongItems(_ function: String, _ message: String) async throws {
        let views = try await Self.makeViews(drag: "itemsForBeginning: \(function),")
        #expect(try await Self.drag(views) == nil)
        #expect(views.errors.elements.count == 1)
        #expect(views.errors.elements.first?.contains(message) == true, "\(views.errors.elements)")
        try await views.run("names.length")
    }

    @Test(
        "a drop that the script refuses, or answers wrongly, changes nothing",
        arguments: [
            ("dropSessionDidUpdate: () => 'forbidden',", nil), ("canHandle: () => false,", nil),
            (
                "dropSessionDidUpdate: () => 'link',",
                "dropSessionDidUpdate returns 'copy', 'move', 'forbidden' or 'cancel'"
            ),
            ("dropSessionDidUpdate: () => { throw new Error('no place'); },", "no place"),
            ("canHandle: () => { throw new Error('no types'); },", "no types"),
        ] as [(String, String?)]
    )
    func refused(_ member: String, _ message: String?) async throws {
        let views = try await Self.makeViews(drop: member)
        #expect(try await Self.drag(views) == .cancel)
        await views.settle()
        #expect(try await views.texts("shelf") == ["one", "two"])
        #expect(views.notes.elements == ["end cancel"])
        #expect(views.errors.elements.count == (message == nil ? 0 : 1))
        if let message { #expect(views.errors.elements.first?.contains(message) == true) }
    }

    @Test(
        "a delegate without its function, or with another member, is refused",
        arguments: [
            ("dragDelegate: {}", "a dragDelegate has the function itemsForBeginning"),
            ("dropDelegate: { performDrop() {} }", "a dropDelegate has no member 'performDrop'"),
            ("dropDelegate: 7", "a dropDelegate is an object, not number"),
        ]
    )
    func wrongDelegates(_ option: String, _ message: String) async throws {
        let views = try ScriptViews()
        try await views.run(
            "try { bridge.collectionView({ source: [], \(option) }); } catch (error) { note(error.message); }"
        )
        #expect(views.notes.elements.first?.stringValue?.hasPrefix(message) == true)
    }

    @Test("a drop whose script ends before the data arrives is forgotten")
    func ended() async throws {
        let views = try await Self.makeViews()
        nonisolated(unsafe) var completion: ((Result<[UInt8], any Error>) -> Void)?
        try await views.bridge.withCollectionView("shelf") { owner in
            let provider = ItemProvider()
            provider.register("text/plain") { completion = $0 }
            let session = DropSession(items: [DragItem(itemProvider: provider)])
            _ = try owner.view.updateDrop(session, at: Point(x: 1, y: 0))
            #expect(try owner.view.performDrop(session) == .copy)
        }
        try await views.bridge.reload()
        completion?(.success(Array("late".utf8)))
        await views.settle()
        #expect(views.errors.elements.isEmpty)
    }
}
