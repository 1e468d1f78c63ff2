internal import BridgeValues
internal import DataSources
internal import Dispatch
internal import Foundation
internal import JavaScriptBridge
internal import Stores
internal import Synchronization

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
    private let arrival = Arrival()
    private let connection: DataConnection
    private let clock: any MonotonicClock
    /// The script's function that is called with changes.
    var listener: JSHandle?
    /// A change set that is being delivered to the listener; it stays if a limit stops the delivery.
    private(set) var delivery: ChangeHandle?
    /// The version at which the last delivered change set ended.
    private var lastDeliveredVersion: Int?
    /// A Boolean value that indicates whether the listener keeps a run from ending.
    var isReferenced = false
    /// A Boolean value that indicates whether the content was read inside an open transaction, which may be rolled
    /// back.
    private(set) var isProvisional = false
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
        connection: DataConnection
    ) throws {
        self.access = access
        self.related = related
        self.storeName = storeName
        self.generation = generation
        self.keys = keys
        self.connection = connection
        self.clock = clock
        let controller = try FetchedResultsController(fetchRequest: request, store: store)
        controller.computedKeys = keys
        // Before the fetch, because a controller follows its store only if it has an observer.
        controller.changesPending = { [arrival] in
            arrival.note(clock.now)
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

    /// Marks a version at which the query can stop during a delivery; `nil` ends that.
    ///
    /// - Returns: Whether it can stop there.
    func pin(_ version: Int?) -> Bool { openController?.pin(version) ?? true }

    /// A Boolean value that indicates whether pending changes can be determined only by reading the store, which has
    /// its newest version only.
    var needsStoreForChanges: Bool { openController?.needsStoreForChanges ?? false }

    /// Applies the pending commits, up to a version if one is given, and returns the controller.
    ///
    /// A query with a listener has applied them in its delivery, so nothing happens for it here. If a key function
    /// failed before, it is called again, and a listener receives the changes later.
    ///
    /// Inside a transaction nothing is applied, because the content may be rolled back.
    ///
    /// - Throws: The error of a key function, if the content is unknown because of it. ``BridgeError`` with the code
    ///   `query.computing` if a key function of this query is running. ``StoreError`` if the content is lost, because
    ///   the store cannot be read or does not have the entity any more.
    func refreshed(
        upTo version: Int?,
        isInTransaction: @autoclosure () -> Bool
    ) throws -> FetchedResultsController {
        let controller = try controller()
        if let keys, keys.isComputing {
            throw BridgeError(
                BridgeErrorCode(rawValue: "query.computing"),
                "a filter or key function cannot read its own query: the rows have no order yet"
            )
        }
        if isProvisional || listener == nil && controller.hasNews || keys?.failure != nil, !isInTransaction()
        {
            if isProvisional {
                settle(isCommitted: false)
            } else if listener == nil {
                controller.processPendingChanges(upTo: version)
            } else if delivery == nil {
                process(controller, upTo: version)
                if delivery != nil { connection.deliverLater() }
            }
        }
        if controller.version == nil, !isInTransaction() { try fetchAgain(controller) }
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

    /// Marks the content as read inside an open transaction.
    func noteTransaction() {
        isProvisional = true
        connection.changesPending()
    }

    /// Reads the content again after the transaction that it was read in was partly rolled back or has ended.
    ///
    /// A listener receives the difference later, once the transaction has ended.
    ///
    /// - Parameters:
    ///   - isCommitted: Whether the transaction was committed.
    ///   - isOpen: Whether the transaction is still open, so that the content is still provisional.
    func settle(isCommitted: Bool, isOpen: Bool = false) {
        guard isProvisional, let controller = openController else { return }
        isProvisional = isOpen
        if listener == nil || isOpen {
            do { try fetchAgain(controller) } catch { controller.invalidate() }
        } else {
            controller.markStale(isCommitted: isCommitted)
            // Pending changes are delivered first.
            if delivery == nil { process(controller, upTo: nil) }
            connection.deliverLater()
        }
    }

    /// Applies commits before a transaction begins, while no content can be rolled back.
    ///
    /// A query with a listener applies them after the transaction.
    func applyBeforeTransaction(upTo version: Int?) {
        guard listener == nil, let controller = openController, keys?.isComputing != true,
            keys?.failure == nil
        else { return }
        if controller.hasNews { controller.processPendingChanges(upTo: version) }
    }

    /// Removes the listener and its undelivered changes.
    func unlisten() {
        listener = nil
        delivery = nil
        lastDeliveredVersion = nil
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

    /// Applies the commits up to a version, as the change set that the listener receives next.
    ///
    /// Without a listener this happens only if the store must be read while it has that version. Otherwise the next
    /// read applies them.
    ///
    /// - Throws: The error of a key function; ``StoreError`` once, if the content is lost.
    func collect(upTo version: Int?) throws {
        guard delivery == nil, let controller = openController else { return }
        if isProvisional { return settle(isCommitted: false) }
        guard listener != nil else {
            if keys?.isComputing != true, keys?.failure == nil, controller.needsStoreForChanges {
                controller.processPendingChanges(upTo: version)
            }
            return
        }
        // A failed computation is tried again after new changes, or at the next read.
        if keys?.failure != nil, !hasPendingChanges { return }
        let hadContent = controller.version != nil
        process(controller, upTo: version)
        if let failure = keys?.failure { throw failure }
        // The listener is not called for lost content, so the error must be reported.
        if hadContent, controller.version == nil { try fetchAgain(controller) }
    }

    private func process(_ controller: FetchedResultsController, upTo version: Int?) {
        controller.onChange = { [unowned self, arrival, clock] changes in
            let arrived = arrival.take()
            let shown = access.columns.map { changes.shown(to: $0, of: access.entity) } ?? changes
            guard var changes = shown else { return }
            // A script's change set lives until the engine collects it, and scripts cannot read values from it. With
            // the values each commit made the heap grow by a page, whose first touch costs more than the delivery.
            changes.rows?.values = []
            changes.rows?.duration = arrived.map { clock.now - $0 }
            // Commits since the last change set changed nothing that the script may see.
            if let last = lastDeliveredVersion, let versions = changes.rows?.oldVersions {
                changes.rows?.oldVersions = min(last, versions.lowerBound)...versions.upperBound
            }
            delivery = ChangeHandle(changes)
            lastDeliveredVersion = changes.newVersion
        }
        controller.processPendingChanges(upTo: version)
        controller.onChange = nil
    }

    /// Delivers the pending change set to the listener; returns whether there was one.
    ///
    /// The listener returns whether it completed. If not, the same change set is delivered again the next time, before
    /// newer ones.
    func deliver(to listener: (ChangeHandle) -> Bool) -> Bool {
        guard let changes = delivery else { return false }
        let isDone = listener(changes)
        // The listener may have removed itself and added another one.
        if isDone, delivery === changes { delivery = nil }
        return true
    }
}

/// The time of the first commit that was not yet delivered.
private final class Arrival: Sendable {
    private let time = Mutex<Duration?>(nil)

    func note(_ now: Duration) { time.withLock { $0 = $0 ?? now } }

    func take() -> Duration? {
        time.withLock { time in
            defer { time = nil }
            return time
        }
    }
}
