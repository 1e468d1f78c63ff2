internal import Foundation
public import Stores

/// The rows of a fetch request in sections, kept right while the store changes, with every change told once.
///
/// ```swift
/// let controller = try FetchedResultsController(fetchRequest: request, store: store)
/// controller.onChange = { changes in print(changes.difference) }
/// try controller.performFetch()
/// controller.deliverChanges()            // on the actor that this runs on
/// ```
///
/// The order and the identities of all rows are kept, in about 30 bytes a row; their values are read from the
/// store by primary key, for the paths that are asked for. A controller belongs to one isolation and is not
/// `Sendable`. Commits on any thread are collected, and become visible in one step when the owner calls
/// ``processPendingChanges()``: until then counts, paths and rows are those of one version of the store.
/// Without section keys there is exactly one section, also when it is empty; with them no section is empty.
///
/// Changes are followed only for somebody who hears of them: a ``delegate``, ``onChange`` or
/// ``changesPending``, set before the fetch or after it. Without any the content is that of the last fetch.
public final class FetchedResultsController {
    /// What is fetched.
    ///
    /// A new request takes effect with the next ``performFetch()``, silently; ``apply(_:)`` tells the
    /// difference.
    public var fetchRequest: FetchRequest
    /// Where it is fetched from.
    public let store: any Store
    /// The name under which the order is kept beside the store, so that the next fetch of the same request
    /// need not read it if nothing has changed; `nil` keeps nothing.
    public let cacheName: String?
    /// Hears of changes one by one.
    ///
    /// It is not kept alive.
    public weak var delegate: (any FetchedResultsControllerDelegate)? {
        didSet { if delegate != nil { beginTracking() } }
    }
    /// Gives sections other index titles than their first letters; the delegate is asked if this is `nil`.
    ///
    /// It is not kept alive, and having one does not make the controller follow the store.
    public weak var sectionTitling: (any FetchedResultsSectionTitling)?
    /// Hears of changes as a whole, after the delegate.
    public var onChange: ((FetchedChanges) -> Void)? {
        didSet { if onChange != nil { beginTracking() } }
    }

    /// The delegate that a fetched data source installs, which lives as long as the controller.
    var changeProxy: FetchedChangeProxy?

    /// What rows are ordered, divided or left out by besides their attributes; `nil` where it is these alone.
    package var computedKeys: (any ComputedKeys)?

    private let origin = FetchOrigin()
    let inbox: ChangeInbox
    /// The last fetch as it is now; `nil` before the first.
    var content: FetchedContent?
    /// Whether commits may have been missed, so that the store is to be asked.
    var isBehind = false
    /// Whether all rows that have changed since are known where the content is behind.
    var knowsChangesBehind = false
    var isDelivering = false
    var isRoundRequested = false
    private var observation: StoreObservation?

    /// Makes a controller that has fetched nothing yet.
    ///
    /// - Parameters:
    ///   - fetchRequest: What to fetch: with at least one sort descriptor. Its section keys, limit and offset
    ///     count.
    ///   - store: Where from.
    ///   - cacheName: Under which name to keep the order beside the store; `nil` keeps nothing. A store in
    ///     memory has no caches.
    /// - Throws: ``StoreError`` `invalidRequest` for a request without a sort descriptor.
    public init(fetchRequest: FetchRequest, store: any Store, cacheName: String? = nil) throws {
        try Self.check(fetchRequest)
        self.fetchRequest = fetchRequest
        self.store = store
        self.cacheName = cacheName
        inbox = ChangeInbox(entityName: fetchRequest.entityName)
    }

    private static func check(_ request: FetchRequest) throws {
        guard request.sortDescriptors.isEmpty else { return }
        throw StoreError(
            .invalidRequest,
            "the fetch request for '\(request.entityName)' needs at least one sort descriptor"
        )
    }

    // MARK: - Fetching

    /// Fetches the rows, and follows the store's changes from then on if anybody hears of them.
    ///
    /// Nobody is told of anything. It may be called again; commits that it has seen are not delivered later.
    /// It is not to be called inside a write on the same thread: it would see what may be rolled back.
    ///
    /// - Throws: ``StoreError``: `schema` for an unknown entity or attribute; `invalidRequest` if the first
    ///   sort keys are not the section keys, if the cache belongs to another request, or from within a
    ///   delivery. The content is then as it was.
    /// - Complexity: O(n) in the rows that match; with a valid cache, reading one file.
    public func performFetch() throws {
        try requireNoDelivery("performFetch()")
        content = try fetch(makePlan(fetchRequest)).content
        isBehind = false
        knowsChangesBehind = false
    }

    /// Fetches by another request, and tells the difference to what was shown before: rows that both requests
    /// have are moved or stay, the others come and go.
    ///
    /// - Returns: Whether there was a difference.
    /// - Throws: As ``performFetch()`` does; the request and the content are then as they were. The new request
    ///   must be of the same entity.
    /// - Complexity: O(n) in the rows of both.
    @discardableResult
    public func apply(_ request: FetchRequest) throws -> Bool {
        try requireNoDelivery("apply(_:)")
        try Self.check(request)
        guard request.entityName == fetchRequest.entityName else {
            throw StoreError(
                .invalidRequest,
                "a controller of '\(fetchRequest.entityName)' cannot go over to '\(request.entityName)'"
            )
        }
        let plan = try makePlan(request)
        // First what was committed, so that the difference is the request's alone.
        processPendingChanges()
        let old = content
        let (new, changed) = try fetch(plan)
        fetchRequest = request
        guard let old else {
            content = new
            return false
        }
        return try deliver(replacing: old, by: new, changed: changed)
    }

    private func requireNoDelivery(_ method: String) throws {
        guard isDelivering else { return }
        throw StoreError(
            .invalidRequest,
            "\(method) inside a change of the same controller: fetch after the change was delivered"
        )
    }

    func makePlan(_ request: FetchRequest) throws -> FetchPlan {
        guard let entity = store.entities[request.entityName] else {
            let names = store.entities.keys.sorted().joined(separator: ", ")
            let problem = "the store has no entity '\(request.entityName)'"
            // The names of the others are not for scripts, to which they may not be granted.
            throw StoreError(.schema, "\(problem); it has \(names)", forScripts: problem)
        }
        return try FetchPlan(
            request,
            entity: entity,
            origin: origin,
            computed: computedKeys?.attributes ?? [],
            among: store.entities
        )
    }

    /// Reads the content that a plan has now, and drops the changes that it has seen.
    ///
    /// - Returns: The content, and the rows whose changes were dropped.
    func fetch(_ plan: FetchPlan) throws -> (content: FetchedContent, changed: Set<RowID>) {
        inbox.beginFetch()
        setDependentRows(of: plan)
        // Observing begins before reading: a commit in between is seen twice and dropped by its version,
        // never lost.
        let observation = observation ?? (isHeard ? observe() : nil)
        let cache = FetchedCache(computedKeys == nil ? cacheName : nil, of: store, plan, computedKeys)
        let fetched: FetchedContent
        let stamp: Int64?
        let changed: Set<RowID>
        do {
            (fetched, stamp) = try cache.read()
            changed = inbox.endFetch(version: fetched.version)
        } catch {
            inbox.endFetch(version: nil)
            throw error
        }
        self.observation = observation
        do {
            cacheError = nil
            if let stamp { try cache.write(fetched, stamp: stamp) }
        } catch {
            cacheError = error
        }
        return (fetched, changed)
    }

    /// Has the inbox ask which rows of the plan depend on a commit's changes of other entities.
    ///
    /// A plan that is not fetched in the end asks for too much at the most.
    private func setDependentRows(of plan: FetchPlan) {
        guard let related = plan.related else { return inbox.setDependentRows(nil) }
        inbox.setDependentRows { [store = UnownedStore(store)] changes in
            guard let store = store.value else { return [] }
            return try? related.dependents(of: changes, in: store)
        }
    }

    // MARK: - Cache

    /// Why the order could not be kept after the last fetch, if it could not.
    ///
    /// The fetch itself is right without.
    public private(set) var cacheError: (any Error)?

    /// Keeps the order as it is now beside the store: for the end of a program, since every change of a row
    /// makes what the last fetch has kept worthless.
    ///
    /// - Returns: Whether it was kept. It is not while commits wait to be processed, and without a
    ///   ``cacheName`` or a place for it.
    /// - Complexity: O(n), one file written.
    @discardableResult
    public func saveCache() throws -> Bool {
        guard let content, cacheName != nil else { return false }
        return try FetchedCache(cacheName, of: store, content.plan).write(current: content)
    }

    /// Deletes what was kept under a name beside a store, or under all names.
    ///
    /// It is what to do before a controller with a cache gets another request. Harmless where nothing is kept.
    public static func deleteCache(withName name: String?, of store: any Store) throws {
        guard let folder = store.cacheFolder else { return }
        let target = name.map { FetchedCache.file($0, in: folder) } ?? folder
        do {
            try FileManager.default.removeItem(at: target)
        } catch CocoaError.fileNoSuchFile {
            return
        }
    }

    // MARK: - Tracking

    /// How far the controller follows the store.
    public enum Tracking: Sendable, Hashable, CaseIterable {
        /// Not at all: nobody hears of changes.
        case none
        /// In memory.
        case memory
        /// In memory, and the order is kept beside the store.
        case memoryAndCache
    }

    /// How far the controller follows the store.
    public var tracking: Tracking {
        observation == nil
            ? .none : (cacheName == nil || store.cacheFolder == nil ? .memory : .memoryAndCache)
    }

    /// Stops following the store and lets the order of the rows go: a controller that nobody reads any more
    /// takes no memory for them and costs commits nothing.
    ///
    /// It is then as before its first fetch; another ``performFetch()`` begins anew. Nobody is told. It does
    /// nothing inside a delivery.
    public func close() {
        guard !isDelivering else { return }
        observation = nil
        content = nil
        isBehind = false
        _ = inbox.take()
    }

    private var isHeard: Bool { delegate != nil || onChange != nil || inbox.handler != nil }

    private func observe() -> StoreObservation { store.observe { [inbox] in inbox.receive($0) } }

    /// Begins to follow a store that was only fetched from so far.
    func beginTracking() {
        guard let content, observation == nil else { return }
        observation = observe()
        // What was committed since the fetch was noted by nobody.
        isBehind = (try? store.read { $0.version }) != content.version
    }
}

/// A store that what the store itself holds must not keep alive.
private struct UnownedStore: Sendable {
    weak let value: (any Store)?

    init(_ value: any Store) { self.value = value }
}

@available(*, unavailable)
extension FetchedResultsController: Sendable {}
