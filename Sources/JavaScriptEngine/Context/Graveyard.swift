internal import CJavaScriptCore
internal import CJavaScriptCoreSPI
internal import Synchronization

/// What is to be given back to the engine, or let go because of it, at the next turn.
///
/// A ``JSValue`` may lose its last holder on any thread and in the middle of anything, and the engine
/// finalizes objects in the middle of its collection, where no code of ours may run. Both only leave a note
/// here.
final class Graveyard: Sendable {
    // @unchecked Sendable because an address is only data here; the owner of the engine alone follows it.
    private struct Notes: @unchecked Sendable {
        var values: [JSValueRef] = []
        var contexts: [(ref: JSGlobalContextRef, values: [JSValueRef])] = []
        var objects: [Unmanaged<AnyObject>] = []
        var weaks: [JSWeakRef] = []

        var isEmpty: Bool { values.isEmpty && contexts.isEmpty && objects.isEmpty && weaks.isEmpty }
    }

    private let notes = Mutex(Notes())
    private let isNoted = Atomic(false)

    /// Whether anything was noted since the last time: one read, for every turn asks.
    var hasNotes: Bool { isNoted.load(ordering: .acquiring) }

    /// Notes a handle whose Swift owner is gone.
    func bury(_ value: JSValueRef) {
        // A pointer cannot be captured by a Sendable region as it is.
        let address = UInt(bitPattern: value)
        notes.withLock { notes in
            if let value = JSValueRef(bitPattern: address) { notes.values.append(value) }
            isNoted.store(true, ordering: .releasing)
        }
    }

    /// Notes a context whose Swift owner is gone, with the handles that it held itself.
    func bury(context: JSGlobalContextRef, holding values: [JSValueRef]) {
        let address = UInt(bitPattern: context)
        let addresses = values.map { UInt(bitPattern: $0) }
        notes.withLock { notes in
            guard let context = JSGlobalContextRef(bitPattern: address) else { return }
            notes.contexts.append((context, addresses.compactMap { JSValueRef(bitPattern: $0) }))
            isNoted.store(true, ordering: .releasing)
        }
    }

    /// Notes an object of Swift that the engine held and has finalized.
    func bury(_ object: Unmanaged<AnyObject>) {
        let address = UInt(bitPattern: object.toOpaque())
        notes.withLock { notes in
            if let pointer = UnsafeRawPointer(bitPattern: address) {
                notes.objects.append(Unmanaged.fromOpaque(pointer))
            }
            isNoted.store(true, ordering: .releasing)
        }
    }

    /// Notes a weak reference that nobody asks any more.
    func bury(weak: JSWeakRef) {
        let address = UInt(bitPattern: weak)
        notes.withLock { notes in
            if let weak = JSWeakRef(bitPattern: address) { notes.weaks.append(weak) }
        }
    }

    /// Gives back and lets go what was noted since the last time.
    ///
    /// The owner of the engine calls it, outside any script.
    ///
    /// - Returns: The contexts that are gone.
    @discardableResult
    func release(
        in context: JSContextRef?,
        group: JSContextGroupRef? = nil,
        oldest: JSContextRef? = nil
    ) -> [JSGlobalContextRef] {
        var gone: [JSGlobalContextRef] = []
        // What is let go may hold values and contexts itself.
        while let notes = take() {
            for value in notes.values where context != nil { JSValueUnprotect(context, value) }
            for (buried, values) in notes.contexts {
                for value in values { JSValueUnprotect(buried, value) }
                // One that was never prepared has none.
                if !values.isEmpty, let living = oldest ?? context {
                    Self.forgetRejections(of: buried, in: living)
                }
                JSGlobalContextRelease(buried)
                gone.append(buried)
            }
            if let group { for weak in notes.weaks { JSWeakRelease(group, weak) } }
            for object in notes.objects { object.release() }
        }
        return gone
    }

    /// Takes the rejection callback of a context back: the engine keeps it as a root, and so the context with
    /// it.
    private static func forgetRejections(of buried: JSGlobalContextRef, in context: JSContextRef) {
        var exception: JSValueRef?
        let nothing = JSObjectMakeFunctionWithCallback(context, nil) { context, _, _, _, _, _ in
            JSValueMakeUndefined(context)
        }
        JSGlobalContextSetUnhandledRejectionCallback(buried, nothing, &exception)
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
