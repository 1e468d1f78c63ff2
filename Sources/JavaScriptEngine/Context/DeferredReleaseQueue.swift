internal import CJavaScriptCore
internal import CJavaScriptCoreSPI
internal import Synchronization

/// A queue of values and objects that are released at the next turn.
///
/// The last reference to a ``JSValue`` can go away on any thread at any time. The engine finalizes objects during its
/// collection, when Swift code of the package must not run. Both therefore only add an entry here.
final class DeferredReleaseQueue: Sendable {
    // @unchecked Sendable because an address is only data here; only the engine's owner dereferences it.
    private struct Notes: @unchecked Sendable {
        var values: [JSValueRef] = []
        var contexts: [(ref: JSGlobalContextRef, values: [JSValueRef])] = []
        var objects: [Unmanaged<AnyObject>] = []
        var weaks: [JSWeakRef] = []

        var isEmpty: Bool { values.isEmpty && contexts.isEmpty && objects.isEmpty && weaks.isEmpty }
    }

    private let notes = Mutex(Notes())
    private let isNoted = Atomic(false)

    /// A Boolean value that indicates whether entries were added since the last release.
    ///
    /// It is a single atomic read, because every turn asks.
    var hasNotes: Bool { isNoted.load(ordering: .acquiring) }

    /// Queues a handle whose Swift owner was released.
    func enqueueRelease(_ value: JSValueRef) {
        // A pointer cannot be captured by a Sendable region as it is.
        let address = UInt(bitPattern: value)
        notes.withLock { notes in
            if let value = JSValueRef(bitPattern: address) { notes.values.append(value) }
            isNoted.store(true, ordering: .releasing)
        }
    }

    /// Queues a context whose Swift owner was released, with the handles that the context protected.
    func enqueueRelease(context: JSGlobalContextRef, holding values: [JSValueRef]) {
        let address = UInt(bitPattern: context)
        let addresses = values.map { UInt(bitPattern: $0) }
        notes.withLock { notes in
            guard let context = JSGlobalContextRef(bitPattern: address) else { return }
            notes.contexts.append((context, addresses.compactMap { JSValueRef(bitPattern: $0) }))
            isNoted.store(true, ordering: .releasing)
        }
    }

    /// Queues a Swift object whose engine object was finalized.
    func enqueueRelease(_ object: Unmanaged<AnyObject>) {
        let address = UInt(bitPattern: object.toOpaque())
        notes.withLock { notes in
            if let pointer = UnsafeRawPointer(bitPattern: address) {
                notes.objects.append(Unmanaged.fromOpaque(pointer))
            }
            isNoted.store(true, ordering: .releasing)
        }
    }

    /// Queues a weak reference that is no longer used.
    func enqueueRelease(weak: JSWeakRef) {
        let address = UInt(bitPattern: weak)
        notes.withLock { notes in
            if let weak = JSWeakRef(bitPattern: address) { notes.weaks.append(weak) }
            isNoted.store(true, ordering: .releasing)
        }
    }

    /// Releases all queued entries.
    ///
    /// The engine's owner calls it, outside any script.
    ///
    /// - Returns: The contexts that were released.
    @discardableResult
    func release(
        in context: JSContextRef?,
        group: JSContextGroupRef? = nil,
        oldest: JSContextRef? = nil
    ) -> [JSGlobalContextRef] {
        var gone: [JSGlobalContextRef] = []
        // Releasing an object may queue further values and contexts.
        while let notes = take() {
            for value in notes.values where context != nil { JSValueUnprotect(context, value) }
            for (released, values) in notes.contexts {
                for value in values { JSValueUnprotect(released, value) }
                // A context that was never prepared has no handles and no callback.
                if !values.isEmpty, let living = oldest ?? context {
                    Self.forgetRejections(of: released, in: living)
                }
                JSGlobalContextRelease(released)
                gone.append(released)
            }
            if let group { for weak in notes.weaks { JSWeakRelease(group, weak) } }
            for object in notes.objects { object.release() }
        }
        return gone
    }

    /// Replaces the rejection callback of a context: the engine keeps the callback as a root, which would retain the
    /// context.
    private static func forgetRejections(of released: JSGlobalContextRef, in context: JSContextRef) {
        var exception: JSValueRef?
        let nothing = JSObjectMakeFunctionWithCallback(context, nil) { context, _, _, _, _, _ in
            JSValueMakeUndefined(context)
        }
        JSGlobalContextSetUnhandledRejectionCallback(released, nothing, &exception)
    }

    private func take() -> Notes? {
        notes.withLock { notes in
            isNoted.store(false, ordering: .relaxed)
            guard !notes.isEmpty else { return nil }
            defer { notes = Notes() }
            return notes
        }
    }
}
