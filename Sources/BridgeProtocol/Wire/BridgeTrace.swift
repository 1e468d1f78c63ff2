/// What joins the calls that are made for one another, on both sides (`x.t`).
///
/// A call that is made on behalf of another has that one's ``id``, and as its ``parent`` the call whose handler makes it.
/// One word, as every request has room for it and few have one.
public struct BridgeTrace: Sendable, Hashable {
    private final class Storage: Sendable {
        let id: String
        let parent: String?

        init(_ id: String, _ parent: String?) {
            self.id = id
            self.parent = parent
        }
    }

    private let storage: Storage

    /// What all calls of one trace share: any text that is not empty.
    public var id: String { storage.id }

    /// The call that this one was made for, by its id on the wire; `nil` for the first of a trace.
    public var parent: String? { storage.parent }

    /// Makes a trace; without an id, a new one of 128 random bits.
    public init(id: String? = nil, parent: String? = nil) {
        storage = Storage(
            id ?? UInt64.random(in: 0 ... .max).digits + UInt64.random(in: 0 ... .max).digits,
            parent
        )
    }

    /// Whether two traces say the same.
    public static func == (left: Self, right: Self) -> Bool {
        left.id == right.id && left.parent == right.parent
    }

    /// Hashes what ``==(_:_:)`` compares.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(id)
        hasher.combine(parent)
    }
}

extension BridgeTrace {
    /// How many units an id may have; a longer one is none.
    package static let maximumLength = 256

    /// The trace of what is done for the call that this one came with.
    ///
    /// - Parameter call: The call's own id; `nil` where it has none.
    /// - Returns: The same trace, with that call as its parent.
    package func nested(in call: MessageID?) -> BridgeTrace {
        BridgeTrace(id: id, parent: call?.description ?? parent)
    }
}

extension UInt64 {
    fileprivate var digits: String {
        let digits = String(self, radix: 16)
        return String(repeating: "0", count: 16 - digits.utf8.count) + digits
    }
}
