internal import CJavaScriptCore
internal import CJavaScriptCoreSPI

/// The rejected promises of a context, for the events of rejections.
///
/// The engine's own callback reports a promise that is unhandled at the end of a turn. The first report directs all
/// further rejections of the context to a hook, because only the hook sees that a promise is handled later. From then on
/// the promises without a handler are kept here until the end of the turn.
struct ContextRejections {
    /// A Boolean value that indicates whether the hook was tried for the context, and whether it works.
    private(set) var isHooked: Bool?
    /// The promises without a handler in the order of their rejection, protected; `nil` for handled ones.
    private var unhandled: [JSObjectRef?] = []
    private var places: [JSObjectRef: Int] = [:]
    /// The addresses of reported promises that have no handler yet.
    ///
    /// The promises are not retained, so an address may become that of another promise. The script's own table, by
    /// identity, decides.
    private var watched: Set<JSObjectRef> = []
    /// The reported promises that got a handler, protected.
    private var handled: [JSObjectRef] = []

    /// The number of addresses above which those of collected promises are assumed to prevail.
    ///
    /// A promise that is forgotten is handled without an event.
    private static let maximumWatchedCount = 100_000

    /// Watches a promise that is being reported.
    mutating func watch(_ promise: JSObjectRef, in context: JSContext) {
        if isHooked == nil {
            isHooked = RejectionSupport.current.isAvailable && jsb_hook_rejections(context.ref)
        }
        guard isHooked == true else { return }
        if watched.count >= Self.maximumWatchedCount { watched = [] }
        watched.insert(promise)
    }

    /// Returns whether a promise got a handler while it was reported, and forgets that.
    mutating func endWatch(of promise: JSObjectRef, in context: JSContext) -> Bool {
        guard let index = handled.firstIndex(of: promise) else { return false }
        JSValueUnprotect(context.ref, handled.remove(at: index))
        return true
    }

    /// Records an operation of the engine.
    ///
    /// - Returns: Whether there is something to report at the end of the turn.
    mutating func note(_ promise: JSObjectRef, isHandled: Bool, in ref: JSContextRef) -> Bool {
        guard isHandled else {
            guard !jsb_keeps_rejection_callback() else { return false }
            JSValueProtect(ref, promise)
            places[promise] = unhandled.count
            unhandled.append(promise)
            return true
        }
        if let place = places.removeValue(forKey: promise) {
            unhandled[place] = nil
            JSValueUnprotect(ref, promise)
            if places.isEmpty { unhandled.removeAll(keepingCapacity: true) }
        } else if watched.remove(promise) != nil {
            JSValueProtect(ref, promise)
            handled.append(promise)
            return true
        }
        return false
    }

    /// Removes and returns the promises to report, still protected.
    mutating func take() -> (unhandled: [JSObjectRef], handled: [JSObjectRef]) {
        defer {
            unhandled = []
            places = [:]
            handled = []
        }
        return (unhandled.compactMap { $0 }, handled)
    }

    mutating func removeAll(in context: JSContext) {
        let (unhandled, handled) = take()
        for promise in unhandled + handled { JSValueUnprotect(context.ref, promise) }
    }
}

extension JSVirtualMachine {
    /// Reports the promises of all contexts that have no handler after the microtasks, and those that got one.
    ///
    /// A turn must be open.
    ///
    /// - Returns: Whether a script ran, whose microtasks are pending.
    func reportRejections() -> Bool {
        guard contexts.hasRejections else { return false }
        var hasRun = false
        for context in contexts.takeRejecting() where !context.isClosed {
            if context.reportRejections() { hasRun = true }
        }
        return hasRun
    }
}

extension JSContext {
    fileprivate func reportRejections() -> Bool {
        let (unhandled, handled) = globals.rejections.take()
        for promise in unhandled {
            // One of the listeners before may have handled it, or ended the turn.
            defer { JSValueUnprotect(ref, promise) }
            guard !virtualMachine.watchdog.hasTerminated else { continue }
            let reason = jsb_promise_result(virtualMachine.group, promise)
            var exception: JSValueRef?
            let arguments: [JSValueRef?] = [promise, reason]
            _ = JSObjectCallAsFunction(ref, script.reportRejection, nil, 2, arguments, &exception)
        }
        for promise in handled {
            defer { JSValueUnprotect(ref, promise) }
            guard !virtualMachine.watchdog.hasTerminated else { continue }
            var exception: JSValueRef?
            let arguments: [JSValueRef?] = [promise]
            _ = JSObjectCallAsFunction(ref, script.rejectionHandled, nil, 1, arguments, &exception)
        }
        return !unhandled.isEmpty || !handled.isEmpty
    }
}
