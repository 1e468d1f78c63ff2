internal import BridgeValues
public import Stores

extension FetchedResultsController {
    /// What is called when changes begin to wait, on the committing thread: the place to schedule
    /// ``processPendingChanges()``.
    ///
    /// It is called once, and again only after the changes were taken. If some wait already, setting it calls
    /// it at once.
    public var changesPending: (@Sendable () -> Void)? {
        get { inbox.handler }
        set {
            inbox.setHandler(newValue)
            if newValue != nil { beginTracking() }
        }
    }

    /// Names rows of this entity that a commit touches although they did not change themselves, since they
    /// are shown with what changed; each of them that is shown is reported as an update.
    ///
    /// It is called on the committing thread, and must not use the store's writes. Rows that a request's own
    /// conditions and sort keys lead to are followed without this.
    public var relatedRows: (@Sendable (TransactionChanges) -> [RowID])? {
        get { inbox.relatedRows }
        set { inbox.relatedRows = newValue }
    }

    /// Takes in all commits since the last time, and tells the delegate and ``onChange`` of them as one
    /// change.
    ///
    /// It never recurses: called from a delivery it asks for another round, which begins when the present one
    /// has ended.
    ///
    /// - Returns: Whether something was delivered before this returned.
    /// - Complexity: O(k log n) for k changed rows of n; a section that comes or goes adds O(s) for s sections.
    @discardableResult
    public func processPendingChanges() -> Bool { processPendingChanges(upTo: nil) }

    /// Takes in the commits up to a version of the store, so that several controllers can go to the same one;
    /// `nil` is all.
    @discardableResult
    package func processPendingChanges(upTo version: Int?) -> Bool {
        guard !isDelivering else {
            isRoundRequested = true
            return false
        }
        var hasDelivered = false
        repeat {
            isRoundRequested = false
            hasDelivered = deliverRound(upTo: version) || hasDelivered
        } while isRoundRequested
        return hasDelivered
    }

    /// The newest version of the store whose changes were taken in or wait here.
    package var receivedVersion: Int { inbox.receivedVersion }

    /// Keeps a version that ``processPendingChanges(upTo:)`` can stop at, however many commits follow, until another one or
    /// none is given.
    ///
    /// - Returns: Whether it can stop there: not where commits on both sides of it were folded before.
    package func pin(_ version: Int?) -> Bool { inbox.pin(version) }

    /// What is fetched, made ready; `nil` before the first fetch.
    package var plan: FetchPlan? { content?.plan }

    /// Whether something waits to be taken in, if only another version.
    package var hasNews: Bool { isBehind || inbox.hasNews }

    /// Notes that the content was read inside a transaction, and is not what was committed.
    ///
    /// - Parameter isCommitted: Whether the transaction was; then the rows that changed are known.
    package func fallBehind(isCommitted: Bool) {
        isBehind = true
        knowsChangesBehind = isCommitted
    }

    /// Whether changes wait to be processed.
    package var hasPendingChanges: Bool { inbox.hasChanges }

    /// Whether what waits can be told only by asking the store, which has its newest version alone: changes were missed,
    /// or the request looks at related rows.
    ///
    /// Inside a read of the store the answer is of that read's version: who processes several controllers in one
    /// brings all of them to the same state.
    package var asksStoreForChanges: Bool {
        guard let plan = content?.plan else { return false }
        return isBehind || (plan.related == nil ? inbox.hasMissed : inbox.hasChanges)
    }

    /// Drops the content, since the store that it came from is not what it was; a fetch is needed again.
    ///
    /// The delegate hears ``FetchedResultsControllerDelegate/controllerDidInvalidateContent(_:)``, and a
    /// fetched data source passes it on as one `.all`.
    public func invalidate() {
        guard content != nil else { return }
        content = nil
        delegate?.controllerDidInvalidateContent(self)
    }

    // No step holds the content itself while the next one changes it: a second holder would make the change
    // copy the directory of leaves.
    private func deliverRound(upTo version: Int?) -> Bool {
        guard let plan = content?.plan else { return false }
        if isBehind { return catchUp(upTo: version) }
        guard var pending = inbox.take(upTo: version) else { return false }
        // Values of another shape than the plan's have no place in its order.
        if pending.isMissed || !pending.changes.allSatisfy(plan.fits) { return catchUp(upTo: version) }
        let changed = computedKeys == nil ? [] : Set(pending.changes.lazy.map(\.id))
        if let related = plan.related {
            guard let changes = try? relatedChanges(pending, related, upTo: version) else {
                return catchUp(upTo: version)
            }
            pending.changes = changes
        } else {
            addRelated(&pending)
        }
        if let computedKeys {
            guard let computed = try? computedKeys.extend(pending.changes, changed: changed, by: plan)
            else {
                // The rows' keys are not known, so nothing is guessed of their places.
                isBehind = true
                return false
            }
            pending.changes = computed
        }
        do {
            // The order of another state than that before the changes: nothing is guessed, all is read.
            guard let edits = try edits(pending.changes) else { return catchUp(upTo: version) }
            return deliver(edits, version: pending.version)
        } catch {
            // The turn has ended before the changes were taken in: whoever reads next takes in all.
            isBehind = true
            return false
        }
    }

    private func relatedChanges(
        _ pending: ChangeInbox.Taken,
        _ related: RelatedPlan,
        upTo limit: Int?
    ) throws -> [TransactionChanges.RowChange]? {
        guard let content else { return [] }
        var pending = pending
        pending.dependents.formUnion(pending.related)
        return try related.changes(of: pending, in: content, store: store, upTo: limit) {
            inbox.valuesBefore($0)
        }
    }

    private func edits(_ changes: [TransactionChanges.RowChange]) throws -> RowEdits? {
        guard let content else { return nil }
        return try RowEdits(changes, in: content)
    }

    private func transition(_ edits: borrowing RowEdits) -> FetchedTransition? {
        content.map { FetchedTransition(edits, old: $0) }
    }

    private func addRelated(_ pending: inout ChangeInbox.Taken) {
        guard !pending.related.isEmpty else { return }
        let changed = Set(pending.changes.map(\.id))
        let ids = pending.related.subtracting(changed).sorted()
        // What waits on is not taken in yet: the rows are those of the version that is told.
        guard let rows = try? rows(ids) else { return }
        for case let row? in rows {
            pending.changes.append(TransactionChanges.RowChange(id: row.id, old: row.values, new: row.values))
        }
    }

    private func deliver(_ edits: borrowing RowEdits, version: Int) -> Bool {
        guard let oldVersion = content?.version, var transition = transition(edits) else { return false }
        guard !transition.isEmpty else {
            carryOut(edits, version)
            return false
        }
        isDelivering = true
        defer { isDelivering = false }
        let audience = Audience(self)
        audience.willChange()
        carryOut(edits, version)
        guard let new = content else { return false }
        let found = transition.finish(new: new)
        audience.didChange(
            FetchedChanges(
                found,
                new.plan,
                oldVersion: oldVersion,
                newVersion: version,
                new.plan.related?.own(edits.changes) ?? edits.changes
            ),
            new
        )
        return true
    }

    private func carryOut(_ edits: borrowing RowEdits, _ version: Int) {
        content?.version = version
        if let related = content?.plan.related, var changing = content.take() {
            related.keep(edits.changes, in: &changing)
            content = changing
        }
        guard edits.movesRows, var changing = content.take() else { return }
        edits.apply(to: &changing)
        content = changing
    }

    // MARK: - By comparison

    /// Reads everything again where changes were missed, and tells the difference; any row that is still shown
    /// may have changed, so that each is told as an update.
    ///
    /// A store has its newest version alone. Where that is beyond the limit nothing is read: the content stays behind
    /// until it may go on.
    private func catchUp(upTo limit: Int?) -> Bool {
        guard let old = content else { return false }
        isBehind = true
        do {
            // Not by the old plan: its attributes may stand elsewhere by now.
            let plan = try makePlan(old.plan.request)
            guard let (new, changed) = try newest(plan, upTo: limit) else { return false }
            isBehind = false
            defer { if !isBehind { knowsChangesBehind = false } }
            return try deliver(replacing: old, by: new, changed: knowsChangesBehind ? changed : nil)
        } catch  where computedKeys?.failure != nil {
            // A script's key function failed: whoever reads is told, and the next time it is tried again.
            return false
        } catch  where WorkLimit.isOver {
            // The turn ended meanwhile, which says nothing of the store.
            isBehind = true
            return false
        } catch {
            // Nothing is known of the store any more.
            invalidate()
            return false
        }
    }

    private func newest(
        _ plan: FetchPlan,
        upTo limit: Int?
    ) throws -> (content: FetchedContent, changed: Set<RowID>)? {
        guard let limit else { return try fetch(plan) }
        return try store.read { transaction in
            transaction.version > limit ? nil : try fetch(plan)
        }
    }

    /// Shows another content and tells the difference, found by comparing all rows.
    ///
    /// - Parameters:
    ///   - old: What is shown.
    ///   - new: What will be.
    ///   - changed: The rows whose values changed; `nil` where any may have.
    /// - Returns: Whether there was a difference.
    /// - Throws: What ends work of this thread, and ``StoreError`` where the store gave one row twice; what is shown is
    ///   then as it was.
    func deliver(
        replacing old: FetchedContent,
        by new: FetchedContent,
        changed: Set<RowID>?
    ) throws -> Bool {
        let difference = try FetchedDifference(from: old, to: new, changed: changed)
        guard !difference.difference.isEmpty else {
            content = new
            return false
        }
        isDelivering = true
        defer { isDelivering = false }
        let audience = Audience(self)
        audience.willChange()
        content = new
        audience.didChange(
            FetchedChanges(difference, new.plan, oldVersion: old.version, newVersion: new.version, []),
            new
        )
        return true
    }
}
