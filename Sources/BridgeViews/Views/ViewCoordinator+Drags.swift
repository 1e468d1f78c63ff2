internal import BridgeValues
internal import CollectionViews
internal import DataSources
internal import Foundation
internal import JavaScriptBridge

extension ViewCoordinator: CollectionViewDragDelegate {
    func collectionView(
        _ collectionView: CollectionView,
        itemsForBeginning session: DragSession,
        at indexPath: IndexPath
    ) -> [DragItem] { dragItems("itemsForBeginning", indexPath) }

    func collectionView(
        _ collectionView: CollectionView,
        itemsForAddingTo session: DragSession,
        at indexPath: IndexPath
    ) -> [DragItem] { dragItems("itemsForAddingTo", indexPath) }

    private func dragItems(_ function: String, _ path: IndexPath) -> [DragItem] {
        guard let owner, owner.has(function) else { return [] }
        let answer = owner.ask {
            try owner.script.ask("dragItems", .string(function), .index(path.section), .index(path.item))
        }
        return (answer?.arrayValue ?? []).map { item in
            let provider = ItemProvider()
            let forms = (item.arrayValue ?? []).map { $0.stringValue ?? "" }
            for index in stride(from: 0, to: forms.count - 1, by: 2) {
                let text = forms[index + 1]
                provider.register(forms[index]) { $0(.success(Array(text.utf8))) }
            }
            return DragItem(itemProvider: provider)
        }
    }

    func collectionView(_ collectionView: CollectionView, dragSessionWillBegin session: DragSession) {
        _ = askDrag("dragSessionWillBegin")
    }

    func collectionView(_ collectionView: CollectionView, dragSessionDidEnd session: DragSession) {
        let operation = session.operation ?? .cancel
        _ = askDrag("dragSessionDidEnd", .string(operation.scriptName))
    }

    func collectionView(
        _ collectionView: CollectionView,
        dragSessionAllowsMoveOperation session: DragSession
    ) -> Bool { allows(askDrag("dragSessionAllowsMoveOperation")) }

    func collectionView(
        _ collectionView: CollectionView,
        dragSessionIsRestrictedToDraggingApplication session: DragSession
    ) -> Bool { askDrag("dragSessionIsRestrictedToDraggingApplication")?.boolValue ?? false }

    /// Asks a function of the script's drag delegate; `nil` without the function, or if it failed.
    private func askDrag(_ name: String, _ value: Value = .undefined) -> Value? {
        guard let owner, owner.has(name) else { return nil }
        return owner.ask { try owner.script.ask("askDrag", .string(name), value) }
    }
}

extension ViewCoordinator: CollectionViewDropDelegate {
    func collectionView(_ collectionView: CollectionView, canHandle session: DropSession) -> Bool {
        guard let owner, owner.has("canHandle") else { return true }
        // What the script refuses by an error is not taken either.
        return owner.ask { try owner.script.ask("canHandle", session.types) }?.boolValue ?? false
    }

    func collectionView(_ collectionView: CollectionView, dropSessionDidEnter session: DropSession) {
        report("dropSessionDidEnter", session)
    }

    func collectionView(_ collectionView: CollectionView, dropSessionDidExit session: DropSession) {
        report("dropSessionDidExit", session)
    }

    func collectionView(_ collectionView: CollectionView, dropSessionDidEnd session: DropSession) {
        report("dropSessionDidEnd", session)
    }

    private func report(_ name: String, _ session: DropSession) {
        guard let owner, owner.has(name) else { return }
        _ = owner.ask { try owner.script.ask("reportDrop", .string(name), session.types) }
    }

    func collectionView(
        _ collectionView: CollectionView,
        dropSessionDidUpdate session: DropSession,
        withDestinationIndexPath destinationIndexPath: IndexPath?
    ) -> DropProposal {
        guard let owner, owner.has("dropSessionDidUpdate") else { return Self.proposal(.copy) }
        let answer = owner.ask {
            try owner.script.ask("proposal", session.types, destinationIndexPath?.value ?? .undefined)
        }
        let operation = DropOperation.allCases.first { $0.scriptName == answer?.stringValue }
        return Self.proposal(operation ?? .forbidden)
    }

    private static func proposal(_ operation: DropOperation) -> DropProposal {
        DropProposal(
            operation: operation,
            intent: operation.isAccepted ? .insertAtDestinationIndexPath : .unspecified
        )
    }

    func collectionView(_ collectionView: CollectionView, performDropWith coordinator: DropCoordinator) {
        guard let owner else { return }
        _ = owner.ask {
            let script = try owner.script.value
            let context = script.context
            let drop: Value = [
                "operation": .string(coordinator.proposal.operation.scriptName),
                "destination": coordinator.destinationIndexPath?.value ?? .undefined,
                "items": .array(
                    coordinator.items.map { item in
                        [
                            "types": .array(item.dragItem.itemProvider.registeredTypes.map { .string($0) }),
                            "path": item.sourceIndexPath?.value ?? .undefined,
                        ]
                    }
                ),
            ]
            let load = Self.loader(of: coordinator.items.map(\.dragItem), in: context)
            try context.withTurn {
                _ = try script.invokeMethod("performDrop", withArguments: [JSValue(drop, in: context), load])
            }
            return .undefined
        }
        owner.setNeedsDisplay()
    }

    /// Returns a function that loads the text of one form of an item, and settles a promise of the script with it.
    private static func loader(of items: [DragItem], in context: JSContext) -> JSValue {
        context.makeHostFunction { call in
            let settling = ScriptFunctions(call.jsValue(at: 2))
            let type = call.string(at: 1) ?? ""
            guard let index = Int(exactly: call.double(at: 0)), items.indices.contains(index) else {
                return .undefined
            }
            items[index].itemProvider.loadData(ofType: type) { result in
                // After a reload of the bridge, nothing waits for the text.
                _ = try? settling.settle(result.flatMap { .text(of: $0, type) })
            }
            return .undefined
        }
    }
}

extension Result<String, any Error> {
    /// Returns bytes as text, or an error for bytes that are not UTF-8.
    fileprivate static func text(of bytes: [UInt8], _ type: String) -> Self {
        guard let text = String(validating: bytes, as: UTF8.self) else {
            return .failure(BridgeError(.decodeFailed, "the form of the type \"\(type)\" is not UTF-8 text"))
        }
        return .success(text)
    }
}

extension ScriptFunctions {
    /// Resolves or rejects a promise of the script.
    fileprivate func settle(_ result: Result<String, any Error>) throws {
        switch result {
        case .success(let text): _ = try ask("resolve", .string(text))
        case .failure(let error): _ = try ask("reject", .string("\(error)"))
        }
    }
}

extension DropSession {
    /// The MIME types of the items, each once.
    fileprivate var types: Value {
        var seen: Set<String> = []
        let types = items.flatMap(\.itemProvider.registeredTypes)
        return .array(types.filter { seen.insert($0).inserted }.map { .string($0) })
    }
}

extension DropOperation {
    /// The name of the operation for scripts.
    fileprivate var scriptName: String {
        switch self {
        case .cancel: "cancel"
        case .forbidden: "forbidden"
        case .copy: "copy"
        case .move: "move"
        }
    }
}
