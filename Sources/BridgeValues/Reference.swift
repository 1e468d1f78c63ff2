/// A function or an object that stays on its side of a bridge, as the other side holds it.
///
/// A ``Value`` may contain it in place of data. Two references are equal if they refer to the same function or object;
/// a reference has no other operations. A `BridgeFunction` or a `BridgeObject` of JavaScriptBridge is decoded from a
/// reference, and encoded as one:
///
/// ```swift
/// bridge.registerHandler("watch") { (request: Value) async throws in
///     let onChange = try ValueDecoder().decode(BridgeFunction.self, from: request["onChange"])
///     try await onChange("begun")
/// }
/// ```
///
/// A reference retains its target, also on the other side, until the last copy is released.
public struct Reference: Sendable, Hashable {
    /// The function or object that it refers to.
    package let target: any ReferenceTarget

    /// Creates the reference to a target.
    package init(_ target: any ReferenceTarget) { self.target = target }

    /// Returns whether two references have the same target.
    public static func == (left: Reference, right: Reference) -> Bool {
        left.target === right.target || left.target.isSame(as: right.target)
    }

    /// Hashes the id of the target.
    public func hash(into hasher: inout Hasher) { hasher.combine(target.record.id) }
}

/// The target of a ``Reference``: a function or an object of this side, or a proxy of one of the other side.
package protocol ReferenceTarget: AnyObject, Sendable {
    /// The record of the target in a message.
    var record: ReferenceRecord { get }
    /// Returns whether another target represents the same function or object.
    func isSame(as other: any ReferenceTarget) -> Bool
}

extension ReferenceTarget {
    /// Returns whether the other is this very target, for targets that are never represented twice.
    package func isSame(as other: any ReferenceTarget) -> Bool { self === other }
}

/// The record of a reference in a message, beside the payload (`x.refs`).
package struct ReferenceRecord: Sendable, Hashable {
    /// The kind and the owner of a reference.
    package enum Kind: String, Sendable, Hashable {
        /// A function of the sender.
        case function
        /// An object of the sender.
        case object
        /// Something of the receiver, which comes back to it.
        case yours
        /// A result of a call, which the receiver has and the sender does not: an entry of `x.p` instead of `x.refs`.
        case result
    }

    /// The id that its owner chose, unique within the life of a process.
    package var id: String
    /// The kind and the owner of the reference.
    package var kind: Kind
    /// The names of an object's methods.
    package var methods: [String]

    /// The path into a result: strings and numbers.
    package var path: [Value] = []

    /// Creates a record.
    package init(id: String, kind: Kind, methods: [String] = []) {
        self.id = id
        self.kind = kind
        self.methods = methods
    }

    /// The maximum number of methods of an object.
    package static let maximumMethods = 1024

    /// Creates a record from an entry of `x.refs`; `nil` for a malformed entry.
    package init?(_ entry: Value) {
        guard let id = entry["id"].stringValue, !id.isEmpty, id.utf8.count <= 256,
            let kind = entry["k"].stringValue.flatMap(Kind.init(rawValue:)), kind != .result
        else { return nil }
        let methods = entry["m"].arrayValue ?? []
        guard methods.count <= Self.maximumMethods else { return nil }
        self.init(id: id, kind: kind, methods: methods.compactMap(\.stringValue))
    }

    /// The entry of `x.refs`.
    package var entry: Value {
        var object: ValueObject = ["id": .string(id), "k": .string(kind.rawValue)]
        if kind == .object { object["m"] = .array(methods.map(Value.string)) }
        return .object(object)
    }
}

extension Value {
    /// The maximum length of a path into a result.
    private static let maximumPath = 64

    /// Returns the value at a path of keys and indexes; ``undefined`` where there is none.
    ///
    /// - Throws: `decodeFailed` for a step that is neither, `limitExceeded` for too many steps.
    package func member(at path: some Collection<Value>) throws(BridgeError) -> Value {
        guard path.count <= Self.maximumPath else {
            let text =
                "A path into a result has \(Self.maximumPath) steps at most, this one has \(path.count)."
            throw BridgeError(.limitExceeded, text)
        }
        var value = self
        for step in path {
            switch step {
            case .string(let key): value = value[key]
            case .integer(let index): value = Int(exactly: index).map { value[$0] } ?? .undefined
            default:
                throw BridgeError(
                    .decodeFailed,
                    "A step of a path into a result must be a string or a number."
                )
            }
        }
        return value
    }
}
