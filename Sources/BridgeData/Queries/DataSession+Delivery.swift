internal import BridgeValues
internal import DataSources
internal import Dispatch
internal import JavaScriptBridge
internal import Stores

extension DataSession {
    /// Delivers the commits since the last delivery to the listeners, query by query in the order in which the
    /// listeners were added.
    ///
    /// All queries go to one version of their store before any listener is called, so that all reads of a listener are
    /// of one version (J6). A turn is open. If a limit stops it, the rest is delivered in another turn.
    func deliver(in context: JSContext) -> Bool {
        // An open transaction has committed nothing yet. Commits of other threads stay pending until it ends.
        guard openTransactions.isEmpty, !isDelivering, connection.takePendingChanges() else { return false }
        endRevokedQueries(in: context)
        isDelivering = true
        defer {
            isDelivering = false
            for agreement in agreements.values { agreement.version = nil }
        }
        let isComplete = alignVersions(in: context)
        var hasDelivered = false
        for query in listening {
            guard !context.isTerminating, let listener = query.listener else { continue }
            let delivered = query.deliver { changes in
                // The origin of the change does not wait for its listeners.
                context.withoutOrigin { tell(listener, of: changes, in: context) }
            }
            hasDelivered = delivered || hasDelivered
        }
        // This turn cannot continue, or some queries have no common version yet. Perhaps no commit follows that would
        // open another turn.
        if context.isTerminating || !isComplete || listening.contains(where: \.hasPendingChanges) {
            connection.deliverLater()
        }
        return hasDelivered
    }

    /// Calls one listener, then runs the microtask checkpoint; returns whether the call completed.
    private func tell(_ listener: JSHandle, of changes: ChangeHandle, in context: JSContext) -> Bool {
        var isDone = true
        do {
            if let numbers = changes.difference.numbers {
                try context.call(listener, withNumbers: numbers)
            } else {
                try context.value(of: listener).call(withArguments: [context.makeHandle(changes)])
            }
        } catch let error as JSException where !error.isTermination {
            context.reportUncaught(error)
        } catch {
            isDone = false
        }
        context.runMicrotasks()
        return isDone
    }

    // MARK: - One version

    /// Brings all queries of each store to one version of it.
    ///
    /// - Returns: Whether that was possible. A store whose queries have no common version is delivered later.
    private func alignVersions(in context: JSContext) -> Bool {
        let queries = openQueries
        guard let first = queries.first?.store else { return true }
        if queries.allSatisfy({ $0.store === first }) {
            return listening.isEmpty || goToCommonVersion(of: first, queries, in: context)
        }
        var stores: [(store: any Store, queries: [LiveQuery])] = []
        for query in queries {
            guard let store = query.store else { continue }
            if let index = stores.firstIndex(where: { $0.store === store }) {
                stores[index].queries.append(query)
            } else {
                stores.append((store, [query]))
            }
        }
        var isComplete = true
        for (store, queries) in stores where queries.contains(where: { $0.listener != nil }) {
            isComplete = goToCommonVersion(of: store, queries, in: context) && isComplete
        }
        return isComplete
    }

    private func goToCommonVersion(
        of store: any Store,
        _ queries: [LiveQuery],
        in context: JSContext
    ) -> Bool {
        if !isInTransaction(of: store), alignNow(to: store, queries, in: context) { return true }
        // A store notifies its observers of a commit one after the other, on the committing thread, so some queries may
        // be notified later. The wait ends at a deadline, because that thread may be this one, or may wait for it.
        // Content that is read inside a write of this thread may be rolled back.
        guard !isInTransaction(of: store) else { return false }
        let deadline = DispatchTime.now() + .milliseconds(20)
        repeat {
            let committed = (try? store.read { $0.version }) ?? 0
            let version = queries.reduce(committed) { max($0, $1.receivedVersion) }
            for query in queries { query.wait(for: version, until: deadline) }
            if alignNow(to: store, queries, in: context) { return true }
        } while DispatchTime.now() < deadline
        return false
    }

    /// Brings all queries of a store to the newest version whose changes all of them have.
    ///
    /// The version stays agreed until the listeners have run: each query is read at that version when a listener uses
    /// it, whatever commits follow.
    ///
    /// Returns false if one shows a later version, or needs a read of the store, which has a later version.
    private func alignNow(to store: any Store, _ queries: [LiveQuery], in context: JSContext) -> Bool {
        let agreement = agreement(of: store)
        // A change set that a limit kept from being delivered comes first, and its version is shown.
        if let stopped = queries.first(where: { $0.delivery != nil }) {
            agreement.version = stopped.shownVersion
            return true
        }
        func received() -> Int { queries.reduce(.max) { min($0, $1.receivedVersion) } }
        func agree(on version: Int) -> Bool {
            // Before the question, because from now on no inbox folds commits across the version.
            agreement.version = version
            let isPossible = queries.allSatisfy { $0.canStop(at: version) }
            if !isPossible { agreement.version = nil }
            return isPossible
        }
        guard queries.contains(where: \.needsStoreForChanges) else {
            let version = received()
            guard queries.allSatisfy({ $0.shownVersion <= version }), agree(on: version) else { return false }
            collect(queries, in: context)
            return true
        }
        // The store's present state is held while all queries go to it. This closure must not wait: a thread that is
        // about to report a commit may need the store for it.
        let isDone = try? store.read { transaction in
            let version = transaction.version
            guard received() >= version, agree(on: version) else { return false }
            collect(queries, in: context)
            return true
        }
        if let isDone { return isDone }
        // If a store cannot be read, the next read of a query throws the error.
        agreement.version = nil
        collect(queries, in: context)
        return true
    }

    private func collect(_ queries: [LiveQuery], in context: JSContext) {
        for query in queries {
            guard !context.isTerminating else { return }
            do {
                try query.collect()
            } catch {
                report(error, of: query, in: context)
            }
        }
    }

    private func report(_ error: any Error, of query: LiveQuery, in context: JSContext) {
        if let exception = error as? JSException {
            // A termination by a limit is reported by the turn.
            if !exception.isTermination { context.reportUncaught(exception) }
        } else if let error = error as? StoreError {
            var exception = JSException(
                code: error.scriptCode.rawValue,
                message:
                    "a query of '\(query.entity.name)' cannot be followed any more: \(error.messageForScripts)"
            )
            exception.underlyingError = error
            context.reportUncaught(exception)
        }
    }
}
