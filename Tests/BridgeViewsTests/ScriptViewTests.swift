import BridgeTesting
import BridgeViews
import CollectionViews
import DataSources
import Foundation
import JavaScriptBridge
import Testing

/// The work of scripts with their views: updates, scrolling, selection, delegates, actions, layouts, state.
@Suite struct ScriptViewTests {
    private func makeViews(_ options: String = "", unit: ViewUnit = .cell) async throws -> ScriptViews {
        let views = try ScriptViews(unit: unit)
        try await views.run(
            """
            globalThis.items = Array.from({ length: 100 }, (_, id) => ({ id, name: "row " + id }));
            globalThis.view = bridge.collectionView({ source: items, cell: item => item.name, \(options) });
            """
        )
        return views
    }

    @Test("U1-U5 V9 performBatchUpdates of a script is one batch, and its completion comes once")
    func batch() async throws {
        let views = try await makeViews()
        _ = try await views.texts()
        try await views.run(
            """
            view.performBatchUpdates(() => {
                items.splice(0, 1);
                items.splice(1, 0, { id: 200, name: "new" });
                view.deleteItems({ at: [{ section: 0, item: 0 }] });
                view.insertItems({ at: [[0, 1]] });
            }, { completion: finished => note(finished) });
            """
        )
        #expect(try await views.texts().prefix(4) == ["row 1", "new", "row 2", "row 3"])
        #expect(views.notes.elements == [true])
    }

    @Test("V9 a block that throws, or a broken rule, leaves the old state, and the script gets the sentence")
    func rejected() async throws {
        let views = try await makeViews()
        let before = try await views.texts()
        try await views.run(
            """
            try { view.performBatchUpdates(() => { view.deleteItems({ at: [[0, 0]] }); throw new Error("no"); }); } catch (error) { note(error.message); }
            try { view.performBatchUpdates(() => { view.deleteItems({ at: [[0, 0]] }); }); } catch (error) { note(error.message); }
            try { view.insertItems({ at: 3 }); } catch (error) { note(error.message); }
            try { view.scrollToItem({ at: [0, 500] }); } catch (error) { note(error.code); }
            """
        )
        #expect(try await views.texts() == before)
        let notes = views.notes.elements.map { $0.stringValue ?? "" }
        #expect(notes.first == "no")
        #expect(notes[1].contains("100"))
        #expect(notes[2] == "at is an array of paths, not number")
        #expect(notes[3] == "view.indexPathOutOfRange")
    }

    @Test("C10 V6 scrolling, visible paths, focus and selection have Swift's names")
    func scrolling() async throws {
        let views = try await makeViews(
            "delegate: { didSelectItemAt: path => note(path.item), shouldSelectItemAt: path => path.item !== 51 }"
        )
        try await views.run("view.scrollToItem({ at: { section: 0, item: 50 }, scrollPosition: 'top' });")
        #expect(try await views.texts().first == "row 50")
        #expect(try await views.value("view.indexPathsForVisibleItems[0].item") == 50)
        try await views.run(
            "view.selectItem({ at: [0, 3] }); view.focusItem({ at: [0, 52] }); note(view.indexPathsForSelectedItems.length);"
        )
        #expect(try await views.value("view.focusedIndexPath.item") == 52)
        // A selection of the program calls no delegate; that of the user does.
        try await views.bridge.withCollectionView("main") { owner in
            try owner.view.selectByUser(at: IndexPath(item: 51, section: 0))
            try owner.view.selectByUser(at: IndexPath(item: 53, section: 0))
        }
        await views.settle()
        #expect(views.notes.elements == [1, 53])
        #expect(
            try await views.value("view.indexPathsForSelectedItems.map(path => path.item).join()") == "53"
        )
    }

    @Test("C10 the options of a view have the rules of selection, which its properties change")
    func selectionRules() async throws {
        let views = try await makeViews("allowsMultipleSelection: true, allowsSelection: false")
        #expect(
            try await views.value("[view.allowsSelection, view.allowsMultipleSelection].join()")
                == "false,true"
        )
        try await views.bridge.withCollectionView("main") { owner in
            for item in 0..<2 { try owner.view.selectByUser(at: IndexPath(item: item, section: 0)) }
            #expect(owner.view.indexPathsForSelectedItems.count == 2)
        }
        try await views.run("view.allowsMultipleSelection = false;")
        try await views.bridge.withCollectionView("main") { owner in
            try owner.view.selectByUser(at: IndexPath(item: 2, section: 0))
            #expect(owner.view.indexPathsForSelectedItems.count == 2)
        }
    }

    @Test("the primary action, menus and details get the item and its path")
    func actions() async throws {
        let views = try await makeViews(
            """
            onPrimaryAction: (item, path, view) => note("open " + item.name + " " + path.item + " " + view.name),
            menu: item => [
                { title: "Copy", action: () => "copied " + item.name },
                { title: "Delete", isDestructive: true, isDisabled: item.id === 0, action: () => { throw new Error("not now"); } },
                { title: "Update", action: () => true },
            ],
            details: item => ["name: " + item.name, [["id: ", "secondary"], String(item.id)]],
            """
        )
        let path = IndexPath(item: 2, section: 0)
        let (menu, messages, details) = try await views.bridge.withCollectionView("main") { owner in
            #expect(try owner.view.performPrimaryAction(at: path))
            let menu = try owner.menu(at: path)
            let messages = try [0, 2].map { try owner.performAction(menu[$0].number, ofMenu: menu[$0].menu) }
            #expect(throws: (any Error).self) {
                try owner.performAction(menu[1].number, ofMenu: menu[1].menu)
            }
            return (menu, messages, try owner.details(at: path).map(\.string))
        }
        await views.settle()
        #expect(views.notes.elements == ["open row 2 2 main"])
        #expect(
            menu.map(\.title) == ["Copy", "Delete", "Update"] && menu[1].isDestructive && !menu[1].isDisabled
        )
        // Only a string is a message.
        #expect(messages == ["copied row 2", ""])
        #expect(details == ["name: row 2", "id: 2"])
    }

    @Test("V10 a batch that the primary action asks for is applied after it, and then calls its completion")
    func batchOfAction() async throws {
        let views = try ScriptViews()
        try await views.run(
            """
            globalThis.rows = ["a", "b", "c"];
            let isWrong = false;
            bridge.collectionView({
                name: "main", source: rows, cell: text => text,
                onPrimaryAction(text, path, view) {
                    const add = () => {
                        if (!isWrong) rows.unshift("new");
                        view.performBatchUpdates(() => view.insertItems({ at: [{ section: 0, item: 0 }] }), { completion: note });
                    };
                    if (text === "fail") {
                        view.performBatchUpdates(() => { throw new Error("no"); }, { completion: note });
                    } else {
                        view.performBatchUpdates(add, { completion: done => note("outer " + done) });
                        note("begun");
                    }
                },
            });
            globalThis.makeWrong = () => { isWrong = true; };
            """
        )
        func open(_ item: Int) async throws {
            try await views.bridge.withCollectionView("main") { owner in
                _ = try owner.view.makeFrame()
                #expect(try owner.view.performPrimaryAction(at: IndexPath(item: item, section: 0)))
            }
            await views.settle()
        }
        try await open(1)
        #expect(try await views.texts() == ["new", "a", "b", "c"])
        #expect(views.notes.elements == ["begun", "outer true", true])
        #expect(views.errors.elements == [])
        // A broken rule, and an error of the function, leave the view as it was.
        try await views.run("makeWrong();")
        try await open(1)
        #expect(views.notes.elements.dropFirst(3) == ["begun", "outer false", false])
        #expect(views.errors.elements.count == 1)
        try await views.run("rows[3] = 'fail';")
        try await open(3)
        #expect(try await views.texts().count == 4)
    }

    @Test("V10 each queued batch calls its own completion, and a terminated one keeps none from being called")
    func completionsOfBatches() async throws {
        let views = try ScriptViews(limit: .milliseconds(150))
        try await views.run(
            """
            globalThis.rows = ["a", "b"];
            globalThis.view = bridge.collectionView({
                name: "main", source: rows, cell: text => text,
                onPrimaryAction() {
                    view.performBatchUpdates(() => {
                        rows.push("c");
                        view.insertItems({ at: [{ section: 0, item: 2 }] });
                    }, { completion: done => note("first " + done) });
                    view.performBatchUpdates(() => { throw new Error("no"); }, { completion: done => note("second " + done) });
                },
            });
            """
        )
        try await views.bridge.withCollectionView("main") { owner in
            _ = try owner.view.makeFrame()
            #expect(try owner.view.performPrimaryAction(at: IndexPath(item: 0, section: 0)))
        }
        await views.settle()
        #expect(Set(views.notes.elements) == ["first true", "second false"])
        #expect(try await views.texts() == ["a", "b", "c"])
        await #expect(throws: (any Error).self) {
            try await views.run("view.performBatchUpdates(() => { for (;;); }, { completion: note });")
        }
        try await views.run(
            "view.performBatchUpdates(() => { view.performBatchUpdates(() => {}, { completion: note }); });"
        )
        #expect(views.notes.elements.last == true)
        #expect(views.notes.elements.count == 3)
    }

    @Test("a function of the delegate that never ends allows nothing, and keeps no row from being shown")
    func endlessDelegate() async throws {
        let views = try ScriptViews(limit: .milliseconds(150))
        try await views.run(
            """
            globalThis.isEndless = true;
            globalThis.view = bridge.collectionView({
                name: "main", source: { numberOfItems: 200, item: (s, i) => i }, cell: item => "row " + item,
                delegate: { shouldSelectItemAt() { while (isEndless); return true; } },
            });
            """
        )
        await #expect(throws: (any Error).self) {
            try await views.bridge.withCollectionView("main") { owner in
                _ = try owner.view.makeFrame()
                try owner.view.selectByUser(at: IndexPath(item: 1, section: 0))
                try owner.view.scrollToItem(at: IndexPath(item: 199, section: 0), at: .nearest)
                // A cell of the same turn, in which no script runs any more.
                _ = try? owner.view.makeFrame()
            }
        }
        try await views.bridge.withCollectionView("main") { owner in
            #expect(owner.view.indexPathsForSelectedItems.isEmpty)
        }
        #expect(try await views.texts().last == "row 199")
    }

    @Test("a change that a callback of the view makes allows its functions to be called again")
    func resumedByCallback() async throws {
        let views = try ScriptViews(limit: .milliseconds(150))
        try await views.run(
            """
            globalThis.isEndless = true;
            globalThis.view = bridge.collectionView({
                name: "main", source: [1, 2], cell: item => { while (isEndless); return "row " + item; },
                delegate: { didSelectItemAt() { isEndless = false; view.reloadData(); } },
            });
            """
        )
        for _ in 0..<2 { await #expect(throws: (any Error).self) { try await views.texts() } }
        try await views.bridge.withCollectionView("main") { owner in
            try owner.view.selectByUser(at: IndexPath(item: 1, section: 0))
        }
        #expect(try await views.texts() == ["row 1", "row 2"])
    }

    @Test(
        "a layout that never ends is stopped once, and is asked again after the script has changed the view"
    )
    func endlessLayout() async throws {
        let views = try ScriptViews(limit: .milliseconds(150))
        try await views.run(
            """
            globalThis.isEndless = false;
            globalThis.calls = 0;
            globalThis.view = bridge.collectionView({
                name: "main", source: [1, 2], cell: item => "row " + item,
                layout: {
                    collectionViewContentSize: { width: 40, height: 2 },
                    layoutAttributesForElements() {
                        calls++;
                        while (isEndless);
                        return [0, 1].map(item => this.layoutAttributesForItem({ at: { section: 0, item } }));
                    },
                    layoutAttributesForItem({ at }) {
                        return { indexPath: at, frame: { x: 0, y: at.item, width: 40, height: 1 } };
                    },
                },
            });
            """
        )
        #expect(try await views.texts() == ["row 1", "row 2"])
        try await views.run("isEndless = true; view.invalidateLayout(); calls = 0;")
        for _ in 0..<5 { await #expect(throws: (any Error).self) { try await views.texts() } }
        #expect(try await views.value("calls") == 1)
        try await views.run("isEndless = false; view.invalidateLayout();")
        #expect(try await views.texts() == ["row 1", "row 2"])
    }

    @Test(
        "the message of an action that returns a promise comes when the promise settles, and so does its error"
    )
    func laterActions() async throws {
        let views = try await makeViews(
            """
            onPrimaryAction: async item => { await gate.promise; return "opened " + item.name; },
            menu: item => [
                { title: "Copy", action: async () => { await gate.promise; return "copied " + item.name; } },
                { title: "Delete", action: async () => { await gate.promise; throw new Error("not now"); } },
                { title: "Update", action: () => ({ then(done) { gate.promise.then(() => done(true)); } }) },
            ]
            """
        )
        try await views.run("globalThis.gate = Promise.withResolvers();")
        let path = IndexPath(item: 2, section: 0)
        let ended = Recorder<String>()
        @Sendable func note(_ result: Result<String, BridgeError>) {
            switch result {
            case .success(let text): ended.add(text)
            case .failure(let error): ended.add("failed: \(error.message)")
            }
        }
        try await views.bridge.withCollectionView("main") { owner in
            let menu = try owner.menu(at: path)
            for action in menu {
                let message = try owner.performAction(action.number, ofMenu: action.menu, ended: note)
                #expect(message.isEmpty)
            }
            owner.setActionHandler(of: owner.view, note)
            try owner.view.performPrimaryAction(at: path)
        }
        await views.settle()
        #expect(ended.elements.isEmpty)
        let changes = views.changes.elements.count
        try await views.run("gate.resolve();")
        #expect(ended.elements.sorted() == ["", "copied row 2", "failed: not now", "opened row 2"])
        // A renderer makes another frame, and the error is reported as others are.
        #expect(views.changes.elements.count > changes)
        #expect(views.errors.elements == ["not now"])
    }

    @Test("a primary action that returns a string or throws has a message for its renderer alone")
    func primaryMessages() async throws {
        let views = try await makeViews(
            "onPrimaryAction: item => { if (item.id === 1) throw new Error('not now'); return 'opened ' + item.name; }"
        )
        let messages = try await views.bridge.withCollectionView("main") { owner in
            var messages: [String] = []
            let other = try owner.makeView(unit: .cell, frame: owner.view.frame)
            owner.setActionHandler(of: owner.view) { messages.append("first \($0)") }
            owner.setActionHandler(of: other) { result in
                messages.append((try? result.get()) ?? "failed")
            }
            for item in 0..<2 { try other.performPrimaryAction(at: IndexPath(item: item, section: 0)) }
            return messages
        }
        #expect(messages == ["opened row 0", "failed"])
        #expect(views.errors.elements == ["not now"])
    }

    @Test(
        "V18 a row of the script's array is moved where the delegate allows it, and the script is notified"
    )
    func reorder() async throws {
        let views = try await makeViews("delegate: { canMoveItemAt: path => path.item !== 1 }")
        try await views.bridge.withCollectionView("main") { owner in
            _ = try owner.view.makeFrame()
            #expect(try !owner.view.beginInteractiveMovementForItem(at: IndexPath(item: 1, section: 0)))
            #expect(try owner.view.beginInteractiveMovementForItem(at: IndexPath(item: 0, section: 0)))
            try owner.view.updateInteractiveMovementTarget(IndexPath(item: 2, section: 0))
            try owner.view.endInteractiveMovement()
        }
        #expect(try await views.texts().prefix(4) == ["row 1", "row 2", "row 0", "row 3"])
        #expect(try await views.value("items.slice(0, 4).map(item => item.id).join()") == "1,2,0,3")
    }

    @Test(
        "a delegate that throws, or answers with a promise, is reported, and asks as if it had no such function",
        arguments: [
            ("shouldSelectItemAt() { throw new Error('cannot say'); }", "cannot say"),
            (
                "async shouldSelectItemAt() { return false; }, async didSelectItemAt() {}",
                "shouldSelectItemAt must return its value, not a promise: a frame cannot wait"
            ),
        ]
    )
    func failingDelegate(_ functions: String, _ message: String) async throws {
        let views = try await makeViews("delegate: { \(functions) }")
        try await views.bridge.withCollectionView("main") { owner in
            try owner.view.selectByUser(at: IndexPath(item: 1, section: 0))
            #expect(owner.view.indexPathsForSelectedItems.count == 1)
        }
        #expect(views.errors.elements == [message])
    }

    // MARK: - Layouts

    @Test("C5 V1 a flow layout, a grid and a list by unit, from options of the script")
    func layouts() async throws {
        let views = try await makeViews(
            "layout: ({ unit, width }) => unit === 'cell' ? 'list' : { type: 'flow', itemSize: { width: 10, height: 8 }, minimumLineSpacing: 0, minimumInteritemSpacing: 0 }"
        )
        func frames() async throws -> [Rect] {
            try await views.bridge.withCollectionView("main") { owner in
                try owner.view.makeFrame().elements.map(\.attributes.frame)
            }
        }
        #expect(try await frames()[1] == Rect(x: 0, y: 1, width: 40, height: 1))
        try await views.bridge.withCollectionView("main") { try $0.setUnit(.pixel) }
        #expect(try await frames()[1] == Rect(x: 10, y: 0, width: 10, height: 8))
        try await views.run("view.setCollectionViewLayout({ type: 'grid', columns: 4, rowLength: 8 });")
        #expect(try await frames()[4] == Rect(x: 0, y: 8, width: 10, height: 8))
    }

    @Test(
        "a layout that cannot be is refused with a sentence, and the view keeps its layout",
        arguments: [
            ("{ type: 'spiral' }", "a layout's type is 'list', 'flow', 'grid' or 'compositional'"),
            ("{ type: 'list', rowHeight: 3 }", "a layout has no member 'rowHeight'"),
            ("{ type: 'list', rowLength: -1 }", "rowLength of a layout is a number from 0"),
            ("{ type: 'list', rowLength: 0 }", "the rowLength of a list is more than 0"),
            ("{ type: 'flow', itemSize: 3 }", "itemSize of a layout is { width, height }"),
            ("{ type: 'grid', columns: 0 }", "columns of a layout is an integer from 1"),
            ("{ type: 'list', scrollDirection: 'diagonal' }", "scrollDirection of a layout is"),
            ("7", "a layout is 'list', 'flow'"),
            ("() => { throw new Error('no layout'); }", "no layout"),
        ]
    )
    func wrongLayouts(_ layout: String, _ message: String) async throws {
        let views = try await makeViews()
        let before = try await views.texts()
        try await views.run(
            "try { view.setCollectionViewLayout(\(layout)); } catch (error) { note(error.message); }"
        )
        let note = try #require(views.notes.elements.first?.stringValue)
        #expect(note.hasPrefix(message))
        #expect(try await views.texts() == before)
    }

    private static let diagonal = """
        const diagonal = {
            prepare(view) { this.count = view.numberOfItems[0]; },
            get collectionViewContentSize() { return { width: 40, height: this.count * 2 }; },
            layoutAttributesForElements({ in: rect }) {
                const list = [];
                const first = Math.max(0, Math.floor(rect.y / 2)), end = Math.min(this.count, Math.ceil((rect.y + rect.height) / 2));
                for (let item = first; item < end; item++) list.push(this.layoutAttributesForItem({ at: { section: 0, item } }));
                return list;
            },
            layoutAttributesForItem({ at }) {
                return { indexPath: at, frame: { x: at.item % 10, y: at.item * 2, width: 5, height: 2 }, zIndex: at.item };
            },
        };
        """

    @Test(
        "C2 V1 a layout in JavaScript has the contract of CollectionLayout; far rows are asked for when they are near"
    )
    func customLayout() async throws {
        let views = try ScriptViews()
        try await views.run(
            """
            \(Self.diagonal)
            globalThis.calls = 0;
            const { layoutAttributesForElements } = diagonal;
            diagonal.layoutAttributesForElements = function (options) { calls++; return layoutAttributesForElements.call(this, options); };
            globalThis.view = bridge.collectionView({ source: { numberOfItems: 1000, item: (s, i) => i }, layout: diagonal });
            """
        )
        let first = try await views.bridge.withCollectionView("main") { owner in
            try owner.view.makeFrame().elements.map(\.attributes.frame)
        }
        let diagonal: [Rect] = (0..<5).map { Rect(x: Double($0), y: Double($0) * 2, width: 5, height: 2) }
        #expect(first == diagonal)
        for step in 0..<100 {
            try await views.bridge.withCollectionView("main") { owner in
                owner.view.contentOffset = Double(step)
                _ = try owner.view.makeFrame()
            }
        }
        let calls = try #require(try await views.value("calls").integerValue)
        #expect(calls <= 45)
        try await views.run("view.scrollToItem({ at: [0, 999], scrollPosition: 'bottom' });")
        #expect(try await views.texts().last == "999")
        #expect(try await views.value("view.layoutAttributesForItem({ at: [0, 7] }).frame.x") == 7)
    }

    @Test(
        "bad layouts in JavaScript: the frame fails with the sentence, and the next one is right",
        arguments: [
            ("frame.width = NaN", "NaN"), ("frame.height = -1", "negative size"),
            ("throw new Error('lost')", "lost"), ("while (true);", "time"),
            ("at.item = 5000", "5000"), ("frame = undefined", "is { x, y, width, height }"),
        ]
    )
    func badLayout(_ fault: String, _ message: String) async throws {
        let views = try ScriptViews(limit: .milliseconds(200))
        try await views.run(
            """
            globalThis.isBad = false;
            globalThis.view = bridge.collectionView({
                source: [1, 2, 3],
                layout: {
                    collectionViewContentSize: { width: 40, height: 30 },
                    layoutAttributesForElements: () => [0, 1, 2].map(item => {
                        let at = { section: 0, item }, frame = { x: 0, y: item * 2, width: 5, height: 2 };
                        if (isBad && item === 1) { \(fault); }
                        return { indexPath: at, frame };
                    }),
                },
            });
            """
        )
        #expect(try await views.texts() == ["1", "2", "3"])
        try await views.run("isBad = true; view.invalidateLayout();")
        let error = await #expect(throws: (any Error).self) { try await views.texts() }
        #expect("\(error.map { "\($0)" } ?? "")".contains(message))
        try await views.run("isBad = false; view.invalidateLayout();")
        #expect(try await views.texts() == ["1", "2", "3"])
    }

    // MARK: - State and life

    @Test(
        "S1 S3 the state of a view is saved by identities, and found again in another order and another unit"
    )
    func state() async throws {
        let views = try await makeViews()
        try await views.run(
            """
            view.scrollToItem({ at: [0, 40], scrollPosition: "top" });
            note(view.contentOffset);
            view.selectItem({ at: [0, 41] });
            globalThis.archive = view.saveState();
            items.reverse();
            view.reloadData();
            view.contentOffset = 0;
            note(view.restoreState(archive));
            """
        )
        #expect(views.notes.elements == [40, "anchor"])
        #expect(try await views.texts().first == "row 40")
        #expect(try await views.value("items[view.indexPathsForSelectedItems[0].item].id") == 41)
        try await views.bridge.withCollectionView("main") { try $0.setUnit(.pixel) }
        try await views.run("view.contentOffset = 0; view.restoreState(archive);")
        #expect(try await views.value("items[view.indexPathsForVisibleItems[0].item].id") == 40)
        try await views.run("try { view.restoreState('{}'); } catch (error) { note(error.message); }")
        #expect(views.notes.elements.count == 3)
    }

    @Test("a name belongs to one open view; a closed view is not found, and follows nothing")
    func names() async throws {
        let views = try await makeViews()
        try await views.run(
            "try { bridge.collectionView({ source: [] }); } catch (error) { note(error.message); }"
        )
        #expect(views.notes.elements.first?.stringValue?.contains("has the name 'main' already") == true)
        try await views.run("view.close(); bridge.collectionView({ source: ['again'] });")
        #expect(try await views.texts() == ["again"])
        await #expect(throws: BridgeError.self) {
            try await views.bridge.withCollectionView("other") { _ in }
        }
        let plain = try Bridge()
        await #expect(throws: BridgeError.self) { try await plain.collectionViewNames() }
    }

    @Test(
        "wrong options are errors that name the member",
        arguments: [
            ("undefined", "collectionView takes an object with a source, not undefined"),
            ("{}", "the source of a view is an array, a query"),
            ("{ source: 7 }", "the source of a view is an array, a query"),
            ("{ source: [], cell: 7 }", "cell is a function, not number"),
            ("{ source: [], delegate: 7 }", "a delegate is an object, not number"),
            ("{ source: [], name: '' }", "the name of a view is a string"),
            ("{ source: [], menu: [] }", "menu is a function, not an array"),
        ]
    )
    func wrongOptions(_ options: String, _ message: String) async throws {
        let views = try ScriptViews()
        try await views.run(
            "try { bridge.collectionView(\(options)); } catch (error) { note(error.message); }"
        )
        #expect(views.notes.elements.first?.stringValue?.hasPrefix(message) == true)
        #expect(try await views.bridge.collectionViewNames().isEmpty)
    }

    @Test(
        "V12 a second renderer has its own layout and offset, and the script's rows, selection and delegate"
    )
    func peers() async throws {
        let views = try await makeViews("delegate: { didSelectItemAt: path => note(path.item) }")
        let texts = try await views.bridge.withCollectionView("main") { owner -> [[String]] in
            let other = try owner.makeView(unit: .pixel, frame: Rect(x: 0, y: 0, width: 300, height: 56))
            owner.view.contentOffset = 10
            try other.selectByUser(at: IndexPath(item: 1, section: 0))
            #expect(owner.view.indexPathsForSelectedItems == other.indexPathsForSelectedItems)
            return [
                try owner.view.makeFrame().elements.map(\.content.text.string),
                try other.makeFrame().elements.map(\.content.text.string),
            ]
        }
        #expect(texts[0].first == "row 10" && texts[1] == ["row 0", "row 1"])
        await views.settle()
        #expect(views.notes.elements == [1])
    }

    @Test("the views of a context end with it: nothing keeps the bridge")
    func life() async throws {
        weak var bridge: Bridge?
        weak var view: CollectionView?
        do {
            let views = try await makeViews()
            bridge = views.bridge
            _ = try await views.texts()
            view = try await views.bridge.withCollectionView("main") { owner in Unchecked(view: owner.view) }
                .view
            #expect(view != nil)
        }
        while bridge != nil { await Task.yield() }
        while view != nil { await Task.yield() }
    }

    private struct Unchecked: @unchecked Sendable { weak var view: CollectionView? }
}

@Suite struct ViewDocumentationTests {
    @Test("the programs of the page about views in JavaScript run")
    func page() async throws {
        let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
        let page = try String(
            contentsOf: root.appending(path: "Sources/BridgeViews/BridgeViews.docc/ViewsFromJavaScript.md"),
            encoding: .utf8
        )
        let blocks = page.components(separatedBy: "```js\n").dropFirst()
            .map { $0.components(separatedBy: "\n```")[0] }
        #expect(blocks.count == 5)
        let views = try ScriptViews()
        try await views.run(
            """
            \(blocks[0].replacing("bridge.collectionView(", with: "globalThis.view = bridge.collectionView("))
            \(blocks[1])
            \(blocks[4])
            bridge.collectionView({ name: "grid", source: people, cell: person => person.name, \(blocks[2]) });
            bridge.collectionView({ name: "diagonal", source: people, cell: person => person.name, layout: diagonal });
            """
        )
        #expect(try await views.texts() == ["Ada", "Alan", "Grace"])
        #expect(try await views.texts("grid") == ["Ada", "Alan", "Grace"])
        #expect(try await views.texts("diagonal") == ["Ada", "Alan", "Grace"])
        try await views.run(blocks[3])
        let frames = try await views.bridge.withCollectionView("main") { owner in
            try owner.view.makeFrame().elements.map(\.attributes.frame)
        }
        #expect(
            frames == [
                Rect(x: 0, y: 0, width: 16, height: 8), Rect(x: 0, y: 8, width: 16, height: 8),
                Rect(x: 24, y: 0, width: 16, height: 8),
            ]
        )
        #expect(views.errors.elements.isEmpty)
    }
}
