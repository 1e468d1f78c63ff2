internal import JavaScriptEngine

/// A function that is passed across the bridge by reference: a script's function, which Swift may call repeatedly, or a
/// Swift function, which scripts see as an ordinary function that returns a promise.
///
/// ```swift
/// struct Download: Codable { var url: URL, onDone: BridgeFunction }
/// try bridge.registerHandler("download") { (download: Download) async throws in
///     try await download.onDone(try await fetch(download.url))
/// }
/// ```
///
/// It may be a property, an element, an argument or the whole of a Codable type in a bridge's calls and handlers. A
/// ``Value`` may contain it as ``Value/reference(_:)``. Typed functions send and receive it too
/// (`JSContext.function(_:)`, `makeFunction(_:_:)`). The text transport sends it only to a peer that supports
/// references (`refs`); to another peer encoding it throws `unsupported`. An object with methods is a ``BridgeObject``.
///
/// Across a bridge each call is a request: it is logged, intercepted, granted and limited as one (as `_wvjb.call`). It
/// ends at its deadline and when its task is cancelled.
///
/// **Lifetime.** A script's function lives as long as Swift holds this object, or until ``release()``; both may happen
/// on any thread. A Swift function lives until no script holds it, which the engine's garbage collector notices some
/// time later, or until the script releases it. All references end with the context, also on a reload: then calls fail
/// with `disconnected`.
public final class BridgeFunction: Codable, Sendable {
    fileprivate enum Body: Sendable {
        /// A script's function in a context without a bridge.
        case script(ScriptFunction)
        /// A script's function across a bridge.
        case remote(RemoteReference)
        case swift(LocalFunction)
    }

    private let body: Body

    private init(_ body: Body) { self.body = body }

    /// Creates a Swift function that scripts can call.
    ///
    /// Each call gets its own task. An error that the function throws rejects the script's promise, with its code,
    /// message and data.
    ///
    /// - Parameters:
    ///   - name: The function's name, for stacks.
    ///   - fileID: The file in which it is made, for stacks.
    ///   - line: The line in which it is made.
    ///   - body: The function; extra arguments are ignored, missing ones are `undefined`.
    public init<each Parameter: Decodable & SendableMetatype, Result: Encodable & SendableMetatype>(
        named name: String = "",
        fileID: String = #fileID,
        line: Int = #line,
        _ body: @escaping @Sendable (repeat each Parameter) async throws -> Result
    ) {
        var parameters: [Any.Type] = []
        repeat parameters.append((each Parameter).self)
        self.body = .swift(
            LocalFunction(name: name, fileID: fileID, line: line, parameters: parameters) { values in
                var arguments = ArgumentReader(values)
                let result = try await body(repeat arguments.next((each Parameter).self))
                return MessagePayload(
                    try ValueEncoder().encode(result),
                    isSecret: SecretMembers.shared.isWhole(result)
                )
            }
        )
    }

    /// Creates a Swift function without a result that scripts can call.
    ///
    /// - Parameters:
    ///   - name: The function's name, for stacks.
    ///   - fileID: The file in which it is made, for stacks.
    ///   - line: The line in which it is made.
    ///   - body: The function.
    public init<each Parameter: Decodable & SendableMetatype>(
        named name: String = "",
        fileID: String = #fileID,
        line: Int = #line,
        _ body: @escaping @Sendable (repeat each Parameter) async throws -> Void
    ) {
        var parameters: [Any.Type] = []
        repeat parameters.append((each Parameter).self)
        self.body = .swift(
            LocalFunction(name: name, fileID: fileID, line: line, parameters: parameters) { values in
                var arguments = ArgumentReader(values)
                try await body(repeat arguments.next((each Parameter).self))
                return .value(.undefined)
            }
        )
    }

    /// Calls the function and waits for its result: the outcome of a promise, or the value itself.
    ///
    /// If no other thread uses the engine, a script's function runs in a turn on the calling thread, as the handler of
    /// `callHandler(_:with:returning:timeout:)` does.
    ///
    /// - Parameters:
    ///   - argument: The arguments.
    ///   - type: The type to decode the result as.
    ///   - timeout: The time to wait for the result; the bridge's default if it is `nil`. It is ignored for a function
    ///     without a bridge.
    ///   - function: The function that calls, for traces.
    ///   - fileID: The caller's file.
    ///   - line: The caller's line.
    /// - Returns: The result.
    /// - Throws: ``BridgeError``: the error that the function throws or rejects with, `decodeFailed`, `disconnected`
    ///   once its context is gone, `invalidArgument` after ``release()``, `deadlineExceeded`, `cancelled`.
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
            return try await remote.call(
                nil,
                values,
                isSecret: isSecret,
                returning: type,
                timeout: timeout,
                from: site
            )
        case .swift(let function):
            return try ValueDecoder().decode(from: await function.body(Self.values(arguments)).value())
        }
    }

    /// Calls the function, waits until it is done, and ignores its result.
    ///
    /// - Parameters:
    ///   - argument: The arguments.
    ///   - timeout: The time to wait, as in the call with a result.
    ///   - function: The function that calls, for traces.
    ///   - fileID: The caller's file.
    ///   - line: The caller's line.
    /// - Throws: ``BridgeError``, as the call with a result does.
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

    /// Releases a script's function before this object is released; has no effect the second time, or on a Swift
    /// function.
    ///
    /// It releases this reference only: a reference to the same function from another message stays valid. Later calls
    /// through this one fail with `invalidArgument`; pending calls continue.
    public func release() {
        if case .remote(let remote) = body { remote.release() }
    }

    /// Calls it as a method of a Swift object.
    func run(_ arguments: [Value]) async throws -> MessagePayload {
        switch body {
        case .script(let function): return .value(try await function.call(arguments) { try $0.toValue() })
        case .remote(let remote):
            let site = CallSite(function: "callAsFunction", fileID: #fileID, line: #line)
            return try await remote.call(nil, arguments, timeout: nil, from: site).0
        case .swift(let function): return try await function.body(arguments)
        }
    }

    /// The place where a Swift function was made; `nil` for a function of a script.
    var site: CallSite? {
        if case .swift(let function) = body { function.site(of: nil) } else { nil }
    }

    /// Returns whether the arguments of a Swift function must be hidden in logs.
    func hides(_ arguments: [Value]) -> Bool {
        if case .swift(let function) = body { function.hides(arguments, of: nil) } else { false }
    }

    // MARK: - Coding

    /// Decodes a function to which a message refers.
    ///
    /// - Throws: `decodeFailed` for any other value.
    public init(from decoder: any Decoder) throws {
        body = try Reference.decode(from: decoder, as: Self.self, called: "a function") { Body($0) }
    }

    /// Encodes the function, for a message that may refer to it.
    ///
    /// - Throws: `unsupported` if the message cannot refer to it.
    public func encode(to encoder: any Encoder) throws {
        guard let reference else {
            throw BridgeError(
                .unsupported,
                "The function belongs to a context without a bridge, so no message can refer to it."
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

    /// Creates the function from a script's value.
    public convenience init(jsValue value: JSValue) throws {
        let noun = "a function"
        guard value.isFunction else { throw Reference.mismatch(of: Self.self, called: noun, found: value) }
        guard let references = value.context.references else {
            self.init(.script(ScriptFunction(value)))
            return
        }
        guard let body = Body(try references.reference(to: value)) else {
            throw Reference.mismatch(of: Self.self, called: noun, found: value)
        }
        self.init(body)
    }
}

extension BridgeFunction.Body {
    /// Creates the body for the function of a reference; `nil` for an object.
    fileprivate init?(_ reference: Reference) {
        switch reference.target {
        case let local as LocalFunction: self = .swift(local)
        case let remote as RemoteReference where remote.kind == .function: self = .remote(remote)
        default: return nil
        }
    }
}

extension BridgeFunction: JSValueRepresentable {
    package func makeJSValue(in context: JSContext) throws -> JSValue {
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

/// A reader of the arguments of a call, one after another.
private struct ArgumentReader {
    private var values: ArraySlice<Value>
    private var index = 0

    init(_ values: [Value]) { self.values = values[...] }

    mutating func next<Parameter: Decodable>(_ type: Parameter.Type) throws -> Parameter {
        defer { index += 1 }
        return try ValueDecoder().decode(type, from: values.popFirst() ?? .undefined)
    }
}
