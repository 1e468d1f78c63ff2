/// A trace that connects the calls that are made for one another, on both sides (`x.t`).
///
/// A nested call has the ``id`` of the outer one; its ``parent`` is the call whose handler makes it. A trace is one
/// word, because every request has space for it and few have one.
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

    /// The id that all calls of one trace share: any string that is not empty.
    public var id: String { storage.id }

    /// The id on the wire of the call that this one was made for; `nil` for the first of a trace.
    public var parent: String? { storage.parent }

    /// Creates a trace; without an id, a new one of 128 random bits.
    public init(id: String? = nil, parent: String? = nil) {
        storage = Storage(
            id ?? UInt64.random(in: 0 ... .max).digits + UInt64.random(in: 0 ... .max).digits,
            parent
        )
    }

    /// Returns whether two traces have the same id and parent.
    public static func == (left: Self, right: Self) -> Bool {
        left.id == right.id && left.parent == right.parent
    }

    /// Hashes the properties that ``==(_:_:)`` compares.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(id)
        hasher.combine(parent)
    }
}

extension BridgeTrace {
    /// The maximum length of an id in UTF-16 units; a longer one is ignored.
    package static let maximumLength = 256

    /// Returns the trace of the calls that are made for the call with this one.
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
