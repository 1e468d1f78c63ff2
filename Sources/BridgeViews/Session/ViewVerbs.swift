internal import BridgeData
internal import BridgeValues
internal import CollectionViews
internal import DataSources
internal import Foundation
internal import JavaScriptBridge

/// The verbs and questions of scripts about their views, by name.
///
/// The first two arguments of a call are the view and the name; the script's half has checked the others.
enum ViewVerbs {
    private typealias Question = @Sendable (ScriptCollectionView, HostCall) throws -> Value
    private typealias Verb = @Sendable (ScriptCollectionView, HostCall) throws -> Void

    static func perform(_ name: String, on owner: ScriptCollectionView, _ call: HostCall) throws -> Value {
        if let answer = questions[name] {
            // A position that was requested is reached in the next layout pass. In a callback of the view, the answer is
            // that of the present pass; an error of the pass is thrown to the renderer, which repeats it.
            if asksForPositions.contains(name) { try? owner.view.layoutIfNeeded() }
            return try naming { try answer(owner, call) }
        }
        if let flag = flags[name] { return .bool(owner.view[keyPath: flag]) }
        guard let verb = verbs[name] else {
            preconditionFailure("the package's own script asked a view for '\(name)'")
        }
        if name == "performBatchUpdates", owner.view.isPerformingCallback, !owner.view.isCollectingBatch {
            return performLater(owner, call.jsValue(at: 2), call.jsValue(at: 3))
        }
        // An update of its own is a batch of its own, so that a broken rule is thrown. In a callback of the view it is
        // queued, and a broken rule is reported to the delegate.
        let view = owner.view
        let isUpdate = updates.contains(name)
        try naming {
            if isUpdate, !view.isPerformingCallback, !view.isCollectingBatch {
                try view.performBatchUpdates { try verb(owner, call) }
            } else {
                try verb(owner, call)
            }
        }
        owner.script.resumeFrames()
        // The pass that calls back sees the change itself; another frame for it would call back again.
        guard !view.isPerformingCallback else { return .undefined }
        if isUpdate || name == "performBatchUpdates", !view.isCollectingBatch {
            owner.updateSupplementaryViews()
        }
        owner.setNeedsDisplay()
        return .undefined
    }

    /// Queues a batch that a callback of the view asks for (V10).
    ///
    /// - Parameters:
    ///   - owner: The view.
    ///   - updates: The function that makes the changes.
    ///   - completion: The function that is called with whether they were applied.
    /// - Returns: `true`, by which the script's half knows that the batch is queued.
    private static func performLater(_ owner: ScriptCollectionView, _ updates: JSValue, _ completion: JSValue)
        -> Value
    {
        let finish: (Bool) -> Void = { [unowned owner] isApplied in
            _ = owner.ask {
                try completion.call(withArguments: [JSValue(.bool(isApplied), in: completion.context)])
                return .undefined
            }
            owner.updateSupplementaryViews()
            owner.setNeedsDisplay()
        }
        owner.view.performUpdatesWhenIdle({ try updates.call() }, completion: finish)
        return .bool(true)
    }

    /// Converts errors of views into errors with a code for scripts, such as `view.indexPathOutOfRange`.
    private static func naming<Result>(_ body: () throws -> Result) throws -> Result {
        do {
            return try body()
        } catch let error as CollectionViewError {
            throw BridgeError(BridgeErrorCode(rawValue: "view.\(error.code.rawValue)"), error.message)
        } catch let error as ChangeSetError {
            throw BridgeError(BridgeErrorCode(rawValue: "view.invalidUpdates"), "\(error)")
        } catch let error as StateArchiveError {
            throw BridgeError(BridgeErrorCode(rawValue: "state.unreadable"), error.description)
        }
    }

    private static let updates: Set<String> = [
        "insertItems", "deleteItems", "reloadItems", "reconfigureItems", "moveItem", "insertSections",
        "deleteSections", "reloadSections", "moveSection",
    ]

    // MARK: - Arguments

    /// Returns an index, or -1 for what is not one: a script can replace what the package's script checks with.
    private static func index(_ call: HostCall, _ place: Int) -> Int {
        Int(exactly: call.double(at: place)).map { (0...Int(Int32.max)).contains($0) ? $0 : -1 } ?? -1
    }

    private static func path(_ call: HostCall, from place: Int = 2) -> IndexPath {
        IndexPath(item: index(call, place + 1), section: index(call, place))
    }

    private static func kind(_ call: HostCall) -> String {
        ScriptElementKind.kind(named: call.string(at: 2) ?? "")
    }

    private static func flag(_ call: HostCall, _ place: Int) throws -> Bool {
        call.count > place ? try call.value(at: place) == true : false
    }

    private static func path(_ value: Value) -> IndexPath {
        IndexPath(item: limited(value[1]), section: limited(value[0]))
    }

    private static func limited(_ value: Value) -> Int {
        value.index.map { (0...Int(Int32.max)).contains($0) ? $0 : -1 } ?? -1
    }

    private static func paths(_ call: HostCall) throws -> [IndexPath] {
        try call.value(at: 2).arrayValue?.map { path($0) } ?? []
    }

    private static func sections(_ call: HostCall) throws -> IndexSet {
        IndexSet(try call.value(at: 2).arrayValue?.map { limited($0) }.filter { $0 >= 0 } ?? [])
    }

    private static func point(_ call: HostCall) -> Point {
        Point(x: call.double(at: 2), y: call.double(at: 3))
    }

    // MARK: - Properties

    /// The properties with a Boolean value, which the views of all renderers have in common.
    static let flags: [String: any ReferenceWritableKeyPath<CollectionView, Bool> & Sendable] = [
        "allowsSelection": \.allowsSelection,
        "allowsMultipleSelection": \.allowsMultipleSelection,
        "allowsSelectionDuringEditing": \.allowsSelectionDuringEditing,
        "allowsMultipleSelectionDuringEditing": \.allowsMultipleSelectionDuringEditing,
        "allowsFocus": \.allowsFocus,
        "allowsFocusDuringEditing": \.allowsFocusDuringEditing,
        "remembersLastFocusedIndexPath": \.remembersLastFocusedIndexPath,
        "selectionFollowsFocus": \.selectionFollowsFocus,
        "isEditing": \.isEditing,
        "isPrefetchingEnabled": \.isPrefetchingEnabled,
        "dragInteractionEnabled": \.dragInteractionEnabled,
    ]

    // MARK: - Questions

    private static let asksForPositions: Set<String> = [
        "bounds", "contentSize", "contentOffset", "indexPathsForVisibleItems", "indexPathForItem",
        "cellForItem", "layoutAttributesForItem", "supplementaryView",
        "indexPathsForVisibleSupplementaryElements", "layoutAttributesForSupplementaryElement", "saveState",
        "counters",
    ]

    private static let questions: [String: Question] = [
        "name": { owner, _ in .string(owner.name) },
        "title": { owner, _ in .string(owner.title) },
        "status": { owner, _ in .string(owner.status) },
        "unit": { owner, _ in .string(owner.unit.rawValue) },
        "bounds": { owner, _ in owner.view.bounds.value },
        "contentSize": { owner, _ in owner.view.contentSize.value },
        "contentOffset": { owner, _ in .number(owner.view.contentOffset) },
        "contentInset": { owner, _ in owner.view.contentInset.value },
        "backgroundView": { owner, _ in owner.background?.value ?? .undefined },
        "isDragging": { owner, _ in .bool(owner.view.isDragging) },
        "isDecelerating": { owner, _ in .bool(owner.view.isDecelerating) },
        "hasActiveDrag": { owner, _ in .bool(owner.view.hasActiveDrag) },
        "hasActiveDrop": { owner, _ in .bool(owner.view.hasActiveDrop) },
        "counters": { owner, _ in owner.view.counters.value },
        "lastError": { owner, _ in owner.lastError.map { .string($0.message) } ?? .undefined },
        "numberOfSections": { owner, _ in .index(owner.view.numberOfSections) },
        "numberOfItems": { owner, call in .index(owner.view.numberOfItems(inSection: index(call, 2))) },
        "isCollectingBatch": { owner, _ in .bool(owner.view.isCollectingBatch) },
        "indexPathsForVisibleItems": { owner, _ in .array(owner.view.visibleIndexPaths.map(\.value)) },
        "indexPathsForSelectedItems": { owner, _ in .array(owner.view.indexPathsForSelectedItems.map(\.value))
        },
        "focusedIndexPath": { owner, _ in owner.view.focusedIndexPath?.value ?? .undefined },
        "indexPathForItem": { owner, call in owner.view.indexPathForItem(at: point(call))?.value ?? .undefined
        },
        "cellForItem": { owner, call in owner.view.cellForItem(at: path(call))?.content.value ?? .undefined },
        "layoutAttributesForItem": { owner, call in
            owner.view.layoutAttributesForItem(at: path(call))?.value ?? .undefined
        },
        "supplementaryView": { owner, call in
            let view = owner.view.supplementaryView(forElementKind: kind(call), at: path(call, from: 3))
            return view?.content.value ?? .undefined
        },
        "indexPathsForVisibleSupplementaryElements": { owner, call in
            .array(owner.view.indexPathsForVisibleSupplementaryElements(ofKind: kind(call)).map(\.value))
        },
        "layoutAttributesForSupplementaryElement": { owner, call in
            owner.view.layoutAttributesForSupplementaryElement(ofKind: kind(call), at: path(call, from: 3))?
                .value ?? .undefined
        },
        "saveState": { owner, _ in
            let archive = try owner.rows.makeRestorableSource()
                .savedState(of: owner.view, marks: owner.view.restorableMarks)
            return .string(String(decoding: try archive.json(), as: UTF8.self))
        },
        "beginInteractiveMovementForItem": { owner, call in
            defer { owner.setNeedsDisplay() }
            return .bool(try owner.view.beginInteractiveMovementForItem(at: path(call)))
        },
        "restoreState": { owner, call in
            let json = Data((call.string(at: 2) ?? "").utf8)
            let source = try owner.rows.makeRestorableSource()
            let state = try source.restoredState(from: StateArchive(json: json), in: owner.view)
            guard let state else { return .undefined }
            owner.view.restore(state)
            owner.setNeedsDisplay()
            return .string(state.rule.rawValue)
        },
    ]

    // MARK: - Verbs

    private static let verbs: [String: Verb] = [
        "setTitle": { owner, call in owner.title = call.string(at: 2) ?? "" },
        "setStatus": { owner, call in owner.status = call.string(at: 2) ?? "" },
        "setFlag": { owner, call in
            guard let flag = flags[call.string(at: 2) ?? ""] else { return }
            let value = try Self.flag(call, 3)
            owner.forEachView { view, _ in view[keyPath: flag] = value }
        },
        "setContentInset": { owner, _ in try owner.replaceContentInset() },
        "setBackgroundView": { owner, call in
            let record = try call.value(at: 2)
            owner.background = record.isNil ? nil : CellContent(record)
        },
        "setContentOffset": { owner, call in
            owner.view.setContentOffset(call.double(at: 2), animated: try flag(call, 3))
        },
        "scrollRectToVisible": { owner, call in
            let record = try call.value(at: 2)
            let numbers = (0..<4).map { place in
                let number = record[place].doubleValue ?? 0
                return number.isNaN ? 0 : min(max(number, -1e12), 1e12)
            }
            let size = Size(width: max(0, numbers[2]), height: max(0, numbers[3]))
            let rect = Rect(origin: Point(x: numbers[0], y: numbers[1]), size: size)
            owner.view.scrollRectToVisible(rect, animated: try flag(call, 3))
        },
        "reloadData": { owner, _ in
            owner.rows.refresh()
            owner.view.reloadData()
            owner.loadCounts()
        },
        "performBatchUpdates": { owner, call in
            let updates = call.jsValue(at: 2)
            try owner.view.performBatchUpdates { try updates.call() }
        },
        "insertItems": { owner, call in owner.view.insertItems(at: try paths(call)) },
        "deleteItems": { owner, call in owner.view.deleteItems(at: try paths(call)) },
        "reloadItems": { owner, call in
            owner.rows.refresh()
            owner.view.reloadItems(at: try paths(call))
        },
        "reconfigureItems": { owner, call in
            owner.rows.refresh()
            owner.view.reconfigureItems(at: try paths(call))
        },
        "moveItem": { owner, call in
            owner.view.moveItem(at: path(try call.value(at: 2)), to: path(try call.value(at: 3)))
        },
        "insertSections": { owner, call in owner.view.insertSections(try sections(call)) },
        "deleteSections": { owner, call in owner.view.deleteSections(try sections(call)) },
        "reloadSections": { owner, call in
            owner.rows.refresh()
            owner.view.reloadSections(try sections(call))
        },
        "moveSection": { owner, call in owner.view.moveSection(index(call, 2), toSection: index(call, 3)) },
        "scrollToItem": { owner, call in
            let position = ScrollPosition(scriptName: call.string(at: 4) ?? "")
            try owner.view.scrollToItem(at: path(call), at: position, animated: try flag(call, 5))
        },
        "selectItem": { owner, call in
            try owner.view.selectItem(at: path(call), animated: try flag(call, 4))
        },
        "deselectItem": { owner, call in
            try owner.view.deselectItem(at: path(call), animated: try flag(call, 4))
        },
        "selectAllItems": { owner, _ in owner.view.selectAllItems() },
        "deselectAllItems": { owner, _ in owner.view.deselectAllItems() },
        "focusItem": { owner, call in try owner.view.focusItem(at: path(call)) },
        "setCollectionViewLayout": { owner, call in
            let completion = call.jsValue(at: 3)
            let object = completion.isObject ? ScriptFunctions(completion) : nil
            try owner.replaceLayout(
                animated: try flag(call, 2),
                completion: object.map { object in
                    { [weak owner] isShown in _ = owner?.ask { try object.ask("call", .bool(isShown)) } }
                }
            )
        },
        "invalidateLayout": { owner, _ in
            owner.forEachView { view, _ in view.collectionViewLayout.invalidateLayout() }
        },
        "updateInteractiveMovementTargetPosition": { owner, call in
            try owner.view.updateInteractiveMovementTargetPosition(point(call))
        },
        "endInteractiveMovement": { owner, _ in try owner.view.endInteractiveMovement() },
        "cancelInteractiveMovement": { owner, _ in owner.view.cancelInteractiveMovement() },
        "close": { owner, _ in owner.close() },
    ]
}
