/// The decoding of replies as a type.
struct ReplyType {
    /// The number by which the script knows the type; 0 if replies are read as data.
    let number: Int
    let reader: PayloadReader

    init(_ number: Int, _ reader: PayloadReader) {
        self.number = number
        self.reader = reader
    }
}

/// The types as which the replies of a script are decoded without a ``Value``.
struct ReplyTypes {
    /// The maximum number of types: the number of one is stored above the bits of a request's
    /// ``CallerCapabilities``.
    private static let maximum = 4095

    private var types: [ObjectIdentifier: ReplyType] = [:]
    private var last: (type: ObjectIdentifier, reply: ReplyType)?
    private var lastNumber = 0

    subscript(type: ObjectIdentifier) -> ReplyType? { types[type] }

    /// The number of the next type that the script gets to know; `nil` if it knows as many as it may.
    var nextNumber: Int? { lastNumber < Self.maximum ? lastNumber + 1 : nil }

    /// Returns the latest used one if it is that of a type, which costs no lookup.
    @inline(__always)
    func last(ifOf type: ObjectIdentifier) -> ReplyType? {
        guard let last, last.type == type else { return nil }
        return last.reply
    }

    /// Makes one the latest used.
    mutating func use(_ reply: ReplyType, of type: ObjectIdentifier) { last = (type, reply) }

    /// Adds a type.
    mutating func add(_ reply: ReplyType) {
        types[reply.reader.typeID] = reply
        lastNumber = max(lastNumber, reply.number)
    }
}
