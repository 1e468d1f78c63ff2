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
    /// The listener, if this is one.
    @exclusivity(unchecked) fileprivate var listener: RegisteredHandler?
    let reader: PayloadReader
    let requestSize: Int
    let requestAlignment: Int
    /// The synchronous body of the handler; `nil` if the handler may suspend, and once it was removed.
    @exclusivity(unchecked) private(set) var body: (any SynchronousHandler)?
    /// The type of the results; `nil` if there are none.
    let responseKind: (any EncodedKind.Type)?
    /// The shape of the results in a context; `nil` where they are written as text.
    let responseShape: MessageShape?
    let responseSize: Int
    let responseAlignment: Int

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
        let body = typed as? any SynchronousHandler
        let kind = body?.responseKind
        // Data, and types with a larger alignment than the memory, go through the machine.
        let isPlain = kind.map { PayloadMemory.takes($0) && $0.subject != Value.self } ?? true
        self.body = isPlain ? body : nil
        responseKind = kind
        responseShape = kind.flatMap { kind in context.map { $0.messageShape(of: kind.subject) } }
        responseSize = kind?.size ?? 0
        responseAlignment = max(kind?.alignment ?? 1, 1)
    }

    /// Returns a result that is encoded when it is delivered; `nil` if the handler has none.
    func held(_ result: UnsafeMutableRawPointer) -> MessagePayload? {
        responseKind.map { kind in .held(PayloadMemory(kind, site: site) { kind.copy(result, to: $0) }) }
    }

    /// Releases the handler's function once it was removed: what refers to this object may live longer.
    func end() { (body, listener) = (nil, nil) }
}

extension ResolvedHandler {
    /// Returns whether its requests may be answered without the machine.
    @inline(__always)
    func isOpen(in session: BridgeSession) -> Bool {
        !session.mask.contains(anyOf: .requests) && stands(in: session)
    }

    /// Returns whether it is still the handler that is registered under its name.
    ///
    /// The name is looked up only if handlers were registered or removed since.
    @inline(__always)
    func stands(in session: BridgeSession) -> Bool {
        let registrations = session.registrations.load(ordering: .acquiring)
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
