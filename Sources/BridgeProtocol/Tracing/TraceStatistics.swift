/// What a bridge counted since tracing was switched on.
public struct TraceStatistics: Sendable, Hashable {
    /// The calls of one handler from one side.
    public struct Handler: Sendable, Hashable {
        /// The handler's name.
        public let name: String
        /// Who called.
        public let origin: TraceEvent.Side
        /// How many calls and notifications were made.
        public var callCount = 0
        /// How many ended in an error.
        public var failureCount = 0
        /// How many are under way, those that wait included.
        public var depth = 0
        /// The most that were under way at once.
        public var maximumDepth = 0
        /// How many wait to arrive: its queue's depth.
        public var queueDepth = 0
        /// The most that waited at once.
        public var maximumQueueDepth = 0
        /// How long calls took that have ended, waiting included.
        public var latency = LatencyHistogram()
        /// How long they waited before they arrived.
        public var waiting = LatencyHistogram()
    }

    /// For how many names and sides figures are kept; what comes after those counts under ``otherName``.
    public static let maximumHandlers = 1_000
    /// How long a name may be in UTF-8 for which figures are kept; longer ones count under ``otherName``.
    public static let maximumNameBytes = 1_000
    /// What stands for all names that came after ``maximumHandlers``, or are too long.
    public static let otherName = "(others)"

    private var places: [Key: Int] = [:]
    /// The handlers, in the order of their first call.
    public private(set) var handlers: [Handler] = []
    /// How much waits.
    public internal(set) var depths = TraceDepths()
    /// The most that waited at once, each by itself.
    public internal(set) var maximumDepths = TraceDepths()

    private struct Key: Sendable, Hashable {
        let name: String
        let origin: TraceEvent.Side
    }

    /// The figures of a handler, as called from a side; `nil` if it was not called.
    public func handler(_ name: String, from origin: TraceEvent.Side) -> Handler? {
        places[Key(name: name, origin: origin)].map { handlers[$0] }
    }

    mutating func note(_ depths: TraceDepths) {
        self.depths = depths
        maximumDepths.queue = max(maximumDepths.queue, depths.queue)
        maximumDepths.outgoing = max(maximumDepths.outgoing, depths.outgoing)
        maximumDepths.incoming = max(maximumDepths.incoming, depths.incoming)
    }

    /// Gives the place of a handler's figures, which stays.
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

    /// Whether a name is short enough: scripts may ask for any.
    static func isKept(_ name: String) -> Bool { name.utf8.count <= maximumNameBytes }

    mutating func update(_ place: Int, _ body: (inout Handler) -> Void) { body(&handlers[place]) }
}
