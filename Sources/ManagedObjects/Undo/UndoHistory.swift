internal import Stores

/// A history of a context's changes, in groups that can be undone and redone, even after they were saved.
///
/// Every change of an object, with its consequences for other objects, is a group. Changes between
/// ``beginUndoGrouping()`` and ``endUndoGrouping()`` form one group. An undo is itself a change: it takes effect
/// immediately, and the next save saves it. If the deletion of an object was saved, an undo inserts the object again
/// with its former identity.
///
/// ```swift
/// context.undoHistory = UndoHistory()
/// author["name"] = .string("Stanisław Lem")
/// try context.undoHistory?.undo()
/// ```
public final class UndoHistory {
    private struct Group {
        var steps: [ContextChange]
        var name: String?
    }

    /// The maximum number of groups; 0 means no limit.
    public var levelsOfUndo: Int {
        didSet { trim() }
    }
    /// The nesting depth of open groups.
    public private(set) var groupingLevel = 0
    /// A Boolean value that indicates whether changes are registered; see ``disableUndoRegistration()`` and
    /// ``enableUndoRegistration()``.
    public var isUndoRegistrationEnabled: Bool { disabledLevel == 0 }

    weak var context: ManagedObjectContext?
    private var done: [Group] = []
    private var undone: [Group] = []
    private var open = Group(steps: [])
    private var disabledLevel = 0
    private var isWorking = false

    /// Creates an empty history.
    public init(levelsOfUndo: Int = 0) { self.levelsOfUndo = levelsOfUndo }

    /// A Boolean value that indicates whether there is a group to undo.
    public var canUndo: Bool { !done.isEmpty || !open.steps.isEmpty }
    /// A Boolean value that indicates whether there is a group to redo.
    public var canRedo: Bool { !undone.isEmpty }
    /// The name of the group that ``undo()`` would undo.
    public var undoActionName: String? { open.steps.isEmpty ? done.last?.name : open.name }
    /// The name of the group that ``redo()`` would redo.
    public var redoActionName: String? { undone.last?.name }

    // MARK: - Groups

    /// Opens a group; a nested group becomes part of the outer one.
    public func beginUndoGrouping() { groupingLevel += 1 }

    /// Closes a group.
    ///
    /// Closing a group that was not opened is a programming error and traps.
    public func endUndoGrouping() {
        precondition(groupingLevel > 0, "endUndoGrouping() without beginUndoGrouping()")
        groupingLevel -= 1
        if groupingLevel == 0 { close() }
    }

    /// Sets the name of the open group, or of the last group if none is open.
    public func setActionName(_ name: String) {
        if groupingLevel > 0 {
            open.name = name
        } else if !done.isEmpty {
            done[done.count - 1].name = name
        }
    }

    /// Stops the registration of changes until ``enableUndoRegistration()`` was called equally often.
    public func disableUndoRegistration() { disabledLevel += 1 }

    /// Reverts one call of ``disableUndoRegistration()``.
    public func enableUndoRegistration() {
        precondition(disabledLevel > 0, "enableUndoRegistration() without disableUndoRegistration()")
        disabledLevel -= 1
    }

    /// Removes all groups; open groups stay open.
    public func removeAllActions() {
        done = []
        undone = []
        open = Group(steps: [])
    }

    // MARK: - Undoing

    /// Undoes the last group.
    ///
    /// An open group is closed first, unless it has a nested open group. References to rows that others deleted are
    /// skipped. Does nothing if there is nothing to undo.
    ///
    /// - Throws: ``StoreError`` if nested groups are open, or if the store cannot be read; nothing is changed then.
    public func undo() throws {
        try requireNoInnerGroup("undo()")
        if groupingLevel == 1 { endUndoGrouping() }
        guard let group = done.popLast() else { return }
        do {
            undone.append(Group(steps: try takeBack(group.steps), name: group.name))
        } catch {
            done.append(group)
            throw error
        }
    }

    /// Redoes the group that was undone last.
    ///
    /// - Throws: The same errors as ``undo()``.
    public func redo() throws {
        try requireNoInnerGroup("redo()")
        guard groupingLevel == 0, let group = undone.popLast() else { return }
        do {
            done.append(Group(steps: try takeBack(group.steps), name: group.name))
        } catch {
            undone.append(group)
            throw error
        }
    }

    private func requireNoInnerGroup(_ method: String) throws {
        guard groupingLevel > 1 else { return }
        throw StoreError(.invalidRequest, "\(method) while \(groupingLevel) undo groups are open")
    }

    private func takeBack(_ steps: [ContextChange]) throws -> [ContextChange] {
        guard let context else { return [] }
        isWorking = true
        defer { isWorking = false }
        return try context.takeBack(steps)
    }

    // MARK: - Support for the context

    /// Registers the steps of a change.
    func register(_ steps: [ContextChange]) {
        guard !steps.isEmpty, isUndoRegistrationEnabled, !isWorking else { return }
        undone = []
        open.steps += steps
        if groupingLevel == 0 { close() }
    }

    private func close() {
        defer { open = Group(steps: []) }
        guard !open.steps.isEmpty else { return }
        done.append(open)
        trim()
    }

    private func trim() {
        guard levelsOfUndo > 0 else { return }
        if done.count > levelsOfUndo { done.removeFirst(done.count - levelsOfUndo) }
    }

    /// Replaces temporary identities with permanent ones.
    func rename(_ keys: [RowKey: Int64]) {
        guard !keys.isEmpty, let model = context?.model else { return }
        let renaming = KeyRenaming(keys: keys, model: model)
        func rename(_ groups: inout [Group]) {
            for index in groups.indices {
                groups[index].steps = groups[index].steps.map { renaming.renamed($0) }
            }
        }
        rename(&done)
        rename(&undone)
        open.steps = open.steps.map { renaming.renamed($0) }
    }
}

@available(*, unavailable)
extension UndoHistory: Sendable {}

/// A replacement of temporary identities with permanent ones.
struct KeyRenaming {
    let keys: [RowKey: Int64]
    let model: ModelPlan

    func renamed(_ step: ContextChange) -> ContextChange {
        switch step {
        case .value(let row, let attribute, let old, let new):
            let entity = model.entities[row.entity]
            return .value(
                renamed(row),
                attribute,
                old: renamed(old, attribute, entity),
                new: renamed(new, attribute, entity)
            )
        case .insertion(let row, let values): return .insertion(renamed(row), renamed(values, row.entity))
        case .deletion(let row, let values): return .deletion(renamed(row), renamed(values, row.entity))
        case .pair(let pair, let isAdded): return .pair(renamed(pair), isAdded: isAdded)
        }
    }

    func renamed(_ pair: PairKey) -> PairKey {
        let ends = model.pairEnds[pair.pairs]
        return PairKey(
            pairs: pair.pairs,
            first: renamed(RowKey(entity: ends[0], key: pair.first)).key,
            second: renamed(RowKey(entity: ends[1], key: pair.second)).key
        )
    }

    func renamed(_ row: RowKey) -> RowKey {
        RowKey(entity: row.entity, key: keys[row] ?? row.key)
    }

    func renamed(_ values: [AttributeValue], _ entity: Int) -> [AttributeValue] {
        values.enumerated().map { renamed($1, $0, model.entities[entity]) }
    }

    func renamed(_ value: AttributeValue, _ attribute: Int, _ entity: EntityPlan) -> AttributeValue {
        guard let relationship = entity.relationshipsByAttribute[attribute], let key = value.rowID, key < 0
        else {
            return value
        }
        let target = RowKey(entity: entity.relationships[relationship].target, key: key)
        return .integer(keys[target] ?? key)
    }
}

extension ManagedObjectContext {
    /// Reverts steps in reverse order.
    ///
    /// - Returns: The steps that were applied, which can be reverted in turn.
    func takeBack(_ done: [ContextChange]) throws -> [ContextChange] {
        try recording {
            let mark = recorder.steps.count
            // Rows that these steps restore may be referenced before they are restored.
            var returning: Set<RowKey> = []
            for case .deletion(let row, _) in done { returning.insert(row) }
            for step in done.reversed() {
                do {
                    guard try !refersToDeletedRow(step.inverse, returning), try !isThere(step.inverse) else {
                        continue
                    }
                    try carryOut(step.inverse)
                } catch let error as StoreError where error.code == .notFound {
                    // Others have deleted the row.
                    continue
                }
            }
            try agree(with: Array(recorder.steps[mark...]))
            return Array(recorder.steps[mark...])
        }
    }

    /// Returns whether a step would restore a row that exists, because a save did not delete it.
    private func isThere(_ step: ContextChange) throws -> Bool {
        guard case .insertion(let row, _) = step, deleted[row] == nil, !row.isTemporary else { return false }
        return try inserted[row] != nil || !isGone(row)
    }

    /// Makes one-to-one links agree after steps, because others may have changed one end.
    ///
    /// The steps' ends take precedence; other references to them are cleared.
    private func agree(with done: [ContextChange]) throws {
        func lead(_ row: RowKey, _ attribute: Int) throws -> Int64? {
            guard let object = present(row), !object.isDeleted else { return nil }
            return try unlessGone { try object.current(attribute) }?.rowID
        }
        func part(_ row: RowKey, _ attribute: Int, _ key: Int64, from back: (entity: Int, attribute: Int))
            throws
        {
            guard try lead(row, attribute) == key,
                try lead(RowKey(entity: back.entity, key: key), back.attribute) != row.key,
                let object = present(row)
            else { return }
            try assign(.null, at: attribute, of: object)
        }
        for case .value(let row, let attribute, let old, let new) in done {
            guard let back = model.oneToOne(row.entity, attribute) else { continue }
            let here = (row.entity, attribute)
            if let old = old.rowID {
                try part(RowKey(entity: back.entity, key: old), back.attribute, row.key, from: here)
            }
            if let new = new.rowID { try part(row, attribute, new, from: back) }
        }
        for case .insertion(let row, _) in done {
            for attribute in model.entities[row.entity].relationshipsByAttribute.keys {
                guard let back = model.oneToOne(row.entity, attribute), let key = try lead(row, attribute)
                else { continue }
                try part(row, attribute, key, from: back)
            }
        }
    }

    /// Returns whether a step would create a reference to a row that others deleted.
    private func refersToDeletedRow(_ step: ContextChange, _ returning: Set<RowKey>) throws -> Bool {
        func isGone(_ row: RowKey) throws -> Bool { try !returning.contains(row) && self.isGone(row) }
        switch step {
        case .insertion, .deletion, .pair(_, isAdded: false): return false
        case .pair(let pair, isAdded: true):
            let ends = model.pairEnds[pair.pairs]
            return try isGone(RowKey(entity: ends[0], key: pair.first))
                || isGone(RowKey(entity: ends[1], key: pair.second))
        case .value(let row, let attribute, _, let new):
            let plan = model.entities[row.entity]
            guard let relationship = plan.relationshipsByAttribute[attribute], let key = new.rowID else {
                return false
            }
            return try isGone(RowKey(entity: plan.relationships[relationship].target, key: key))
        }
    }

    private func isGone(_ row: RowKey) throws -> Bool {
        guard inserted[row] == nil, deleted[row] == nil else { return false }
        guard let object = present(row) else { return true }
        return try unlessGone { try object.readCommitted() } == nil
    }
}
