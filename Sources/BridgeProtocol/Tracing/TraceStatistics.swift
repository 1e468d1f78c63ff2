/// The counts and latencies of a bridge since tracing was enabled.
public struct TraceStatistics: Sendable, Hashable {
    /// The calls of a handler from one side.
    public struct Handler: Sendable, Hashable {
        /// The handler's name.
        public let name: String
        /// The side of the callers.
        public let origin: TraceEvent.Side
        /// The number of calls and notifications.
        public var callCount = 0
        /// The number of calls that ended in an error.
        public var failureCount = 0
        /// The number of calls in progress, those that wait included.
        public var depth = 0
        /// The maximum number of calls in progress at the same time.
        public var maximumDepth = 0
        /// The number of calls that have not arrived: the length of the handler's queue.
        public var queueDepth = 0
        /// The maximum number of calls that waited at the same time.
        public var maximumQueueDepth = 0
        /// The durations of finished calls, waiting included.
        public var latency = LatencyHistogram()
        /// The times that calls waited before they arrived.
        public var waiting = LatencyHistogram()
    }

    /// The maximum number of handlers and sides with their own figures; later ones count under ``otherName``.
    public static let maximumHandlers = 1_000
    /// The maximum length in UTF-8 of a name with its own figures; longer names count under ``otherName``.
    public static let maximumNameBytes = 1_000
    /// The name that represents all names beyond ``maximumHandlers``, and those that are too long.
    public static let otherName = "(others)"

    private var places: [Key: Int] = [:]
    /// The handlers, in the order of their first call.
    public private(set) var handlers: [Handler] = []
    /// The current numbers of waiting messages and calls.
    public internal(set) var depths = TraceDepths()
    /// The maximum of each number.
    public internal(set) var maximumDepths = TraceDepths()

    private struct Key: Sendable, Hashable {
        let name: String
        let origin: TraceEvent.Side
    }

    /// Returns the figures of a handler for calls from a side; `nil` if it was not called.
    public func handler(_ name: String, from origin: TraceEvent.Side) -> Handler? {
        places[Key(name: name, origin: origin)].map { handlers[$0] }
    }

    mutating func note(_ depths: TraceDepths) {
        self.depths = depths
        maximumDepths.queue = max(maximumDepths.queue, depths.queue)
        maximumDepths.outgoing = max(maximumDepths.outgoing, depths.outgoing)
        maximumDepths.incoming = max(maximumDepths.incoming, depths.incoming)
    }

    /// Returns the index of a handler's figures, which never changes.
    mutating func place(of name: String, from origin: TraceEvent.Side) -> Int {
        var key = Key(name: name, origin: origin)
        if let place = places[key] { return place }
        if handlers.count >= Self.maximumHandlers || !Self.isKept(name) {
            key = Key(name: Self.otherName, origin: origin)
        }
        if let place = places[key] { return place }
        handlers.append(Handler(name: key.name, origin: origin))
        places[key] = handlers.count - 1
        return handlers.count - 1
    }

    /// Returns whether a name is short enough, because scripts may call any name.
    static func isKept(_ name: String) -> Bool { name.utf8.count <= maximumNameBytes }

    mutating func update(_ place: Int, _ body: (inout Handler) -> Void) { body(&handlers[place]) }
}
