internal import BridgeValues
internal import DataSources
internal import Dispatch
internal import Foundation
internal import JavaScriptBridge
internal import Stores

/// A fetch request of a script that follows its store: the controller, and the script's listener while it has one.
final class LiveQuery {
    /// The script's read access to the entity.
    let access: EntityAccess
    /// The attributes and relationships of other entities that the script's request uses, by the names of the entities.
    let related: [String: Set<String>]
    /// The store's own entity, without computed keys.
    var entity: EntityDescription { access.entity }
    /// The name of the store in the script.
    let storeName: String
    /// The generation of the grants that the query was last checked against.
    var generation: Int
    /// The error that closed the query after its grants were revoked.
    private var revocation: (any Error)?
    private var openController: FetchedResultsController?
    private let keys: ScriptKeys?
    private let connection: DataConnection
    /// The script's function that is called with changes.
    var listener: JSHandle?
    private var waiting: QueryDelivery
    /// A change set that is being delivered to the listener; it stays if a limit stops the delivery.
    var delivery: ChangeHandle? { waiting.pending }
    /// A Boolean value that indicates whether the listener keeps a run from ending.
    var isReferenced = false
    /// The transaction that the content was read in, with its generation then, or `nil` for committed content.
    private var reading: (transaction: OpenTransaction, generation: Int)?
    /// The agreement of the store's queries on the version that they show.
    private let agreement: VersionAgreement
    /// The plan whose rows were last checked to have the query's shape.
    private var checkedPlan: FetchPlan?

    init(
        _ request: FetchRequest,
        _ access: EntityAccess,
        related: [String: Set<String>],
        storeName: String,
        generation: Int,
        keys: ScriptKeys?,
        store: any Store,
        clock: any MonotonicClock,
        connection: DataConnection,
        agreement: VersionAgreement
    ) throws {
        self.access = access
        self.related = related
        self.storeName = storeName
        self.generation = generation
        self.keys = keys
        self.connection = connection
        waiting = QueryDelivery(clock: clock)
        self.agreement = agreement
        let controller = try FetchedResultsController(fetchRequest: request, store: store)
        controller.computedKeys = keys
        controller.agreement = agreement
        // Before the fetch, because a controller follows its store only if it has an observer.
        controller.changesPending = { [arrival = waiting.arrival] in
            arrival.note()
            connection.changesPending()
        }
        try controller.performFetch()
        openController = controller
    }

    /// Returns the controller, as long as the query is open.
    ///
    /// - Throws: ``BridgeError`` after the query was closed.
    func controller() throws -> FetchedResultsController {
        guard let openController else {
            throw revocation ?? BridgeError(.disconnected, "the query was closed")
        }
        return openController
    }

    /// The observed store; `nil` after the query was closed.
    var store: (any Store)? { openController?.store }

    /// The newest version that could be shown.
    var receivedVersion: Int { openController?.receivedVersion ?? 0 }

    /// Waits until a version can be shown, or the time of the deadline.
    func wait(for version: Int, until deadline: DispatchTime) {
        openController?.waitForChanges(upTo: version, until: deadline)
    }

    /// A Boolean value that indicates whether changes are pending.
    var hasPendingChanges: Bool { openController?.hasPendingChanges ?? false }

    /// The version that is shown.
    var shownVersion: Int { openController?.version ?? 0 }

    /// Returns whether the query can show a version.
    func canStop(at version: Int) -> Bool { openController?.canStop(at: version) ?? true }

    /// A Boolean value that indicates whether pending changes can be determined only by reading the store, which has
    /// its newest version only.
    var needsStoreForChanges: Bool { reading != nil || openController?.needsStoreForChanges ?? false }

    /// Applies the pending commits, up to the agreed version if there is one, and returns the controller.
    ///
    /// A query with a listener has applied them in its delivery, so nothing happens for it here. If a key function
    /// failed before, it is called again, and a listener receives the changes later.
    ///
    /// Inside a transaction nothing is applied, because the content may be rolled back.
    ///
    /// - Parameter transaction: The transaction of the store that is open on this thread, if there is one.
    /// - Returns: The controller.
    /// - Throws: The error of a key function, if the content is unknown because of it. ``BridgeError`` with the code
    ///   `query.computing` if a key function of this query is running. ``StoreError`` if the content is lost, because
    ///   the store cannot be read or does not have the entity any more.
    func refreshed(in transaction: @autoclosure () -> OpenTransaction?) throws -> FetchedResultsController {
        let controller = try controller()
        if let keys, keys.isComputing {
            throw BridgeError(
                BridgeErrorCode(rawValue: "query.computing"),
                "a filter or key function cannot read its own query: the rows have no order yet"
            )
        }
        if reading != nil {
            settle(in: transaction())
        } else if listener == nil && controller.hasUpdates || keys?.failure != nil, transaction() == nil {
            if listener == nil {
                _ = controller.nextDifference(upTo: agreement.version)
            } else if delivery == nil {
                process(controller, upTo: agreement.version)
                if delivery != nil { connection.deliverLater() }
            }
        }
        if controller.version == nil, transaction() == nil { try fetchAgain(controller) }
        if let failure = keys?.failure { throw failure }
        try requireShape(of: controller)
        return controller
    }

    private func fetchAgain(_ controller: FetchedResultsController) throws {
        // If the entity does not exist any more, the controller throws the error.
        if let present = controller.store.entities[entity.name], present != entity { throw otherShape }
        try controller.performFetch()
    }

    /// Throws if rows have another shape than the query's, which happens if an entity was created again.
    private func requireShape(of controller: FetchedResultsController) throws {
        guard let plan = controller.plan, plan !== checkedPlan else { return }
        guard plan.entity == entity else { throw otherShape }
        checkedPlan = plan
    }

    private var otherShape: StoreError {
        StoreError(
            .schema,
            "the attributes of '\(entity.name)' changed after the query was created: create it again"
        )
    }

    /// Records that the content was read inside a transaction, which may be rolled back.
    func wasRead(in transaction: OpenTransaction) {
        reading = (transaction, transaction.generation)
        // The end of the turn asks for the end of the transaction.
        connection.changesPending()
    }

    /// Asks the transaction that the content was read in whether the content may still be shown, and reads it again if
    /// not.
    ///
    /// Once no transaction is open, a listener receives the difference later.
    ///
    /// - Parameter transaction: The transaction of the store that is open on this thread, if there is one.
    func settle(in transaction: OpenTransaction?) {
        guard let reading, let controller = openController else { return }
        if let transaction {
            guard reading.generation != reading.transaction.generation else { return }
            self.reading = (transaction, transaction.generation)
            return readWithoutReport(controller)
        }
        self.reading = nil
        guard listener != nil else { return readWithoutReport(controller) }
        controller.markUncommitted(knowsChangedRows: reading.transaction.isCommitted)
        // A change set that waits for its delivery comes first.
        if delivery == nil { process(controller, upTo: nil) }
        connection.deliverLater()
    }

    private func readWithoutReport(_ controller: FetchedResultsController) {
        do { try fetchAgain(controller) } catch { controller.invalidate() }
    }

    /// Applies commits before a transaction begins, while no content can be rolled back.
    ///
    /// A query with a listener applies them after the transaction.
    func applyBeforeTransaction() {
        guard listener == nil, let controller = openController, keys?.isComputing != true,
            keys?.failure == nil
        else { return }
        if controller.hasUpdates { _ = controller.nextDifference(upTo: agreement.version) }
    }

    /// Removes the listener and its undelivered changes.
    func unlisten() {
        listener = nil
        waiting.removeAll()
    }

    /// A Boolean value that indicates whether the request uses rows of other entities.
    var usesRelatedRows: Bool { openController?.plan?.usesRelatedRows ?? true }

    /// Closes the query because its data is not granted any more; its next read throws the error.
    func revoke(_ error: any Error) {
        revocation = error
        close()
    }

    /// Closes the query and releases the order of the rows.
    func close() {
        unlisten()
        openController = nil
    }

    /// Applies the commits up to the agreed version, as the change set that the listener receives next.
    ///
    /// Without a listener this happens only if the store must be read while it has that version. Otherwise the next
    /// read applies them.
    ///
    /// - Throws: The error of a key function; ``StoreError`` once, if the content is lost.
    func collect() throws {
        guard delivery == nil, let controller = openController else { return }
        if reading != nil { return settle(in: nil) }
        guard listener != nil else {
            if keys?.isComputing != true, keys?.failure == nil, controller.needsStoreForChanges {
                _ = controller.nextDifference(upTo: agreement.version)
            }
            return
        }
        // A failed computation is tried again after new changes, or at the next read.
        if keys?.failure != nil, !hasPendingChanges { return }
        let hadContent = controller.version != nil
        process(controller, upTo: agreement.version)
        if let failure = keys?.failure { throw failure }
        // The listener is not called for lost content, so the error must be reported.
        if hadContent, controller.version == nil { try fetchAgain(controller) }
    }

    private func process(_ controller: FetchedResultsController, upTo version: Int?) {
        guard let difference = controller.nextDifference(upTo: version) else { return }
        let time = waiting.arrival.take()
        let shown: Difference? =
            access.columns.map { difference.shown(to: $0, of: access.entity) } ?? difference
        if let shown { waiting.add(shown, after: time) }
    }

    /// Delivers the pending change set to the listener; returns whether there was one.
    ///
    /// The listener returns whether it completed. If not, the same change set is delivered again the next time, before
    /// newer ones.
    func deliver(to listener: (ChangeHandle) -> Bool) -> Bool {
        guard let changes = delivery else { return false }
        let isDone = listener(changes)
        // The listener may have removed itself and added another one.
        if isDone { waiting.finish(changes) }
        return true
    }
}
