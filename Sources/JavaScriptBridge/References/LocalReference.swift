internal import Synchronization

/// A Swift function or object that scripts call by reference.
protocol LocalReference: ReferenceTarget {
    /// Runs a function, or a method of an object.
    ///
    /// - Throws: `handlerNotFound` for an unknown method, and any error that the function throws.
    func run(_ method: String?, _ arguments: [Value]) async throws -> MessagePayload
    /// Returns the place where the function, or the one of a method, was made; `nil` if that is a function of a script.
    func site(of method: String?) -> CallSite?
    /// Returns whether arguments must be hidden: their types hold secrets, but the arguments lack the known properties
    /// (R38).
    func hides(_ arguments: [Value], of method: String?) -> Bool
}

/// A Swift function.
final class LocalFunction: LocalReference {
    typealias Body = @Sendable ([Value]) async throws -> MessagePayload

    let record = ReferenceRecord(id: ReferenceRecord.newID(), kind: .function)
    let name: String
    private let site: CallSite
    /// The shapes of the secrets in its parameters.
    private let shapes: [SecretShape?]
    let body: Body

    var parameterCount: Int { shapes.count }

    init(name: String, fileID: String, line: Int, parameters: [Any.Type], body: @escaping Body) {
        self.name = name
        site = CallSite(
            function: name.isEmpty ? "function" : "function \"\(name)\"",
            fileID: fileID,
            line: line
        )
        shapes = parameters.map { SecretMembers.shared.learn($0) }
        self.body = body
    }

    func site(of method: String?) -> CallSite? { site }

    func hides(_ arguments: [Value], of method: String?) -> Bool {
        !zip(shapes, arguments).allSatisfy { $0?.isAsDeclared($1) ?? true }
    }

    func run(_ method: String?, _ arguments: [Value]) async throws -> MessagePayload {
        guard method == nil else {
            throw BridgeError(.handlerNotFound, "The reference is to a function, which has no methods.")
        }
        return try await body(arguments)
    }
}

/// A Swift object: functions under names.
final class LocalObject: LocalReference {
    let record: ReferenceRecord
    let methods: [String: BridgeFunction]

    init(_ methods: [String: BridgeFunction]) {
        self.methods = methods
        record = ReferenceRecord(
            id: ReferenceRecord.newID(),
            kind: .object,
            methods: methods.keys.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
        )
    }

    func site(of method: String?) -> CallSite? { method.flatMap { methods[$0]?.site } }

    func hides(_ arguments: [Value], of method: String?) -> Bool {
        method.flatMap { methods[$0] }?.hides(arguments) ?? false
    }

    func run(_ method: String?, _ arguments: [Value]) async throws -> MessagePayload {
        guard let method, let function = methods[method] else {
            throw BridgeError(.handlerNotFound, "The object has no method \"\(method ?? "")\".")
        }
        return try await function.run(arguments)
    }
}

extension ReferenceRecord {
    private static let lastNumber = Atomic<UInt64>(0)

    /// Returns an id that is unique and cannot be guessed.
    static func newID() -> String {
        let number = lastNumber.add(1, ordering: .relaxed).newValue
        return "ref_\(number)_" + String(UInt64.random(in: .min ... .max), radix: 16)
    }
}
