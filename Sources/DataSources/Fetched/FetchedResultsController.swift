internal import Foundation
public import Stores

/// The rows of a fetch request in sections, updated while the store changes, with every change reported once.
///
/// ```swift
/// let controller = try FetchedResultsController(fetchRequest: request, store: store)
/// try controller.performFetch()
/// for await changes in controller.changes { print(changes) }
/// ```
///
/// The controller retains the order and the identities of all rows, in about 30 bytes a row. It reads the values of
/// requested paths from the store by primary key. A controller belongs to one isolation and is not `Sendable`. Commits
/// on any thread are collected, and become visible in one step when the owner calls ``processPendingChanges()``. Until
/// then counts, paths and rows are those of one version of the store. Without section keys there is exactly one
/// section, even if it is empty; with section keys no section is empty.
///
/// The controller follows changes only if it has an observer: a loop over ``changes``, a ``delegate``, ``onChange`` or
/// ``changesPending``, set before the fetch or after it. Without any, the content is that of the last fetch.
public final class FetchedResultsController {
    /// The request to fetch.
    ///
    /// A new request takes effect with the next ``performFetch()``, without a report; ``apply(_:)`` reports the
    /// difference.
    public var fetchRequest: FetchRequest
    /// The store that the rows are fetched from.
    public let store: any Store
    /// The name of a file beside the store that caches the order; `nil` for no cache.
    ///
    /// With it, the next fetch of the same request need not read the order if nothing has changed.
    public let cacheName: String?
    /// The object that receives changes one by one.
    ///
    /// The controller does not retain it.
    public weak var delegate: (any FetchedResultsControllerDelegate)? {
        didSet { if delegate != nil { beginTracking() } }
    }
    /// The object that gives sections other index titles than their first letters; if `nil`, the delegate is used.
    ///
    /// The controller does not retain it, and does not follow the store because of it.
    public weak var sectionTitling: (any FetchedResultsSectionTitling)?
    /// A closure that receives all changes of a delivery together, after the delegate.
    public var onChange: ((Difference) -> Void)? {
        didSet { if onChange != nil { beginTracking() } }
    }

    /// The deliveries for the loop over ``changes``, if there is one.
    var deliveries: ChangeDeliveries? { didSet { oldValue?.finish() } }

    /// The delegate that a fetched data source installs; the controller retains it.
    var changeProxy: FetchedChangeProxy?

    /// The functions whose results rows are ordered, divided or left out by, or `nil` if attributes alone determine
    /// that.
    package var computedKeys: (any ComputedKeys)?

    private let origin: FetchOrigin
    /// The agreement on the version that this controller shows together with others, if it has any.
    package var agreement: VersionAgreement? {
        get { inbox.agreement }
        set { inbox.setAgreement(newValue) }
    }
    /// The present content, or `nil` before the first fetch.
    var content: FetchedContent?
    /// The relation of the content to the commits of the store.
    var standing = Standing.current
    var rounds = DeliveryRounds()
    private var follower: StoreFollower
    var inbox: ChangeInbox { follower.inbox }

    /// Creates a controller without content.
    ///
    /// - Parameters:
    ///   - fetchRequest: The request, with at least one sort descriptor. Its section keys, limit and offset are
    ///     respected.
    ///   - store: The store to fetch from.
    ///   - cacheName: The name of a file beside the store that caches the order; `nil` for no cache. An in-memory store
    ///     has no caches.
    /// - Throws: ``StoreError`` `invalidRequest` for a request without a sort descriptor.
    public init(fetchRequest: FetchRequest, store: any Store, cacheName: String? = nil) throws {
        try Self.check(fetchRequest)
        self.fetchRequest = fetchRequest
        self.store = store
        self.cacheName = cacheName
        origin = FetchOrigin(entityName: fetchRequest.entityName)
        follower = StoreFollower(entityName: fetchRequest.entityName)
    }

    private static func check(_ request: FetchRequest) throws {
        guard request.sortDescriptors.isEmpty else { return }
        throw StoreError(
            .invalidRequest,
            "the fetch request for '\(request.entityName)' needs at least one sort descriptor"
        )
    }

    // MARK: - Fetching

    /// Fetches the rows, and follows the store's changes from then on if the controller has an observer.
    ///
    /// The fetch itself is not reported. It may be called again; commits that it has seen are not delivered later. Do
    /// not call it inside a write on the same thread, because it would see changes that may be rolled back.
    ///
    /// - Throws: ``StoreError``: `schema` for an unknown entity or attribute; `invalidRequest` if the first sort keys
    ///   are not the section keys, if the cache belongs to another request, or from within a delivery. The content is
    ///   then unchanged.
    /// - Complexity: O(n) in the matching rows; with a valid cache, reading one file.
    public func performFetch() throws {
        try requireNoDelivery("performFetch()")
        content = try fetch(makePlan(fetchRequest)).content
        standing = .current
    }

    /// Fetches by another request, and reports the difference: rows of both requests move or stay, the others are
    /// deleted or inserted.
    ///
    /// - Returns: Whether there was a difference.
    /// - Throws: As ``performFetch()`` does; the request and the content are then unchanged. The new request must be of
    ///   the same entity.
    /// - Complexity: O(n) in the rows of both.
    @discardableResult
    public func apply(_ request: FetchRequest) throws -> Bool {
        try requireNoDelivery("apply(_:)")
        try Self.check(request)
        guard request.entityName == fetchRequest.entityName else {
            throw StoreError(
                .invalidRequest,
                "a controller of '\(fetchRequest.entityName)' cannot fetch '\(request.entityName)'"
            )
        }
        let plan = try makePlan(request)
        // The commits first, so that the difference is only that of the requests.
        processPendingChanges()
        let old = content
        let (new, changed) = try fetch(plan)
        fetchRequest = request
        guard let old else {
            content = new
            return false
        }
        return try deliver(replacing: old, by: new, changed: changed) != nil
    }

    private func requireNoDelivery(_ method: String) throws {
        guard rounds.isDelivering else { return }
        throw StoreError(
            .invalidRequest,
            "\(method) inside a change of the same controller: fetch after the change was delivered"
        )
    }

    func makePlan(_ request: FetchRequest) throws -> FetchPlan {
        guard let entity = store.entities[request.entityName] else {
            let names = store.entities.keys.sorted().joined(separator: ", ")
            let problem = "the store has no entity '\(request.entityName)'"
            // Scripts must not see the other names, which may not be granted to them.
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

    /// Reads the present content of a plan, and drops the changes that it has seen.
    ///
    /// - Returns: The content, and the rows whose changes were dropped.
    func fetch(_ plan: FetchPlan) throws -> (content: FetchedContent, changed: Set<RowID>) {
        inbox.beginFetch()
        setDependentRows(of: plan)
        // The observation begins before the read. A commit in between is seen twice and dropped by its version, but
        // never lost.
        let observation = follower.isFollowing || hasObserver ? follower.observation(of: store) : nil
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
        follower.follow(by: observation)
        do {
            cacheError = nil
            if let stamp { try cache.write(fetched, stamp: stamp) }
        } catch {
            cacheError = error
        }
        return (fetched, changed)
    }

    /// Sets the inbox's search for the rows of the plan that depend on a commit's changes of other entities.
    ///
    /// If the fetch of the plan fails, the search finds at most too many rows.
    private func setDependentRows(of plan: FetchPlan) {
        guard let related = plan.related else { return inbox.setDependentRows(nil) }
        inbox.setDependentRows { [store = UnownedStore(store)] changes in
            guard let store = store.value else { return [] }
            return try? related.dependents(of: changes, in: store)
        }
    }

    // MARK: - Cache

    /// The error of writing the cache after the last fetch, if there was one.
    ///
    /// The fetch itself succeeded.
    public private(set) var cacheError: (any Error)?

    /// Writes the present order to the cache, for the end of a program: every change of a row invalidates the cache of
    /// the last fetch.
    ///
    /// - Returns: Whether it was written. It is not if commits are pending, or without a ``cacheName`` or a
    ///   folder for it.
    /// - Complexity: O(n), one file written.
    @discardableResult
    public func saveCache() throws -> Bool {
        guard let content, cacheName != nil else { return false }
        return try FetchedCache(cacheName, of: store, content.plan).write(current: content)
    }

    /// Deletes the cache with a name beside a store, or all caches.
    ///
    /// Call it before a controller with a cache gets another request. Without a cache nothing happens.
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

    /// The extent to which a controller follows its store.
    public enum Tracking: Sendable, Hashable, CaseIterable {
        /// Not at all: the controller has no observer.
        case none
        /// In memory.
        case memory
        /// In memory, with the order cached beside the store.
        case memoryAndCache
    }

    /// The extent to which the controller follows its store.
    public var tracking: Tracking {
        !follower.isFollowing
            ? .none : (cacheName == nil || store.cacheFolder == nil ? .memory : .memoryAndCache)
    }

    /// Stops following the store and releases the order of the rows, so that an unused controller takes no memory for
    /// them and costs commits nothing.
    ///
    /// The controller is then in the state before its first fetch; another ``performFetch()`` starts again. Nothing is
    /// reported. Inside a delivery the method does nothing.
    public func close() {
        guard !rounds.isDelivering else { return }
        deliveries = nil
        content = nil
        standing = .current
        follower.stop()
    }

    private var hasObserver: Bool { delegate != nil || onChange != nil || inbox.handler != nil }

    /// Starts following a store that was only fetched from so far.
    func beginTracking() {
        guard let content, !follower.isFollowing else { return }
        follower.follow(by: follower.observation(of: store))
        // Commits since the fetch were not observed.
        if (try? store.read { $0.version }) != content.version {
            standing = .behind(knowsChangedRows: false)
        }
    }
}

/// A reference that does not retain the store, for closures that the store itself retains.
private struct UnownedStore: Sendable {
    weak let value: (any Store)?

    init(_ value: any Store) { self.value = value }
}

@available(*, unavailable)
extension FetchedResultsController: Sendable {}
