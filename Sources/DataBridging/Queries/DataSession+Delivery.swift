internal import BridgeValues
internal import DataSources
internal import Foundation
internal import JavaScriptBridge
internal import Stores

extension DataSession {
    /// The version that a query shows while changes are delivered; `nil` where it may show the newest one.
    func deliveredVersion(of query: LiveQuery) -> Int? {
        guard !deliveredVersions.isEmpty, let store = query.store else { return nil }
        return deliveredVersions[ObjectIdentifier(store)]
    }

    /// Tells the listeners of what was committed since the last time, query by query in the order in which
    /// they began to listen.
    ///
    /// First all queries go to one version of their store, and only then is anybody told: whatever a listener
    /// reads is of one version (J6). A turn is open. Where a limit stops it, the rest is told in a turn of its own.
    func deliver(in context: JSContext) -> Bool {
        // A transaction that is open has committed nothing; what others committed waits until it is done.
        guard openTransactions.isEmpty, !isDelivering, connection.takePendingChanges() else { return false }
        endRevokedQueries(in: context)
        isDelivering = true
        defer {
            isDelivering = false
            deliveredVersions = [:]
            for query in openQueries { _ = query.pin(nil) }
        }
        let isComplete = goToCommonVersions(in: context)
        var hasDelivered = false
        for query in listening {
            guard !context.isTerminating, let listener = query.listener else { continue }
            let delivered = query.deliver { changes in
                // Whoever made the change does not wait for those who hear of it.
                context.withoutOrigin { tell(listener, of: changes, in: context) }
            }
            hasDelivered = delivered || hasDelivered
        }
        // Nothing more can run in this turn, or a part has waited for others; no commit need come that would open
        // another turn.
        if context.isTerminating || !isComplete || listening.contains(where: \.hasPendingChanges) {
            connection.deliverLater()
        }
        return hasDelivered
    }

    /// Tells one listener, and runs what promises of it wait for; returns whether it was told.
    private func tell(_ listener: JSHandle, of changes: DeliveredChanges, in context: JSContext) -> Bool {
        var isDone = true
        do {
            if let numbers = changes.numbers {
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

    /// Takes all queries of each store to one version of it.
    ///
    /// - Returns: Whether that could be done; a store whose queries found none is delivered later.
    private func goToCommonVersions(in context: JSContext) -> Bool {
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
        if !isInTransaction(of: store), goAtOnce(to: store, queries, in: context) { return true }
        // A store tells its observers of a commit one after the other, on the committing thread: it is on the way to
        // those that have not heard. Only a moment, since that thread may be this one.
        // What is read inside a write of this thread may be undone.
        guard !isInTransaction(of: store) else { return false }
        let deadline = ContinuousClock.now + .milliseconds(20)
        while ContinuousClock.now < deadline {
            sched_yield()
            if goAtOnce(to: store, queries, in: context) { return true }
        }
        return false
    }

    /// Takes all queries of a store to the newest version whose changes all of them have; false where one shows a later
    /// one, or has to be told by the store, which is at a later one.
    private func goAtOnce(to store: any Store, _ queries: [LiveQuery], in context: JSContext) -> Bool {
        let id = ObjectIdentifier(store)
        // What a limit kept from being told is told first, and what it leads to is shown.
        if let stopped = queries.first(where: { $0.delivery != nil }) {
            deliveredVersions[id] = stopped.shownVersion
            _ = pin(queries, at: stopped.shownVersion)
            return true
        }
        func received() -> Int { queries.reduce(.max) { min($0, $1.receivedVersion) } }
        guard queries.contains(where: \.asksStoreForChanges) else {
            let version = received()
            guard queries.allSatisfy({ $0.shownVersion <= version }), pin(queries, at: version) else {
                return false
            }
            deliveredVersions[id] = version
            collect(queries, upTo: version, in: context)
            return true
        }
        // The state that the store has now is held while everybody goes to it. Nothing waits in here: who is on the way
        // with a report may need the store for it.
        let isDone = try? store.read { transaction in
            let version = transaction.version
            guard received() >= version, pin(queries, at: version) else { return false }
            deliveredVersions[id] = version
            collect(queries, upTo: version, in: context)
            return true
        }
        if let isDone { return isDone }
        // A store that cannot be read: whoever asks it says so.
        collect(queries, upTo: nil, in: context)
        return true
    }

    /// Keeps a version for all queries while listeners run: each is read up to it when a listener asks, however many commits
    /// have followed by then.
    private func pin(_ queries: [LiveQuery], at version: Int) -> Bool {
        queries.reduce(true) { $1.pin(version) && $0 }
    }

    private func collect(_ queries: [LiveQuery], upTo version: Int?, in context: JSContext) {
        for query in queries {
            guard !context.isTerminating else { return }
            do {
                try query.collect(upTo: version)
            } catch {
                report(error, of: query, in: context)
            }
        }
    }

    private func report(_ error: any Error, of query: LiveQuery, in context: JSContext) {
        if let exception = error as? JSException {
            // Who was stopped by a limit is told of it by the turn.
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
