internal import BridgeValues

/// A stream of the other side that is read here.
struct InboundStream: Sendable {
    let id: MessageID
    let handlerName: String
    /// The number of delivered items, which is the number of the next one.
    var received: UInt64 = 0
    /// The total number of items that the producer may send.
    var granted: UInt64 = 0
    /// Items that arrived before earlier ones.
    var early: [UInt64: PayloadToken?] = [:]
    var earlyEnd: (count: UInt64, error: BridgeError?)?
    var account: WorkBudget?
}

/// A stream that is sent from here.
struct OutboundStream: Sendable {
    let number: UInt64
    var sent: UInt64 = 0
    var credit: UInt64 = 0
    var admission: Admission?
    var account: WorkBudget?
}

/// The open streams: those of the other side by their ids, and those of this side by their numbers.
struct StreamTable: Sendable {
    private var inbound = Slab<InboundStream>()
    private var inboundByID = IdentifierTable()
    private var outbound = Slab<OutboundStream>()
    private var outboundByNumber = NumberTable()
    /// The number of the last stream of this side, which no other stream has had.
    private(set) var lastNumber: UInt64 = 0

    var inboundCount: Int { inbound.count }
    var outboundCount: Int { outbound.count }
    var inboundIDs: [InboundStreamID] { inbound.keys.map(InboundStreamID.init(key:)) }
    var outboundIDs: [OutboundStreamID] { outbound.keys.map(OutboundStreamID.init(key:)) }

    subscript(stream: InboundStreamID) -> InboundStream? {
        get { inbound[stream.key] }
        // A stream that has ended stays so.
        set { if let newValue { inbound.replace(stream.key, newValue) } }
    }

    subscript(stream: OutboundStreamID) -> OutboundStream? {
        get { outbound[stream.key] }
        set { if let newValue { outbound.replace(stream.key, newValue) } }
    }

    /// Returns the stream of the other side with an id.
    func inbound(_ id: MessageID) -> InboundStreamID? { inboundByID[id].map(InboundStreamID.init(key:)) }

    /// Returns the stream of this side with a number.
    func outbound(_ number: UInt64) -> OutboundStreamID? {
        number > 0 && number <= lastNumber ? outboundByNumber[number].map(OutboundStreamID.init(key:)) : nil
    }

    /// Adds a stream of the other side, whose id must be new.
    mutating func insert(_ stream: InboundStream) -> InboundStreamID {
        let key = inbound.insert(stream)
        inboundByID.insert(stream.id, key)
        return InboundStreamID(key: key)
    }

    /// Adds a stream of this side, which gets the next number.
    mutating func open(admission: Admission?, account: WorkBudget?) -> OutboundStreamID {
        lastNumber += 1
        let stream = OutboundStream(number: lastNumber, admission: admission, account: account)
        let key = outbound.insert(stream)
        outboundByNumber.insert(lastNumber, key)
        return OutboundStreamID(key: key)
    }

    /// Removes a stream of the other side from all tables.
    mutating func remove(_ stream: InboundStreamID) -> InboundStream? {
        guard let entry = inbound.remove(stream.key) else { return nil }
        inboundByID.remove(entry.id, stream.key)
        return entry
    }

    /// Removes a stream of this side from all tables.
    mutating func remove(_ stream: OutboundStreamID) -> OutboundStream? {
        guard let entry = outbound.remove(stream.key) else { return nil }
        outboundByNumber.remove(entry.number)
        return entry
    }
}
