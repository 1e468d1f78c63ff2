import BridgeTesting
import BridgeValues
import BridgeViews
import CollectionViews
import DataSources
import Foundation
import Testing

/// The properties, methods and functions of delegates that scripts have by the names of UIKit.
@Suite struct ScriptNameTests {
    private func makeViews(_ options: String = "", limit: Duration? = .seconds(60)) async throws
        -> ScriptViews
    {
        let views = try ScriptViews(limit: limit)
        try await views.run(
            """
            globalThis.items = Array.from({ length: 100 }, (_, id) => "row " + id);
            globalThis.view = bridge.collectionView({ source: items, header: () => "header", \(options) });
            """
        )
        return views
    }

    private func offset(_ views: ScriptViews) async throws -> Double {
        try await views.bridge.withCollectionView("main") { owner throws in
            let bounds = try owner.view.makeFrame().bounds
            return bounds.minY
        }
    }

    // MARK: - Properties

    @Test("the properties that are true or false are options, and those of each renderer")
    func flags() async throws {
        let views = try await makeViews(
            "allowsFocus: false, selectionFollowsFocus: true, allowsSelectionDuringEditing: 1"
        )
        let names = [
            "allowsSelection", "allowsMultipleSelection", "allowsSelectionDuringEditing",
            "allowsMultipleSelectionDuringEditing", "allowsFocus", "allowsFocusDuringEditing",
            "remembersLastFocusedIndexPath", "selectionFollowsFocus", "isEditing", "isPrefetchingEnabled",
            "dragInteractionEnabled",
        ]
        let list = "[\(names.map { "view.\($0)" }.joined(separator: ", "))].map(Number).join('')"
        #expect(try await views.value(list) == "10100101011")
        try await views.run(
            "\(names.map { "view.\($0) = !view.\($0);" }.joined()) view.dragInteractionEnabled = false;"
        )
        #expect(try await views.value(list) == "01011010100")
        try await views.bridge.withCollectionView("main") { owner throws in
            let other = try owner.makeView(unit: .cell, frame: owner.view.frame)
            #expect(other.allowsFocus && other.remembersLastFocusedIndexPath && other.isEditing)
            #expect(!other.isPrefetchingEnabled && !other.dragInteractionEnabled && !other.allowsSelection)
        }
        #expect(
            try await views.value(
                "[view.isDragging, view.isDecelerating, view.hasActiveDrag, view.hasActiveDrop].join()"
            ) == "false,false,false,false"
        )
    }

    @Test("contentInset is a length, edges, or chosen by the unit, and belongs to each renderer")
    func contentInset() async throws {
        let views = try await makeViews("contentInset: ({ unit }) => unit === 'cell' ? 2 : { top: 16 }")
        #expect(try await offset(views) == -2)
        #expect(
            try await views.value("Object.values(view.contentInset).join()") == "2,2,2,2"
        )
        try await views.run("view.scrollToItem({ at: [0, 99], scrollPosition: 'bottom' });")
        #expect(try await offset(views) == 101 + 2 - 10)
        let top = try await views.bridge.withCollectionView("main") { owner throws in
            try owner.makeView(unit: .pixel, frame: owner.view.frame).contentInset.top
        }
        #expect(top == 16)
        try await views.run("view.contentInset = { bottom: 5 }; view.contentOffset = 1000;")
        #expect(try await offset(views) == 101 + 5 - 10)
    }

    @Test(
        "a contentInset that cannot be is refused, and the view keeps its own",
        arguments: [
            ("'x'", "contentInset is a number, or { top, left, bottom, right }, not string"),
            ("{ top: NaN }", "the top of contentInset is a number, not NaN"),
            ("-1", "contentInset has lengths from 0 to 1,000,000,000, not -1"),
            ("{ left: Infinity }", "contentInset has lengths from 0 to 1,000,000,000, not Infinity"),
            ("() => { throw new Error('no inset'); }", "no inset"),
        ]
    )
    func wrongInset(_ inset: String, _ message: String) async throws {
        let views = try await makeViews("contentInset: 1")
        try await views.run(
            """
            try { view.contentInset = \(inset); } catch (error) { note(error.message); }
            try { bridge.collectionView({ name: "other", source: [], contentInset: \(inset) }); } catch (error) { note(error.message); }
            """
        )
        #expect(views.notes.elements.count == 2)
        for note in views.notes.elements {
            #expect(note.stringValue?.hasPrefix(message) == true, "\(note)")
        }
        try await views.bridge.withCollectionView("main") { owner throws in
            #expect(owner.view.contentInset.top == 1)
            #expect(try owner.makeView(unit: .cell, frame: owner.view.frame).contentInset.top == 1)
        }
        #expect(try await views.bridge.collectionViewNames() == ["main"])
    }

    @Test("backgroundView is the rearmost decoration of each renderer")
    func backgroundView() async throws {
        let views = try ScriptViews()
        try await views.run(
            """
            globalThis.view = bridge.collectionView({ source: [], backgroundView: [["no rows", "secondary"]] });
            note(view.backgroundView.text);
            """
        )
        #expect(try await views.texts() == ["no rows"])
        let other = try await views.bridge.withCollectionView("main") { owner throws in
            try owner.makeView(unit: .pixel, frame: owner.view.frame).makeFrame().elements.map(
                \.attributes.element.kind
            )
        }
        #expect(other == [CollectionView.elementKindBackground])
        try await views.run("view.backgroundView = null; note(view.backgroundView === undefined);")
        #expect(try await views.texts().isEmpty)
        try await views.run(
            """
            try { view.backgroundView = { txt: "x" }; } catch (error) { note(error.message); }
            try { bridge.collectionView({ name: "b", source: [], backgroundView: { txt: "x" } }); } catch (error) { note(error.message); }
            """
        )
        #expect(views.notes.elements.prefix(2) == ["no rows", true])
        for note in views.notes.elements.dropFirst(2) {
            #expect(note.stringValue?.hasPrefix("a content has no member 'txt'") == true, "\(note)")
        }
        #expect(try await views.bridge.collectionViewNames() == ["main"])
    }

    // MARK: - Methods

    @Test("scrolls of the script may be animated, and a rectangle or an offset is scrolled to")
    func scrolling() async throws {
        let views = try await makeViews("delegate: { didEndScrollingAnimation: offset => note(offset) }")
        _ = try await offset(views)
        func isAnimated() async throws -> Bool {
            try await views.bridge.withCollectionView("main") { owner throws in
                try owner.view.makeFrame().transitions.isAnimated
            }
        }
        try await views.run("view.setContentOffset(20, { animated: true });")
        #expect(try await isAnimated())
        #expect(try await offset(views) == 20)
        try await views.run("view.setContentOffset(30);")
        #expect(try await !isAnimated())
        try await views.run("view.scrollRectToVisible({ x: 0, y: 60, width: 1, height: 1 });")
        #expect(try await offset(views) == 51)
        try await views.run("view.scrollToItem({ at: [0, 9], scrollPosition: 'bottom', animated: true });")
        #expect(try await isAnimated())
        #expect(try await offset(views) == 1)
        await views.settle()
        #expect(views.notes.elements == [20, 1])
        try await views.run(
            """
            for (const wrong of [() => view.setContentOffset(NaN), () => view.scrollRectToVisible({ x: 0 })]) {
                try { wrong(); } catch (error) { note(error.message); }
            }
            """
        )
        #expect(
            views.notes.elements.suffix(2) == [
                "the offset of setContentOffset is a number, not NaN",
                "the rectangle of scrollRectToVisible.width is a number, not undefined",
            ]
        )
    }

    @Test("V19 setCollectionViewLayout calls its completion once the layout is shown, or was replaced")
    func layoutCompletion() async throws {
        let views = try await makeViews()
        _ = try await views.texts()
        try await views.run(
            """
            view.setCollectionViewLayout("grid", { completion: finished => note(["grid", finished]) });
            view.setCollectionViewLayout("list", { animated: true, completion: finished => note(["list", finished]) });
            """
        )
        #expect(views.notes.elements == [["grid", false]])
        let isAnimated = try await views.bridge.withCollectionView("main") { owner throws in
            try owner.view.makeFrame().transitions.isAnimated
        }
        #expect(isAnimated)
        await views.settle()
        #expect(views.notes.elements == [["grid", false], ["list", true]])
        try await views.run(
            "view.setCollectionViewLayout('grid', { completion() { throw new Error('late'); } });"
        )
        _ = try await views.texts()
        #expect(views.errors.elements == ["late"])
    }

    @Test("headers and footers are found by their kind, and the delegate is notified of them")
    func supplementaryViews() async throws {
        let views = try await makeViews(
            """
            delegate: {
                willDisplaySupplementaryView: ({ forElementKind, at }) => note(["will", forElementKind, at.section]),
                didEndDisplayingSupplementaryView: ({ forElementOfKind, at }) => note(["did", forElementOfKind, at.section]),
            },
            layout: { type: "list", sectionHeadersPinToVisibleBounds: false }
            """
        )
        _ = try await views.texts()
        try await views.run(
            """
            note(view.supplementaryView({ forElementKind: "header", at: [0, 0] }).text);
            note(view.indexPathsForVisibleSupplementaryElements({ ofKind: "header" }).length);
            const { kind, category, frame } = view.layoutAttributesForSupplementaryElement({ ofKind: "header", at: [0, 0] });
            note([kind, category, frame.height]);
            note(view.layoutAttributesForSupplementaryElement({ ofKind: "footer", at: [0, 0] }) ?? "none");
            try { view.supplementaryView({ at: [0, 0] }); } catch (error) { note(error.message); }
            view.contentOffset = 50;
            """
        )
        _ = try await views.texts()
        await views.settle()
        #expect(
            views.notes.elements == [
                ["will", "header", 0], "header", 1, ["header", "supplementary", 1], "none",
                "forElementKind is 'header', 'footer' or another kind, not undefined", ["did", "header", 0],
            ]
        )
    }

    // MARK: - Delegates

    @Test("the delegate chooses the offset after a batch and after a scroll of the user, and is notified")
    func scrollDelegate() async throws {
        let views = try await makeViews(
            """
            delegate: {
                targetContentOffsetForProposedContentOffset: offset => offset === 0 ? 7 : undefined,
                willBeginDragging: offset => note(["begin", offset]),
                willEndDragging: ({ withVelocity, targetContentOffset }) => { note(["end", withVelocity]); return Math.round(targetContentOffset / 10) * 10; },
                didEndDragging: ({ willDecelerate }) => note(["ended", willDecelerate]),
                didEndDecelerating: offset => note(["rest", offset]),
            }
            """
        )
        _ = try await offset(views)
        try await views.run("view.setCollectionViewLayout('list');")
        #expect(try await offset(views) == 7)
        let target = try await views.bridge.withCollectionView("main") { owner throws in
            owner.view.beginDragging()
            owner.view.contentOffset = 8
            let target = owner.view.endDragging(withVelocity: 10)
            owner.view.contentOffset = target
            owner.view.endDecelerating()
            return target
        }
        #expect(target == 10)
        await views.settle()
        #expect(
            views.notes.elements == [["begin", 7], ["end", 10], ["ended", true], ["rest", 10]]
        )
        #expect(views.errors.elements.isEmpty)
    }

    @Test("the delegate decides about the focus of the user, what it selects, and what is edited")
    func focusDelegate() async throws {
        let views = try await makeViews(
            """
            delegate: {
                indexPathForPreferredFocusedView: () => [0, 3],
                shouldUpdateFocusIn: ({ nextFocusedIndexPath }) => nextFocusedIndexPath.item !== 4,
                didUpdateFocusIn: ({ previouslyFocusedIndexPath, nextFocusedIndexPath }) => note([previouslyFocusedIndexPath?.item ?? "none", nextFocusedIndexPath.item]),
                selectionFollowsFocusForItemAt: path => path.item === 5,
                canEditItemAt: path => path.item !== 0,
            }
            """
        )
        try await views.bridge.withCollectionView("main") { owner throws in
            let view = owner.view
            #expect(try view.focusByUser() == IndexPath(item: 3, section: 0))
            #expect(try !view.focusByUser(at: IndexPath(item: 4, section: 0)))
            #expect(try view.focusByUser(at: IndexPath(item: 5, section: 0)))
            #expect(view.indexPathsForSelectedItems == [IndexPath(item: 5, section: 0)])
            view.isEditing = true
            _ = try view.makeFrame()
            #expect(view.visibleCells.prefix(2).map(\.configurationState.isEditing) == [false, true])
        }
        await views.settle()
        #expect(views.notes.elements == [["none", 3], [3, 5]])
    }

    @Test("the delegate allows a selection of neighbouring items, and is notified of its begin and end")
    func multipleSelection() async throws {
        let views = try await makeViews(
            """
            allowsMultipleSelection: true,
            delegate: {
                shouldBeginMultipleSelectionInteractionAt: path => path.item > 0,
                didBeginMultipleSelectionInteractionAt: path => note(path.item),
                didEndMultipleSelectionInteraction: own => note(own === view),
            }
            """
        )
        try await views.bridge.withCollectionView("main") { owner throws in
            #expect(try !owner.view.beginMultipleSelectionInteraction(at: IndexPath(item: 0, section: 0)))
            #expect(try owner.view.beginMultipleSelectionInteraction(at: IndexPath(item: 1, section: 0)))
            try owner.view.updateMultipleSelectionInteraction(to: IndexPath(item: 3, section: 0))
            owner.view.endMultipleSelectionInteraction()
            #expect(owner.view.indexPathsForSelectedItems.count == 3)
        }
        await views.settle()
        #expect(views.notes.elements == [1, true])
    }

    @Test(
        "an answer that cannot be is reported, and the default applies",
        arguments: [
            (
                "targetContentOffsetForProposedContentOffset: () => 'top'",
                "the answer of targetContentOffsetForProposedContentOffset is a number, not string"
            ),
            (
                "async targetContentOffsetForProposedContentOffset() { return 5; }",
                "targetContentOffsetForProposedContentOffset must return its value, not a promise"
            ),
            (
                "targetContentOffsetForProposedContentOffset: () => NaN",
                "the answer of targetContentOffsetForProposedContentOffset is a number, not NaN"
            ),
            ("willEndDragging() { throw new Error('no target'); }", "no target"),
            (
                "indexPathForPreferredFocusedView: () => 7",
                "the answer of indexPathForPreferredFocusedView is a path"
            ),
            ("selectionFollowsFocusForItemAt() { throw new Error('no rule'); }", "no rule"),
        ]
    )
    func wrongAnswers(_ function: String, _ message: String) async throws {
        let views = try await makeViews("delegate: { \(function) }")
        _ = try await offset(views)
        try await views.run("view.setCollectionViewLayout('list');")
        #expect(try await offset(views) == 0)
        try await views.bridge.withCollectionView("main") { owner throws in
            #expect(try owner.view.focusByUser() == IndexPath(item: 0, section: 0))
            #expect(owner.view.indexPathsForSelectedItems.isEmpty)
            owner.view.beginDragging()
            #expect(owner.view.endDragging(withVelocity: 0) == 0)
        }
        #expect(views.errors.elements.count == 1)
        #expect(views.errors.elements.first?.hasPrefix(message) == true, "\(views.errors.elements)")
    }

    @Test("a function about the focus that never ends allows nothing, and the rows are shown")
    func endless() async throws {
        let views = try await makeViews(
            "delegate: { shouldUpdateFocusIn() { while (globalThis.isEndless); return true; } }",
            limit: .milliseconds(150)
        )
        try await views.run("globalThis.isEndless = true;")
        await #expect(throws: (any Error).self) {
            try await views.bridge.withCollectionView("main") { owner throws in
                #expect(try !owner.view.focusByUser(at: IndexPath(item: 1, section: 0)))
                #expect(owner.view.focusedIndexPath == nil)
            }
        }
        #expect(try await views.texts().contains("row 8"))
    }

    // MARK: - Layouts of scripts

    @Test("C3 a layout in JavaScript has transforms, and attributes for what appears and disappears")
    func customLayout() async throws {
        let views = try ScriptViews()
        try await views.run(
            """
            globalThis.items = ["a", "b"];
            const frame = item => ({ x: 0, y: item, width: 40, height: 1 });
            globalThis.view = bridge.collectionView({
                source: items,
                layout: {
                    collectionViewContentSize: { width: 40, height: 10 },
                    layoutAttributesForElements() { return items.map((_, item) => this.layoutAttributesForItem({ at: [0, item] })); },
                    layoutAttributesForItem: ({ at }) => ({ indexPath: at, frame: frame(at.item ?? at[1]), transform: [1, 0, 0, 1, 2, 0] }),
                    initialLayoutAttributesForAppearingItem: ({ at }) => ({ indexPath: at, frame: frame(9), alpha: 0 }),
                    finalLayoutAttributesForDisappearingItem({ at }) { if (at.item === 0) throw new Error("no end"); },
                },
            });
            """
        )
        let matrix = try await views.bridge.withCollectionView("main") { owner throws in
            try owner.view.makeFrame().elements.map(\.attributes.transform.matrix)
        }
        #expect(matrix == [[1, 0, 0, 1, 2, 0], [1, 0, 0, 1, 2, 0]])
        #expect(try await views.value("view.layoutAttributesForItem({ at: [0, 0] }).transform[4]") == 2)
        try await views.run(
            """
            view.performBatchUpdates(() => {
                items.splice(0, 1, "c");
                view.deleteItems({ at: [[0, 0]] });
                view.insertItems({ at: [[0, 0]] });
            });
            """
        )
        let initial = try await views.bridge.withCollectionView("main") { owner throws in
            try owner.view.makeFrame().transitions.initial.values.map { [$0.frame.minY, $0.alpha] }
        }
        #expect(initial == [[9, 0]])
        #expect(views.errors.elements == ["no end"])
    }

    @Test("V18 a layout in JavaScript chooses the path of an item that a pointer moves, and its attributes")
    func movement() async throws {
        let views = try await makeViews(
            """
            layout: {
                collectionViewContentSize: { width: 40, height: 100 },
                layoutAttributesForElements: () => items.map((_, item) => ({ indexPath: [0, item], frame: { x: 0, y: item, width: 40, height: 1 } })),
                layoutAttributesForItem: ({ at }) => ({ indexPath: at, frame: { x: 0, y: at.item, width: 40, height: 1 } }),
                targetIndexPath: ({ forInteractivelyMovingItem, withPosition }) => withPosition.y < 5 ? { section: 0, item: 5 } : undefined,
                layoutAttributesForInteractivelyMovingItem: ({ at, withTargetPosition }) => ({ indexPath: at, frame: { x: withTargetPosition.x, y: 0, width: 40, height: 1 } }),
            },
            delegate: { moveItemAt() {} }
            """
        )
        try await views.bridge.withCollectionView("main") { owner throws in
            _ = try owner.view.makeFrame()
            #expect(try owner.view.beginInteractiveMovementForItem(at: IndexPath(item: 0, section: 0)))
            try owner.view.updateInteractiveMovementTargetPosition(Point(x: 3, y: 2.5))
            #expect(owner.view.interactivelyMovingIndexPath == IndexPath(item: 5, section: 0))
            let moving = try owner.view.makeFrame().elements.first {
                $0.attributes.indexPath == IndexPath(item: 5, section: 0)
            }
            #expect(moving?.attributes.frame.minX == 3)
            try owner.view.updateInteractiveMovementTargetPosition(Point(x: 3, y: 7.5))
            #expect(owner.view.interactivelyMovingIndexPath == IndexPath(item: 7, section: 0))
            owner.view.cancelInteractiveMovement()
        }
        #expect(views.errors.elements.isEmpty, "\(views.errors.elements)")
    }
}
