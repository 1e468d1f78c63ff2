internal import CJavaScriptCore
internal import CJavaScriptCoreSPI
internal import Synchronization

/// Who keeps which managed value of a virtual machine alive, as the collector sees it.
///
/// The collector asks in the middle of marking, on any thread, while the engine stands still but Swift does
/// not: hence the lock. Under the lock nothing here calls the engine but `JSWeakGetObject`, which waits for
/// nothing, and nothing lets an object of a user go.
final class ManagedReferences: Sendable {
    /// An object of Swift that is not kept alive.
    struct WeakObject {
        weak var object: AnyObject?
    }

    private enum Owner {
        /// An object of Swift, as long as it lives.
        case object(WeakObject)
        /// An object of a script, as long as that is reachable.
        case value(JSWeakRef)
    }

    private struct Edge {
        let value: JSWeakRef
        let owner: Owner
        /// How often it was added.
        var count: Int
    }

    // @unchecked Sendable because all of it is touched under the lock only, and the engine's addresses in it
    // are followed only as said above.
    private struct State: @unchecked Sendable {
        /// By the address of the managed value, then of the owner.
        var edges: [UInt: [UInt: Edge]] = [:]
        /// By the address of the object in the box.
        var boxes: [UInt: Unmanaged<ObjectBox>] = [:]
        /// All weak references that are not given back yet.
        var weaks: Set<JSWeakRef> = []
        var isWatching = false
        var isClosed = false
    }

    let releases: Graveyard
    /// Whether the collector has been at work since the last sweep.
    private let hasMarked = Atomic(false)
    private let state = Mutex(State())

    init(releases: Graveyard) { self.releases = releases }

    // MARK: - Weak references

    /// Makes a weak reference; the owner of the engine calls it.
    func makeWeak(_ object: JSObjectRef, group: JSContextGroupRef) -> JSWeakRef? {
        guard let weak = JSWeakCreate(group, object) else { return nil }
        let address = UInt(bitPattern: weak)
        state.withLock { state in
            if let weak = JSWeakRef(bitPattern: address) { state.weaks.insert(weak) }
        }
        return weak
    }

    /// Gives a weak reference back at the next turn; from any thread.
    func drop(_ weak: JSWeakRef) {
        let address = UInt(bitPattern: weak)
        state.withLock { state in
            guard let weak = JSWeakRef(bitPattern: address), state.weaks.remove(weak) != nil else { return }
            releases.bury(weak: weak)
        }
    }

    /// Gives back what is left, before the engine's group goes.
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

    /// The box of an object, made if there is none; the owner of the engine calls it.
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

    /// Notes the engine's object that stands for a box's object in a context.
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

    /// Notes that a box goes.
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

    /// Lets the objects go that only scripts of a context hold; the owner of the engine calls it.
    func letGo(in context: JSContext) {
        let boxes = state.withLock { state in state.boxes.values.map { UInt(bitPattern: $0.toOpaque()) } }
        for case let pointer? in boxes.map(UnsafeRawPointer.init(bitPattern:)) {
            let box = Unmanaged<ObjectBox>.fromOpaque(pointer).takeUnretainedValue()
            guard box.wrappers.keys.contains(context.ref), box.wrappers.count == 1 else { continue }
            forget(box)
            box.letGo()
        }
    }

    // MARK: - Edges

    /// Lets an owner keep a value; the owner of the engine calls it.
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
        // An Edge holds addresses and a weak reference: nothing that a thread may not hand over.
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

    /// Takes back one ``add(_:weak:owner:group:)``.
    func remove(_ value: JSManagedValue, owner: AnyObject) {
        let (valueKey, key) = (Self.address(of: value), Self.key(of: owner))
        removeEdges { state in
            guard var edge = state.edges[valueKey]?[key] else { return [] }
            edge.count -= 1
            state.edges[valueKey]?[key] = edge.count > 0 ? edge : nil
            return edge.count > 0 ? [] : [edge]
        }
    }

    /// Forgets a managed value that goes; from any thread.
    func forget(_ value: JSManagedValue) {
        let key = Self.address(of: value)
        removeEdges { state in state.edges.removeValue(forKey: key).map { Array($0.values) } ?? [] }
    }

    /// Forgets the owners that are gone, if the collector has been at work since the last time.
    ///
    /// The owner of the engine calls it.
    func sweep() {
        guard hasMarked.load(ordering: .relaxed) else { return }
        hasMarked.store(false, ordering: .relaxed)
        nonisolated(unsafe) let edges = state.withLock { $0.edges }
        for (valueKey, owners) in edges {
            // Outside the lock: to look at a weak reference holds the object for that moment, so that it may
            // go here.
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

    /// What an owner is known by: two values that stand for one object of a script are one owner.
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
            // Where no script holds it, only Swift does; if it is gone, the next sweep finds out.
            guard let box = boxes[key]?.takeUnretainedValue() else { return true }
            return box.isHeldElsewhere
                || box.wrappers.values.contains { weak in
                    JSWeakGetObject(weak).map { marker.pointee.IsMarked(marker, $0) } ?? false
                }
        }
    }
}
