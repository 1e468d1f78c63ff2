internal import JavaScriptEngine

/// A function that crosses the bridge as itself: a script's, which Swift may call as often as it likes, or one of
/// Swift, which is an ordinary function to scripts that returns a promise.
///
/// ```swift
/// struct Download: Codable { var url: URL, onDone: BridgeFunction }
/// try bridge.registerHandler("download") { (download: Download) async throws in
///     try await download.onDone(try await fetch(download.url))
/// }
/// ```
///
/// It is a member, an element, an argument or the whole of a Codable type: of those that a bridge's handlers and calls take
/// and give, also as a ``Value/reference(_:)`` in a ``Value``, and of those that typed functions take and give
/// (``JSContext/function(_:)``, ``JSContext/makeFunction(named:_:)``). By text it crosses to a side that takes references
/// (`refs`); to another one encoding it is `unsupported`. An object with methods is a ``BridgeObject``.
///
/// Across a bridge each call is a request: it is logged, intercepted, granted and limited as one (as `_wvjb.call`), ends at
/// its deadline, and with its task.
///
/// **Lifetime.** A script's function lives as long as Swift holds this, or until ``release()``; both on any thread. A function
/// of Swift lives as long as a script holds it, which the engine's collector notices some time after, or until the script
/// releases it. All end with the context, at a reload too: then calls fail with `disconnected`.
public final class BridgeFunction: Codable, Sendable {
    fileprivate enum Body: Sendable {
        /// A script's, where no bridge is.
        case script(ScriptFunction)
        /// A script's, across a bridge.
        case remote(RemoteReference)
        case swift(LocalFunction)
    }

    private let body: Body

    private init(_ body: Body) { self.body = body }

    /// Makes a function of Swift that scripts can call.
    ///
    /// Each call gets a task of its own. What it throws rejects the script's promise, with its code, message and data.
    ///
    /// - Parameters:
    ///   - name: The function's name, for stacks.
    ///   - body: What it does; arguments beyond its parameters are passed over, missing ones are `undefined`.
    public init<each Parameter: Decodable & SendableMetatype, Result: Encodable & SendableMetatype>(
        named name: String = "",
        _ body: @escaping @Sendable (repeat each Parameter) async throws -> Result
    ) {
        var parameters: [Any.Type] = []
        repeat parameters.append((each Parameter).self)
        self.body = .swift(
            LocalFunction(name: name, parameters: parameters) { values in
                var arguments = ArgumentReader(values)
                let result = try await body(repeat arguments.next((each Parameter).self))
                return MessagePayload(
                    try ValueEncoder().encode(result),
                    isSecret: SecretMembers.shared.isWhole(result)
                )
            }
        )
    }

    /// Makes a function of Swift that scripts can call and that gives nothing back.
    ///
    /// - Parameters:
    ///   - name: The function's name, for stacks.
    ///   - body: What it does.
    public init<each Parameter: Decodable & SendableMetatype>(
        named name: String = "",
        _ body: @escaping @Sendable (repeat each Parameter) async throws -> Void
    ) {
        var parameters: [Any.Type] = []
        repeat parameters.append((each Parameter).self)
        self.body = .swift(
            LocalFunction(name: name, parameters: parameters) { values in
                var arguments = ArgumentReader(values)
                try await body(repeat arguments.next((each Parameter).self))
                return .value(.undefined)
            }
        )
    }

    /// Calls the function and waits for what it returns: a promise's outcome, or the value itself.
    ///
    /// - Parameters:
    ///   - argument: The arguments.
    ///   - type: What to read the result as.
    ///   - timeout: How long to wait; the bridge's default where it is `nil`. Of a function that is no bridge's it is
    ///     passed over.
    ///   - function: The caller, for traces.
    ///   - fileID: The caller's file.
    ///   - line: The caller's line.
    /// - Returns: The result.
    /// - Throws: ``BridgeError``: what the function throws or rejects with, `decodeFailed`, `disconnected` once its
    ///   context is gone, `invalidArgument` after ``release()``, `deadlineExceeded`, `cancelled`.
    public func callAsFunction<each Argument: Encodable & Sendable, Result: Decodable & Sendable>(
        _ argument: repeat each Argument,
        returning type: Result.Type = Result.self,
        timeout: Duration? = nil,
        function: String = #function,
        fileID: String = #fileID,
        line: Int = #line
    ) async throws -> Result {
        var arguments: [any Encodable & Sendable] = []
        var isSecret = false
        for argument in repeat each argument {
            arguments.append(argument)
            isSecret = isSecret || SecretMembers.shared.isWhole(argument)
        }
        switch body {
        case .script(let function): return try await function.call(arguments) { try $0.decode(Result.self) }
        case .remote(let remote):
            let site = CallSite(function: function, fileID: fileID, line: line)
            let values = try Self.values(arguments)
            let (reply, session) = try await BridgeSession.reading(type) {
                try await remote.call(nil, values, isSecret: isSecret, timeout: timeout, from: site)
            }
            return try reply.decode(by: session.textDecoder)
        case .swift(let function):
            return try ValueDecoder().decode(from: await function.body(Self.values(arguments)).value())
        }
    }

    /// Calls the function and waits until it is done, whatever it returns.
    ///
    /// - Parameters:
    ///   - argument: The arguments.
    ///   - timeout: How long to wait, as in the call with a result.
    ///   - function: The caller, for traces.
    ///   - fileID: The caller's file.
    ///   - line: The caller's line.
    /// - Throws: ``BridgeError``, as the call with a result.
    public func callAsFunction<each Argument: Encodable & Sendable>(
        _ argument: repeat each Argument,
        timeout: Duration? = nil,
        function: String = #function,
        fileID: String = #fileID,
        line: Int = #line
    ) async throws {
        var arguments: [any Encodable & Sendable] = []
        var isSecret = false
        for argument in repeat each argument {
            arguments.append(argument)
            isSecret = isSecret || SecretMembers.shared.isWhole(argument)
        }
        switch body {
        case .script(let function): try await function.call(arguments) { _ in }
        case .remote(let remote):
            let site = CallSite(function: function, fileID: fileID, line: line)
            let values = try Self.values(arguments)
            _ = try await remote.call(nil, values, isSecret: isSecret, timeout: timeout, from: site)
        case .swift(let function): _ = try await function.body(Self.values(arguments))
        }
    }

    /// Lets a script's function go before this does; harmless when done twice, and of a function of Swift nothing.
    ///
    /// It is this giving that goes: who was given the same function by another message keeps it.
    /// Calls after that fail with `invalidArgument`; calls that wait go on.
    public func release() {
        if case .remote(let remote) = body { remote.release() }
    }

    /// Calls it as a method of an object of Swift.
    func run(_ arguments: [Value]) async throws -> MessagePayload {
        switch body {
        case .script(let function): return .value(try await function.call(arguments) { try $0.toValue() })
        case .remote(let remote):
            let site = CallSite(function: "callAsFunction", fileID: #fileID, line: #line)
            return try await remote.call(nil, arguments, timeout: nil, from: site).0
        case .swift(let function): return try await function.body(arguments)
        }
    }

    /// Whether arguments are not to be shown, where it is one of Swift.
    func hides(_ arguments: [Value]) -> Bool {
        if case .swift(let function) = body { function.hides(arguments, of: nil) } else { false }
    }

    // MARK: - Coding

    /// Reads a function: one that a message refers to.
    ///
    /// - Throws: `decodeFailed` for anything else.
    public init(from decoder: any Decoder) throws {
        let value = try decoder.singleValueContainer().decode(Value.self)
        guard case .reference(let reference) = value, let body = Body(reference) else {
            throw DecodingError.typeMismatch(
                Self.self,
                .init(
                    codingPath: decoder.codingPath,
                    debugDescription: "a value of the kind \(value.kind) is not a function"
                )
            )
        }
        self.body = body
    }

    /// Writes the function, for a message that may refer to it.
    ///
    /// - Throws: `unsupported` where nothing can.
    public func encode(to encoder: any Encoder) throws {
        guard let reference else {
            throw BridgeError(
                .unsupported,
                "The function is of a script that has no bridge, so no message can refer to it."
            )
        }
        var container = encoder.singleValueContainer()
        try container.encode(Value.reference(reference))
    }

    private var reference: Reference? {
        switch body {
        case .script: nil
        case .remote(let remote): Reference(remote)
        case .swift(let function): Reference(function)
        }
    }

    private static func values(_ arguments: [any Encodable & Sendable]) throws -> [Value] {
        try arguments.map { try ValueEncoder().encode($0) }
    }

    /// Makes the function of a script's value.
    public convenience init(crossing value: JSValue) throws {
        let mismatch = DecodingError.typeMismatch(
            Self.self,
            .init(codingPath: [], debugDescription: "a value of another kind is not a function")
        )
        guard value.isFunction else { throw mismatch }
        guard let references = value.context.references else {
            self.init(.script(ScriptFunction(value)))
            return
        }
        guard let body = Body(try references.reference(to: value)) else { throw mismatch }
        self.init(body)
    }
}

extension BridgeFunction.Body {
    /// The function that a reference stands for; `nil` for an object.
    fileprivate init?(_ reference: Reference) {
        switch reference.target {
        case let local as LocalFunction: self = .swift(local)
        case let remote as RemoteReference where remote.kind == .function: self = .remote(remote)
        default: return nil
        }
    }
}

extension BridgeFunction: JSCrossing {
    package func crossingValue(in context: JSContext) throws -> JSValue {
        switch body {
        case .script(let function): return try function.value(in: context)
        case .remote(let remote):
            guard let references = context.references else {
                throw BridgeError(.unsupported, "The function belongs to another context.")
            }
            return try references.value(of: Reference(remote))
        case .swift(let function):
            if let references = context.references { return try references.value(of: Reference(function)) }
            return try context.makeAsyncFunction(
                named: function.name,
                parameterCount: function.parameterCount
            ) { try await function.body(Array($0)).value() }
        }
    }
}

/// Reads the arguments of a call one after another.
private struct ArgumentReader {
    private var values: ArraySlice<Value>
    private var index = 0

    init(_ values: [Value]) { self.values = values[...] }

    mutating func next<Parameter: Decodable>(_ type: Parameter.Type) throws -> Parameter {
        defer { index += 1 }
        return try ValueDecoder().decode(type, from: values.popFirst() ?? .undefined)
    }
}
