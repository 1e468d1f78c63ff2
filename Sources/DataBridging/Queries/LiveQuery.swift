internal import BridgeValues
internal import DataSources
internal import Foundation
internal import JavaScriptBridge
internal import Stores
internal import Synchronization

/// A fetch request of a script that is kept right: the controller, and the script's listener while it has
/// one.
final class LiveQuery {
    /// What the script may read of the entity.
    let access: EntityAccess
    /// The attributes and relationships of other entities that the script's request looks at, by the names of the entities.
    let related: [String: Set<String>]
    /// The store's own entity, without computed keys.
    var entity: EntityDescription { access.entity }
    /// The name of the store, as scripts have it.
    let storeName: String
    /// The grants by which the query was looked at last.
    var generation: Int
    /// Why it was ended, where its grants were taken back.
    private var revocation: (any Error)?
    private var openController: FetchedResultsController?
    private let keys: ScriptKeys?
    private let arrival = Arrival()
    private let connection: DataConnection
    private let clock: any MonotonicClock
    /// What the script has told to be called with changes.
    var listener: JSHandle?
    /// A change set on its way to the listener; it stays where a limit stops that.
    private(set) var delivery: DeliveredChanges?
    /// Where the change set that was told last ended.
    private var toldVersion: Int?
    /// Whether the listener keeps a run from ending.
    var isReferenced = false
    /// Whether the content was read inside a transaction that was open, and may be undone.
    private(set) var isProvisional = false
    /// The plan that was last seen to be of rows of the query's shape.
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
        // Before the fetch: a controller follows its store only for somebody who hears of changes.
        controller.changesPending = { [arrival] in
            arrival.note(clock.now)
            connection.changesPending()
        }
        try controller.performFetch()
        openController = controller
    }

    /// The controller, as long as the query is open.
    ///
    /// - Throws: ``BridgeError`` once it was closed.
    func controller() throws -> FetchedResultsController {
        guard let openController else {
            throw revocation ?? BridgeError(.disconnected, "the query was closed")
        }
        return openController
    }

    /// The store that is followed; `nil` once the query was closed.
    var store: (any Store)? { openController?.store }

    /// The newest version that could be shown.
    var receivedVersion: Int { openController?.receivedVersion ?? 0 }

    /// Whether changes wait that can be taken in.
    var hasPendingChanges: Bool { openController?.hasPendingChanges ?? false }

    /// The version that is shown.
    var shownVersion: Int { openController?.version ?? 0 }

    /// Keeps a version that the query can be taken up to while changes are delivered; none ends that.
    ///
    /// - Returns: Whether it can be.
    func pin(_ version: Int?) -> Bool { openController?.pin(version) ?? true }

    /// Whether what waits can be told by the store alone, which has its newest version.
    var asksStoreForChanges: Bool { openController?.asksStoreForChanges ?? false }

    /// Takes in what was committed, up to a version where one is given.
    ///
    /// Who listens is told first, so that for it nothing happens here. What a key function could not say before is
    /// asked again, and told later where somebody listens.
    ///
    /// Inside a transaction nothing is taken in: what is read there may be undone.
    ///
    /// - Throws: What a key function threw, if that is why the content is not known; ``BridgeError`` with the code
    ///   `query.computing` where a key function of this query is running; ``StoreError`` where there is no content any
    ///   more, since the store cannot be read, or has no such entity now.
    func refreshed(
        upTo version: Int?,
        isInTransaction: @autoclosure () -> Bool
    ) throws -> FetchedResultsController {
        let controller = try controller()
        if let keys, keys.isComputing {
            throw BridgeError(
                BridgeErrorCode(rawValue: "query.computing"),
                "a function that filters or gives keys cannot read the query that it is of: its rows have no order yet"
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
        // Of an entity that is gone the controller says it.
        if let present = controller.store.entities[entity.name], present != entity { throw otherShape }
        try controller.performFetch()
    }

    /// Refuses rows of another shape than the query's, which an entity may have that was made anew.
    private func requireShape(of controller: FetchedResultsController) throws {
        guard let plan = controller.plan, plan !== checkedPlan else { return }
        guard plan.entity == entity else { throw otherShape }
        checkedPlan = plan
    }

    private var otherShape: StoreError {
        StoreError(
            .schema,
            "'\(entity.name)' has other attributes than when the query was made: make it anew"
        )
    }

    /// Notes that the content was read inside a transaction that is open.
    func noteTransaction() {
        isProvisional = true
        connection.changesPending()
    }

    /// Reads the content again that was read inside a transaction, of which a part was undone or which has ended.
    ///
    /// Who listens is told of the difference later, where the transaction has ended.
    ///
    /// - Parameters:
    ///   - isCommitted: Whether the transaction was committed.
    ///   - isOpen: Whether it is still open, so that what is read is no more certain than before.
    func settle(isCommitted: Bool, isOpen: Bool = false) {
        guard isProvisional, let controller = openController else { return }
        isProvisional = isOpen
        if listener == nil || isOpen {
            do { try fetchAgain(controller) } catch { controller.invalidate() }
        } else {
            controller.fallBehind(isCommitted: isCommitted)
            // What was not told yet is told before.
            if delivery == nil { process(controller, upTo: nil) }
            connection.deliverLater()
        }
    }

    /// Takes in what was committed before a transaction that begins, as long as nothing can be undone; who listens is
    /// told when it is over.
    func takeInBeforeTransaction(upTo version: Int?) {
        guard listener == nil, let controller = openController, keys?.isComputing != true,
            keys?.failure == nil
        else { return }
        if controller.hasNews { controller.processPendingChanges(upTo: version) }
    }

    /// Forgets the listener, and what it was not told.
    func unlisten() {
        listener = nil
        delivery = nil
        toldVersion = nil
    }

    /// Whether the request looks at rows of other entities.
    var looksAtRelatedRows: Bool { openController?.plan?.looksAtRelatedRows ?? true }

    /// Ends the query, since what it shows is not granted any more; who reads it gets the error.
    func revoke(_ error: any Error) {
        revocation = error
        close()
    }

    /// Lets the order of the rows go.
    func close() {
        unlisten()
        openController = nil
    }

    /// Takes in what was committed up to a version, as the change set that the listener is told next.
    ///
    /// Without a listener it does so only where the store has to be asked, as long as it is at that version; else it is
    /// done when somebody reads.
    ///
    /// - Throws: What a key function threw; ``StoreError`` once, where the content cannot be known any more.
    func collect(upTo version: Int?) throws {
        guard delivery == nil, let controller = openController else { return }
        if isProvisional { return settle(isCommitted: false) }
        guard listener != nil else {
            if keys?.isComputing != true, keys?.failure == nil, controller.asksStoreForChanges {
                controller.processPendingChanges(upTo: version)
            }
            return
        }
        // What could not be computed is tried again when something new comes, or somebody reads.
        if keys?.failure != nil, !hasPendingChanges { return }
        let hadContent = controller.version != nil
        process(controller, upTo: version)
        if let failure = keys?.failure { throw failure }
        // The listener hears nothing of content that is gone: whoever reads the log must.
        if hadContent, controller.version == nil { try fetchAgain(controller) }
    }

    private func process(_ controller: FetchedResultsController, upTo version: Int?) {
        controller.onChange = { [unowned self, arrival, clock] changes in
            let arrived = arrival.take()
            guard let changes = access.columns.map({ changes.shown(to: $0) }) ?? changes else { return }
            // A script's change set lives until the engine collects it, and no script can ask it for values: with them
            // each commit made the heap grow by a page, whose first touch costs more than the delivery.
            delivery = DeliveredChanges(
                changes.withoutValues,
                toldVersion: toldVersion,
                duration: arrived.map { clock.now - $0 }
            )
            toldVersion = changes.newVersion
        }
        controller.processPendingChanges(upTo: version)
        controller.onChange = nil
    }

    /// Gives the change set that waits to the listener, which returns whether it came to its end; what did not is
    /// given again the next time, before what is new.
    ///
    /// Returns whether there was anything.
    func deliver(to listener: (DeliveredChanges) -> Bool) -> Bool {
        guard let changes = delivery else { return false }
        let isDone = listener(changes)
        // The listener may have ended the listening itself, and begun another one.
        if isDone, delivery === changes { delivery = nil }
        return true
    }
}

/// When the first commit came that was not delivered yet.
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
