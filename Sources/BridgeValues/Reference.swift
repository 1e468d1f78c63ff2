/// A function or an object that stays on its side of a bridge, as the other side holds it.
///
/// In a ``Value`` it stands where data would. Two references are equal if they stand for the same holder; nothing else can
/// be asked of one. A `BridgeFunction` or a `BridgeObject` of JavaScriptBridge is read from it, and made into it:
///
/// ```swift
/// bridge.registerHandler("watch") { (request: Value) async throws in
///     let onChange = try ValueDecoder().decode(BridgeFunction.self, from: request["onChange"])
///     try await onChange("begun")
/// }
/// ```
///
/// It keeps what it stands for alive, also on the other side, until the last copy goes.
public struct Reference: Sendable, Hashable {
    /// What it stands for.
    package let target: any ReferenceTarget

    /// Makes the reference to a target.
    package init(_ target: any ReferenceTarget) { self.target = target }

    /// Whether two references have one holder.
    public static func == (left: Reference, right: Reference) -> Bool { left.target === right.target }

    /// Hashes the holder.
    public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(target)) }
}

/// What a ``Reference`` stands for: something of this side, or what stands here for something of the other.
package protocol ReferenceTarget: AnyObject, Sendable {
    /// What a message says of it.
    var record: ReferenceRecord { get }
}

/// What a message says of a reference beside its payload (`x.refs`).
package struct ReferenceRecord: Sendable, Hashable {
    /// Whose it is, and what.
    package enum Kind: String, Sendable, Hashable {
        /// A function of the sender.
        case function
        /// An object of the sender.
        case object
        /// Something of the receiver, which comes back to it.
        case yours
    }

    /// What its owner calls it, and nobody calls anything else in the life of a process.
    package var id: String
    /// Whose it is, and what.
    package var kind: Kind
    /// The names of an object's methods.
    package var methods: [String]

    /// Makes a record.
    package init(id: String, kind: Kind, methods: [String] = []) {
        self.id = id
        self.kind = kind
        self.methods = methods
    }

    /// How many methods an object may have.
    package static let maximumMethods = 1024

    /// Reads an entry of `x.refs`; `nil` for what is not of its form.
    package init?(_ entry: Value) {
        guard let id = entry["id"].stringValue, !id.isEmpty, id.utf8.count <= 256,
            let kind = entry["k"].stringValue.flatMap(Kind.init(rawValue:))
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
