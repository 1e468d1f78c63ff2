internal import BridgeProtocol
internal import Synchronization

/// A handler that a transport has looked up once, whose requests are decoded as its type on arrival.
///
/// It is used on the engine's thread only.
final class ResolvedHandler {
    /// The id; `nil` for the listener of a topic.
    let id: HandlerID?
    let name: String
    let site: CallSite
    /// The registration count at which its name was last known to refer to it.
    @exclusivity(unchecked) fileprivate var registrations = -1
    /// The number of replacements of the grants at which they were last asked, and whether they admit each request.
    @exclusivity(unchecked) fileprivate var admission = (changes: -1, isFree: false)
    /// The number of changes of the interceptors at which they were last asked, and whether there are some for it.
    @exclusivity(unchecked) fileprivate var interception = (changes: -1, isNeeded: false)
    /// The listener, if this is one.
    @exclusivity(unchecked) fileprivate var listener: RegisteredHandler?
    let reader: PayloadReader
    let requestSize: Int
    let requestAlignment: Int
    /// The synchronous body of the handler; `nil` if the handler may suspend, and once it was removed.
    @exclusivity(unchecked) private(set) var body: (any SynchronousHandler)?
    /// The body of a handler that may suspend; `nil` once it was removed.
    @exclusivity(unchecked) private(set) var asynchronousBody: (any AsynchronousHandler)?
    /// The maximum duration of its calls, by its registration.
    let timeout: Duration?
    let response: ResponseForm

    /// Creates a handler.
    ///
    /// - Parameters:
    ///   - id: The id; `nil` for the listener of a topic.
    ///   - name: The name of the handler, or the topic.
    ///   - handler: The registered handler.
    ///   - typed: Its types.
    ///   - context: The context in which results are built; `nil` if they are written as text.
    init(
        _ id: HandlerID?,
        _ name: String,
        _ handler: RegisteredHandler,
        _ typed: any TypedHandler,
        in context: JSContext?
    ) {
        self.id = id
        self.name = name
        site = handler.site
        listener = id == nil ? handler : nil
        reader = typed.requestReader
        requestSize = reader.kind.size
        requestAlignment = reader.kind.alignment
        timeout = handler.timeout
        let kind = typed.responseKind
        // Data, and types with a larger alignment than the memory, go through the machine.
        let isPlain = kind.map { PayloadMemory.takes($0) && $0.subject != Value.self } ?? true
        body = isPlain ? typed as? any SynchronousHandler : nil
        asynchronousBody = isPlain ? typed as? any AsynchronousHandler : nil
        response = ResponseForm(kind, in: context)
    }

    /// Returns a result that is encoded when it is delivered; `nil` if the handler has none.
    func held(_ result: UnsafeMutableRawPointer) -> MessagePayload? {
        response.kind.map { kind in .held(PayloadMemory(kind, site: site) { kind.copy(result, to: $0) }) }
    }

    /// Releases the handler's function once it was removed: what refers to this object may live longer.
    func end() { (body, asynchronousBody, listener) = (nil, nil, nil) }
}

extension ResolvedHandler {
    /// Returns whether its requests can be begun without the machine.
    ///
    /// Notifications of a handler that may suspend cannot: the machine limits their number.
    @inline(__always)
    func canBegin(isCall: Bool) -> Bool { body != nil || isCall && asynchronousBody != nil }

    /// Returns whether its requests may be answered without the machine, for which none of some checks may apply.
    @inline(__always)
    func isOpen(in session: BridgeSession, unless checks: MessageChecks = .requests) -> Bool {
        !session.mask.contains(anyOf: checks) && isAdmitted(in: session) && !isIntercepted(in: session)
            && isCurrent(in: session)
    }

    /// Returns whether interceptors process its requests, which they need as data.
    @inline(__always)
    func isIntercepted(in session: BridgeSession) -> Bool {
        guard session.mask.contains(anyOf: .interceptors) else { return false }
        let changes = session.interceptors.changes.load(ordering: .acquiring)
        return interception.changes == changes
            ? interception.isNeeded : asksInterceptors(of: session, at: changes)
    }

    private func asksInterceptors(of session: BridgeSession, at changes: Int) -> Bool {
        // Events are not calls.
        interception = (changes, id != nil && session.interceptors.intercepts(.incoming, name))
        return interception.isNeeded
    }

    /// Returns whether the grants admit each of its requests until they are replaced.
    ///
    /// Grants that count requests, or end, are asked by the machine for each of them.
    @inline(__always)
    func isAdmitted(in session: BridgeSession) -> Bool {
        guard session.mask.contains(anyOf: .grants) else { return true }
        let changes = session.changes.grants.load(ordering: .acquiring)
        return admission.changes == changes ? admission.isFree : asksGrants(of: session, at: changes)
    }

    private func asksGrants(of session: BridgeSession, at changes: Int) -> Bool {
        // Grants for events are those of the protocol's own names, which the machine knows.
        guard id != nil else { return false }
        session.noteTime()
        admission = (changes, session.state.withLock { $0.machine.admitsFreely(name) })
        return admission.isFree
    }

    /// Returns whether it is still the handler that is registered under its name.
    ///
    /// The name is looked up only if handlers were registered or removed since.
    @inline(__always)
    func isCurrent(in session: BridgeSession) -> Bool {
        let registrations = session.changes.registrations.load(ordering: .acquiring)
        return self.registrations == registrations || isRegistered(in: session, at: registrations)
    }

    private func isRegistered(in session: BridgeSession, at registrations: Int) -> Bool {
        let isRegistered = session.state.withLock { state in
            if let id { return state.machine.handler(name) == id }
            guard let listener else { return false }
            return state.listeners.only(of: name)?.handler === listener
        }
        if isRegistered { self.registrations = registrations }
        return isRegistered
    }
}

/// The form of a handler's results in memory and in a script.
struct ResponseForm {
    /// The type of the results; `nil` if there are none.
    let kind: (any EncodedKind.Type)?
    /// The shape of the results in a context; `nil` where they are written as text.
    let shape: MessageShape?
    let size: Int
    let alignment: Int

    init(_ kind: (any EncodedKind.Type)?, in context: JSContext?) {
        self.kind = kind
        shape = kind.flatMap { kind in context.map { $0.messageShape(of: kind.subject) } }
        size = kind?.size ?? 0
        alignment = max(kind?.alignment ?? 1, 1)
    }
}
