internal import JavaScriptEngine

/// A function that crosses the bridge as itself: a script's, which Swift may call as often as it likes, or one of
/// Swift, which is an ordinary function to scripts that returns a promise.
///
/// ```swift
/// struct Download: Codable { var url: URL, onDone: BridgeFunction }
/// let download = try await bridge.withContext { context -> Download in
///     let next: () throws -> Download = try context.function("nextDownload")
///     return try next()
/// }
/// try await download.onDone(try await fetch(download.url))
/// ```
///
/// It is a member, an element or an argument like any other of the Codable types that typed functions take and give
/// (``JSContext/function(_:)``, ``JSContext/makeFunction(named:_:)``), and of those of a bridge's handlers and calls in
/// process. Where payloads cross as data, which is so by text, inside a dictionary, and while traffic is logged or
/// intercepted, encoding or decoding it fails with `unsupported`. An object with methods is a type with several members
/// of this.
///
/// **Lifetime.** A script's function lives as long as Swift holds this; it may be let go on any thread. A function of
/// Swift lives as long as a script holds it, which the engine's collector notices some time after. All end with
/// the context.
public final class BridgeFunction: Codable, Sendable {
    private enum Body: Sendable {
        case script(ScriptFunction)
        case swift(name: String, parameterCount: Int, @Sendable ([Value]) async throws -> Value)
    }

    private let body: Body

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
        self.body = .swift(name: name, parameterCount: Self.count(repeat (each Parameter).self)) { values in
            var arguments = ArgumentReader(values)
            return try ValueEncoder().encode(await body(repeat arguments.next((each Parameter).self)))
        }
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
        self.body = .swift(name: name, parameterCount: Self.count(repeat (each Parameter).self)) { values in
            var arguments = ArgumentReader(values)
            try await body(repeat arguments.next((each Parameter).self))
            return .undefined
        }
    }

    /// Calls the function and waits for what it returns: a promise's outcome, or the value itself.
    ///
    /// - Parameters:
    ///   - argument: The arguments.
    ///   - type: What to read the result as.
    /// - Returns: The result.
    /// - Throws: ``BridgeError``: what the function throws or rejects with, `decodeFailed`, `disconnected` once its
    ///   context is gone, `cancelled`.
    public func callAsFunction<each Argument: Encodable & Sendable, Result: Decodable & Sendable>(
        _ argument: repeat each Argument,
        returning type: Result.Type = Result.self
    ) async throws -> Result {
        var arguments: [any Encodable & Sendable] = []
        repeat arguments.append(each argument)
        switch body {
        case .script(let function): return try await function.call(arguments) { try $0.decode(Result.self) }
        case .swift(_, _, let body):
            return try ValueDecoder().decode(from: await body(Self.values(arguments)))
        }
    }

    /// Calls the function and waits until it is done, whatever it returns.
    ///
    /// - Throws: ``BridgeError``, as the call with a result.
    public func callAsFunction<each Argument: Encodable & Sendable>(_ argument: repeat each Argument)
        async throws
    {
        var arguments: [any Encodable & Sendable] = []
        repeat arguments.append(each argument)
        switch body {
        case .script(let function): try await function.call(arguments) { _ in }
        case .swift(_, _, let body): _ = try await body(Self.values(arguments))
        }
    }

    /// Fails: a function crosses as itself or not at all.
    public init(from decoder: any Decoder) throws {
        throw BridgeError(.unsupported, Self.onlyAsItself)
    }

    /// Fails: a function crosses as itself or not at all.
    public func encode(to encoder: any Encoder) throws {
        throw BridgeError(.unsupported, Self.onlyAsItself)
    }

    private static let onlyAsItself =
        "A function crosses only in process, as a member, an element or an argument of a known type."

    private static func count<each Parameter>(_ type: repeat (each Parameter).Type) -> Int {
        var count = 0
        for _ in repeat each type { count += 1 }
        return count
    }

    private static func values(_ arguments: [any Encodable & Sendable]) throws -> [Value] {
        try arguments.map { try ValueEncoder().encode($0) }
    }

    /// Makes the function of a script's value.
    public init(crossing value: JSValue) throws {
        guard value.isFunction else {
            throw DecodingError.typeMismatch(
                Self.self,
                .init(codingPath: [], debugDescription: "a value of another kind is not a function")
            )
        }
        body = .script(ScriptFunction(value))
    }
}

extension BridgeFunction: JSCrossing {
    package func crossingValue(in context: JSContext) throws -> JSValue {
        switch body {
        case .script(let function): try function.value(in: context)
        case .swift(let name, let parameterCount, let body):
            try context.makeAsyncFunction(named: name, parameterCount: parameterCount, body)
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
