internal import CJavaScriptCore
internal import CJavaScriptCoreSPI
internal import Synchronization

/// A registry of the owners that keep managed values of a virtual machine alive, which the collector consults.
///
/// The collector consults it in the middle of marking, on any thread, while the engine is suspended but Swift is not.
/// This requires the lock. Under the lock, the only engine function that is called is `JSWeakGetObject`, which never
/// waits, and no user's object is released.
final class ManagedReferences: Sendable {
    /// A weak reference to a Swift object.
    struct WeakObject {
        weak var object: AnyObject?
    }

    private enum Owner {
        /// A Swift object, for as long as it lives.
        case object(WeakObject)
        /// A script's object, for as long as it is reachable.
        case value(JSWeakRef)
    }

    private struct Edge {
        let value: JSWeakRef
        let owner: Owner
        /// The number of times that it was added.
        var count: Int
    }

    // @unchecked Sendable because the state is only used under the lock, and its engine addresses are only
    // dereferenced as described above.
    private struct State: @unchecked Sendable {
        /// The edges by the address of the managed value, then of the owner.
        var edges: [UInt: [UInt: Edge]] = [:]
        /// The boxes by the address of their objects.
        var boxes: [UInt: Unmanaged<ObjectBox>] = [:]
        /// All weak references that have not been released.
        var weaks: Set<JSWeakRef> = []
        var isWatching = false
        var isClosed = false
    }

    let releases: DeferredReleaseQueue
    /// A Boolean value that indicates whether the collector has run since the last sweep.
    private let hasMarked = Atomic(false)
    private let state = Mutex(State())

    init(releases: DeferredReleaseQueue) { self.releases = releases }

    // MARK: - Weak references

    /// Creates a weak reference.
    ///
    /// Only the owner of the engine calls this.
    func makeWeak(_ object: JSObjectRef, group: JSContextGroupRef) -> JSWeakRef? {
        guard let weak = JSWeakCreate(group, object) else { return nil }
        let address = UInt(bitPattern: weak)
        state.withLock { state in
            if let weak = JSWeakRef(bitPattern: address) { state.weaks.insert(weak) }
        }
        return weak
    }

    /// Releases a weak reference at the next turn.
    ///
    /// Any thread may call this.
    func drop(_ weak: JSWeakRef) {
        let address = UInt(bitPattern: weak)
        state.withLock { state in
            guard let weak = JSWeakRef(bitPattern: address), state.weaks.remove(weak) != nil else { return }
            releases.enqueueRelease(weak: weak)
        }
    }

    /// Releases the remaining weak references, before the engine's group is released.
    func close(group: JSContextGroupRef) {
        let addresses = state.withLock { state in
            state.isClosed = true
            defer {
                state.weaks = []
                state.edges = [:]
            }
            return state.weaks.map { UInt(bitPattern: $0) }
        }
        for address in addresses { JSWeakRelease(group, JSWeakRef(bitPattern: address)) }
    }

    // MARK: - Boxes

    /// Returns the box of an object, or creates it.
    ///
    /// Only the owner of the engine calls this.
    func box(of object: AnyObject) -> ObjectBox {
        let address = Self.address(of: object)
        if let known = state.withLock({ $0.boxes[address] }) { return known.takeUnretainedValue() }
        let box = ObjectBox(object, in: self)
        let boxAddress = UInt(bitPattern: Unmanaged.passUnretained(box).toOpaque())
        state.withLock { state in
            state.boxes[address] = UnsafeRawPointer(bitPattern: boxAddress).map(Unmanaged.fromOpaque)
        }
        return box
    }

    /// Records the engine's object that represents a box's object in a context.
    func note(_ wrapper: JSObjectRef, in context: JSContext, for box: ObjectBox) {
        guard let weak = makeWeak(wrapper, group: context.virtualMachine.group) else { return }
        let old = box.wrappers[context.ref]
        let (key, address) = (UInt(bitPattern: context.ref), UInt(bitPattern: weak))
        let boxAddress = UInt(bitPattern: Unmanaged.passUnretained(box).toOpaque())
        state.withLock { _ in
            guard let pointer = UnsafeRawPointer(bitPattern: boxAddress),
                let context = JSGlobalContextRef(bitPattern: key)
            else { return }
            let box = Unmanaged<ObjectBox>.fromOpaque(pointer).takeUnretainedValue()
            box.wrappers[context] = JSWeakRef(bitPattern: address)
        }
        if let old { drop(old) }
    }

    /// Removes a box that is being deallocated.
    func forget(_ box: ObjectBox) {
        let address = box.address
        let boxAddress = UInt(bitPattern: Unmanaged.passUnretained(box).toOpaque())
        state.withLock { state in
            guard let known = state.boxes[address], UInt(bitPattern: known.toOpaque()) == boxAddress else {
                return
            }
            state.boxes[address] = nil
        }
        for weak in box.wrappers.values { drop(weak) }
    }

    /// Releases the objects that only scripts of a context hold.
    ///
    /// Only the owner of the engine calls this.
    func releaseContents(in context: JSContext) {
        let boxes = state.withLock { state in state.boxes.values.map { UInt(bitPattern: $0.toOpaque()) } }
        for case let pointer? in boxes.map(UnsafeRawPointer.init(bitPattern:)) {
            let box = Unmanaged<ObjectBox>.fromOpaque(pointer).takeUnretainedValue()
            guard box.wrappers.keys.contains(context.ref), box.wrappers.count == 1 else { continue }
            forget(box)
            box.releaseContents()
        }
    }

    // MARK: - Edges

    /// Adds an owner of a value.
    ///
    /// Only the owner of the engine calls this.
    func add(_ value: JSManagedValue, weak: JSWeakRef, owner: AnyObject, group: JSContextGroupRef) {
        let (valueKey, key) = (Self.address(of: value), Self.key(of: owner))
        sweep()
        let isKnown = state.withLock { state in
            state.edges[valueKey]?[key]?.count += 1
            return state.edges[valueKey]?[key] != nil
        }
        guard !isKnown else { return }
        let edgeOwner: Owner
        if let object = (owner as? JSValue)?.ref {
            guard let weakOwner = makeWeak(object, group: group) else { return }
            edgeOwner = .value(weakOwner)
        } else {
            edgeOwner = .object(WeakObject(object: owner))
        }
        // An Edge holds addresses and a weak reference, which may be passed to any thread.
        nonisolated(unsafe) let edge = Edge(value: weak, owner: edgeOwner, count: 1)
        let isFirst = state.withLock { state in
            state.edges[valueKey, default: [:]][key] = edge
            defer { state.isWatching = true }
            return !state.isWatching
        }
        guard isFirst else { return }
        JSContextGroupAddMarkingConstraint(
            group,
            { marker, info in
                guard let marker, let info else { return }
                Unmanaged<ManagedReferences>.fromOpaque(info).takeUnretainedValue().mark(marker)
            },
            Unmanaged.passUnretained(self).toOpaque()
        )
    }

    /// Reverts one call of ``add(_:weak:owner:group:)``.
    func remove(_ value: JSManagedValue, owner: AnyObject) {
        let (valueKey, key) = (Self.address(of: value), Self.key(of: owner))
        removeEdges { state in
            guard var edge = state.edges[valueKey]?[key] else { return [] }
            edge.count -= 1
            state.edges[valueKey]?[key] = edge.count > 0 ? edge : nil
            return edge.count > 0 ? [] : [edge]
        }
    }

    /// Removes a managed value that is being deallocated.
    ///
    /// Any thread may call this.
    func forget(_ value: JSManagedValue) {
        let key = Self.address(of: value)
        removeEdges { state in state.edges.removeValue(forKey: key).map { Array($0.values) } ?? [] }
    }

    /// Removes the owners that were deallocated, if the collector has run since the last sweep.
    ///
    /// Only the owner of the engine calls this.
    func sweep() {
        guard hasMarked.load(ordering: .relaxed) else { return }
        hasMarked.store(false, ordering: .relaxed)
        nonisolated(unsafe) let edges = state.withLock { $0.edges }
        for (valueKey, owners) in edges {
            // This runs outside the lock: reading a weak reference briefly retains the object, which may therefore be
            // deallocated here.
            for (key, edge) in owners where !Self.isAlive(edge.owner) {
                removeEdges { state in
                    state.edges[valueKey]?.removeValue(forKey: key).map { [$0] } ?? []
                }
            }
        }
    }

    private func removeEdges(_ body: @Sendable (inout State) -> [Edge]) {
        let addresses = state.withLock { state in
            body(&state).compactMap { edge in
                if case .value(let weak) = edge.owner { UInt(bitPattern: weak) } else { nil }
            }
        }
        for case let weak? in addresses.map(JSWeakRef.init(bitPattern:)) { drop(weak) }
    }

    private static func isAlive(_ owner: Owner) -> Bool {
        switch owner {
        case .object(let weak): weak.object != nil
        case .value(let weak): JSWeakGetObject(weak) != nil
        }
    }

    private static func address(of object: AnyObject) -> UInt {
        UInt(bitPattern: Unmanaged.passUnretained(object).toOpaque())
    }

    /// Returns an owner's key: two values for the same object of a script are the same owner.
    private static func key(of owner: AnyObject) -> UInt {
        (owner as? JSValue).map { UInt(bitPattern: $0.ref) } ?? address(of: owner)
    }

    // MARK: - Marking

    private func mark(_ marker: JSMarkerRef) {
        let address = UInt(bitPattern: marker)
        state.withLock { state in
            guard let marker = JSMarkerRef(bitPattern: address), !state.isClosed else { return }
            hasMarked.store(true, ordering: .relaxed)
            for owners in state.edges.values {
                for (key, edge) in owners {
                    guard let value = JSWeakGetObject(edge.value),
                        !marker.pointee.IsMarked(marker, value),
                        Self.keeps(edge.owner, key: key, boxes: state.boxes, marker)
                    else { continue }
                    marker.pointee.Mark(marker, value)
                }
            }
        }
    }

    private static func keeps(
        _ owner: Owner,
        key: UInt,
        boxes: [UInt: Unmanaged<ObjectBox>],
        _ marker: JSMarkerRef
    ) -> Bool {
        switch owner {
        case .value(let weak):
            guard let object = JSWeakGetObject(weak) else { return false }
            return marker.pointee.IsMarked(marker, object)
        case .object:
            // If no script holds the owner, only Swift does. If it was deallocated, the next sweep removes it.
            guard let box = boxes[key]?.takeUnretainedValue() else { return true }
            return box.isHeldElsewhere
                || box.wrappers.values.contains { weak in
                    JSWeakGetObject(weak).map { marker.pointee.IsMarked(marker, $0) } ?? false
                }
        }
    }
}
