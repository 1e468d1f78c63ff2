internal import BridgeValues
public import Stores

extension FetchedResultsController {
    /// A closure that is called on the committing thread when changes become pending, to schedule
    /// ``processPendingChanges()``.
    ///
    /// The closure is called once, and again only after the changes were processed. If changes are pending already,
    /// setting it calls it immediately.
    public var changesPending: (@Sendable () -> Void)? {
        get { inbox.handler }
        set {
            inbox.setHandler(newValue)
            if newValue != nil { beginTracking() }
        }
    }

    /// A closure that returns rows of this entity that a commit affects although they did not change themselves,
    /// because they are displayed with changed rows.
    ///
    /// Each of them in the results is reported as an update.
    ///
    /// The closure is called on the committing thread, and must not write to the store. Rows on the key paths of the
    /// request's own conditions and sort keys are followed without it.
    public var relatedRows: (@Sendable (TransactionChanges) -> [RowID])? {
        get { inbox.relatedRows }
        set { inbox.relatedRows = newValue }
    }

    /// Applies all commits since the last call, and reports them to the delegate and ``onChange`` as one change.
    ///
    /// The method never recurses. Called from a delivery, it requests another round, which begins when the present one
    /// has ended.
    ///
    /// - Returns: Whether there was a delivery before this method returned.
    /// - Complexity: O(k log n) for k changed rows of n; an inserted or deleted section adds O(s) for s sections.
    @discardableResult
    public func processPendingChanges() -> Bool {
        guard !rounds.requestIfDelivering() else { return false }
        var hasDelivered = false
        repeat {
            rounds.beginRound()
            hasDelivered = nextDifference(upTo: agreement?.version) != nil || hasDelivered
        } while rounds.needsRound
        return hasDelivered
    }

    /// The newest version of the store whose changes were applied or are pending here.
    package var receivedVersion: Int { inbox.receivedVersion }

    /// Returns whether the controller can show a version: commits on both sides of it have not been folded into one.
    package func canStop(at version: Int) -> Bool { inbox.canStop(at: version) }

    /// The prepared request, or `nil` before the first fetch.
    package var plan: FetchPlan? { content?.plan }

    /// A Boolean value that indicates whether there is anything to apply, even if only a new version.
    package var hasUpdates: Bool { standing != .current || inbox.hasNewVersion }

    /// Marks the content as one that may never have been committed, so that the store must be read.
    ///
    /// - Parameter knowsChangedRows: Whether all rows that have changed since the content was read are pending.
    package func markUncommitted(knowsChangedRows: Bool) {
        standing = .behind(knowsChangedRows: knowsChangedRows)
    }

    /// A Boolean value that indicates whether changes wait to be processed.
    package var hasPendingChanges: Bool { inbox.hasChanges }

    /// A Boolean value that indicates whether pending changes can be determined only by reading the store: changes were
    /// missed, or the request uses related rows.
    ///
    /// The store has its newest version only. Inside a read of the store the answer has that read's version. A caller
    /// that processes several controllers in one read brings all of them to the same state.
    package var needsStoreForChanges: Bool {
        guard let plan = content?.plan else { return false }
        return standing != .current || (plan.related == nil ? inbox.hasMissed : inbox.hasChanges)
    }

    /// Drops the content because the store's data was replaced; a new fetch is needed.
    ///
    /// The delegate receives ``FetchedResultsControllerDelegate/controllerDidInvalidateContent(_:)``, and a fetched
    /// data source passes it on as one `.all`.
    public func invalidate() {
        guard content != nil else { return }
        content = nil
        delegate?.controllerDidInvalidateContent(self)
    }

    /// Applies the pending commits up to a version, or all for `nil`, reports them, and returns them as one difference.
    ///
    /// - Returns: The difference; `nil` if nothing that is displayed changed, or from within a delivery.
    package func nextDifference(upTo version: Int?) -> Difference? {
        // No step retains the content while the next one changes it, because a second reference would force a copy of
        // the directory of leaves.
        guard !rounds.isDelivering, let plan = content?.plan else { return nil }
        if standing != .current { return catchUp(upTo: version) }
        guard var pending = inbox.take(upTo: version) else { return nil }
        // Values of another shape than the plan's have no position in its order.
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
                // The rows' keys are unknown, so their positions are unknown too.
                standing = .behind(knowsChangedRows: false)
                return nil
            }
            pending.changes = computed
        }
        do {
            // If the order is not the state before the changes, everything is read again.
            guard let edits = try edits(pending.changes) else { return catchUp(upTo: version) }
            return deliver(edits, version: pending.version)
        } catch {
            // The turn ended before the changes were applied. The next read applies them all.
            standing = .behind(knowsChangedRows: false)
            return nil
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
        // Later commits are still pending: the rows are those of the reported version.
        guard let rows = try? rows(ids) else { return }
        for case let row? in rows {
            pending.changes.append(TransactionChanges.RowChange(id: row.id, old: row.values, new: row.values))
        }
    }

    private func deliver(_ edits: borrowing RowEdits, version: Int) -> Difference? {
        guard let oldVersions = content?.versions, var transition = transition(edits) else { return nil }
        guard !transition.isEmpty else {
            carryOut(edits, version)
            content?.shownSince = oldVersions.lowerBound
            return nil
        }
        rounds.beginDelivery()
        defer { rounds.endDelivery() }
        let dispatcher = DelegateDispatcher(self)
        dispatcher.willChange()
        carryOut(edits, version)
        guard let new = content else { return nil }
        var difference = transition.finish(new: new)
        difference.rows?.oldVersions = oldVersions
        difference.rows?.newVersions = version...version
        difference.rows?.values = new.plan.related?.own(edits.changes) ?? edits.changes
        dispatcher.didChange(difference, new)
        return difference
    }

    private func carryOut(_ edits: borrowing RowEdits, _ version: Int) {
        content?.version = version
        content?.shownSince = nil
        if let related = content?.plan.related, var changing = content.take() {
            related.keep(edits.changes, in: &changing)
            content = changing
        }
        guard edits.movesRows, var changing = content.take() else { return }
        edits.apply(to: &changing)
        content = changing
    }

    // MARK: - By comparison

    /// Fetches everything again because changes were missed, and reports the difference.
    ///
    /// Any surviving row may have changed, so each is reported as an update.
    ///
    /// A store has its newest version only. If that version is beyond the limit, nothing is read, and the content stays
    /// behind until the limit allows it.
    private func catchUp(upTo limit: Int?) -> Difference? {
        guard let old = content else { return nil }
        let knowsChangedRows = standing == .behind(knowsChangedRows: true)
        standing = .behind(knowsChangedRows: knowsChangedRows)
        do {
            // Not by the old plan: the positions of its attributes may have changed.
            let plan = try makePlan(old.plan.request)
            guard let (new, changed) = try newest(plan, upTo: limit) else { return nil }
            standing = .current
            return try deliver(replacing: old, by: new, changed: knowsChangedRows ? changed : nil)
        } catch  where computedKeys?.failure != nil {
            // A script's key function failed. The reader gets the error, and the next call tries again.
            return nil
        } catch  where WorkLimit.isOver {
            // The turn ended meanwhile, which does not mean that the store failed.
            standing = .behind(knowsChangedRows: knowsChangedRows)
            return nil
        } catch {
            // The state of the store is unknown.
            invalidate()
            return nil
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

    /// Replaces the content and reports the difference, found by comparing all rows.
    ///
    /// - Parameters:
    ///   - old: The present content.
    ///   - new: The content that replaces it.
    ///   - changed: The rows whose values changed; `nil` if any may have.
    /// - Returns: The difference, or `nil` if there is none.
    /// - Throws: The error that stops the work of this thread, and ``StoreError`` if the store returned a row twice.
    ///   The content is then unchanged.
    func deliver(
        replacing old: FetchedContent,
        by new: FetchedContent,
        changed: Set<RowID>?
    ) throws -> Difference? {
        let difference = try Difference(from: old, to: new, changed: changed)
        guard !difference.isEmpty else {
            content = new
            content?.shownSince = old.versions.lowerBound
            return nil
        }
        rounds.beginDelivery()
        defer { rounds.endDelivery() }
        let dispatcher = DelegateDispatcher(self)
        dispatcher.willChange()
        content = new
        dispatcher.didChange(difference, new)
        return difference
    }
}

/// The relation of the content of a controller to the commits of its store.
enum Standing: Hashable {
    /// The content of one version. The changes of later commits are pending.
    case current
    /// A content that pending changes do not lead on from, so that the store must be read.
    case behind(knowsChangedRows: Bool)
}
