internal import CJavaScriptCore

/// A weak reference to a context, for the tables of its machine.
struct WeakContext {
    weak var context: JSContext?
}

/// The living contexts of a virtual machine, by the engine's address, so that callbacks find theirs.
///
/// The table does not retain the contexts. Two marks for all of them say whether any has work of a kind, so that a turn
/// looks at each context only if there is some.
struct ContextTable {
    private var contexts: [JSGlobalContextRef: WeakContext] = [:]
    // Almost all callbacks come from the same context as the previous one, and comparing an address is faster than
    // hashing it.
    private var latest: (ref: JSGlobalContextRef, context: WeakContext)?
    private var first: WeakContext?
    /// A Boolean value that indicates whether an object of a context that is not prepared may have been handed out.
    private(set) var hasExposed = false
    /// A Boolean value that indicates whether a context has rejections to report at the end of the turn.
    private(set) var hasRejections = false

    /// The contexts that were not released.
    var living: [JSContext] { contexts.values.compactMap(\.context) }

    /// The context that was created first of those that live, or one created later if that was released.
    ///
    /// It can own a function that outlives other contexts.
    var oldest: JSContext? { first?.context }

    /// Adds a new context.
    mutating func insert(_ context: JSContext) {
        contexts[context.ref] = WeakContext(context: context)
        if first?.context == nil { first = WeakContext(context: context) }
    }

    /// Removes a context whose engine's object was released, because the engine may give the address to another one.
    mutating func remove(_ ref: JSGlobalContextRef) {
        contexts[ref] = nil
        if latest?.ref == ref { latest = nil }
    }

    /// Returns the context that a callback of the engine runs in.
    mutating func find(_ ref: JSContextRef?) -> JSContext? {
        if let latest, latest.ref == ref, let context = latest.context.context { return context }
        guard let ref, let global = JSContextGetGlobalContext(ref), let found = contexts[global] else {
            return nil
        }
        if ref == global { latest = (ref, found) }
        return found.context
    }

    /// Records that an object of a context that is not prepared may have been handed out.
    mutating func markExposed() { hasExposed = true }

    /// Records that a context has rejections to report.
    mutating func markRejections() { hasRejections = true }

    /// Returns the contexts to look at for exposed ones, and forgets that there may be any.
    mutating func takeExposed() -> [JSContext] {
        guard hasExposed else { return [] }
        hasExposed = false
        return living
    }

    /// Returns the contexts to look at for rejections to report, and forgets that there are any.
    mutating func takeRejecting() -> [JSContext] {
        guard hasRejections else { return [] }
        hasRejections = false
        return living
    }
}
