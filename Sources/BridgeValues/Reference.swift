/// A function or an object that stays on its side of a bridge, as the other side holds it.
///
/// In a ``Value`` it stands where data would. Two references are equal if they stand for the same thing; nothing else can
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

    /// Whether two references stand for the same thing.
    public static func == (left: Reference, right: Reference) -> Bool {
        left.target === right.target || left.target.isSame(as: right.target)
    }

    /// Hashes what the thing is called.
    public func hash(into hasher: inout Hasher) { hasher.combine(target.record.id) }
}

/// What a ``Reference`` stands for: something of this side, or what stands here for something of the other.
package protocol ReferenceTarget: AnyObject, Sendable {
    /// What a message says of it.
    var record: ReferenceRecord { get }
    /// Whether another stands for the same thing.
    func isSame(as other: any ReferenceTarget) -> Bool
}

extension ReferenceTarget {
    /// Only itself, unless it can be given more than once.
    package func isSame(as other: any ReferenceTarget) -> Bool { self === other }
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
        /// The result of a call, which the receiver has and the sender has not: no entry of `x.refs`, but one of `x.p`.
        case result
    }

    /// What its owner calls it, and nobody calls anything else in the life of a process.
    package var id: String
    /// Whose it is, and what.
    package var kind: Kind
    /// The names of an object's methods.
    package var methods: [String]

    /// The way into a result: texts and numbers.
    package var path: [Value] = []

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
    /// How long a way into a result may be.
    private static let maximumPath = 64

    /// What is at the end of a way of keys and indexes; ``undefined`` where that is nothing.
    ///
    /// - Throws: `decodeFailed` for a step that is neither, `limitExceeded` for too many of them.
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
            default: throw BridgeError(.decodeFailed, "A step into a result is a text or a number.")
            }
        }
        return value
    }
}
