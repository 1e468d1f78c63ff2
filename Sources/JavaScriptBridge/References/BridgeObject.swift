/// An object that stays on its side and whose methods are called from the other side.
///
/// ```swift
/// let shop = BridgeObject(["buy": BridgeFunction { (id: Int) in try await shop.buy(id) }])
/// try await bridge.callHandler("open", with: shop)          // in the script: await shop.buy(7)
///
/// try bridge.registerHandler("watch") { (player: BridgeObject) async throws in
///     try await player.call("play", "song.ogg")             // the script sent bridge.reference(player)
/// }
/// ```
///
/// A script creates one with `bridge.reference(object)`: its current functions and those of its class can be called,
/// and nothing else of it is visible. The rules for a ``BridgeFunction`` apply to an object too: how it is passed, what
/// a call is, and how long it lives.
public final class BridgeObject: Codable, Sendable {
    fileprivate enum Body: Sendable {
        case remote(RemoteReference)
        case swift(LocalObject)
    }

    private let body: Body

    /// Creates an object in Swift.
    ///
    /// - Parameter methods: The methods that scripts can call, by name.
    public init(_ methods: [String: BridgeFunction]) { body = .swift(LocalObject(methods)) }

    /// The names of its methods, sorted.
    public var methodNames: [String] {
        switch body {
        case .remote(let remote): remote.methods.sorted()
        case .swift(let object): object.record.methods
        }
    }

    /// Calls a method and waits for its result.
    ///
    /// - Parameters:
    ///   - method: The method's name.
    ///   - argument: The arguments.
    ///   - type: The type to decode the result as.
    ///   - timeout: The time to wait for the reply; the bridge's default if it is `nil`.
    ///   - function: The function that calls, for traces.
    ///   - fileID: The caller's file.
    ///   - line: The caller's line.
    /// - Returns: The result.
    /// - Throws: ``BridgeError``: `handlerNotFound` for an unknown method, otherwise the errors of a
    ///   ``BridgeFunction``.
    public func call<each Argument: Encodable & Sendable, Result: Decodable & Sendable>(
        _ method: String,
        _ argument: repeat each Argument,
        returning type: Result.Type = Result.self,
        timeout: Duration? = nil,
        function: String = #function,
        fileID: String = #fileID,
        line: Int = #line
    ) async throws -> Result {
        var values: [Value] = []
        var isSecret = false
        for argument in repeat each argument {
            values.append(try ValueEncoder().encode(argument))
            isSecret = isSecret || SecretMembers.shared.isWhole(argument)
        }
        switch body {
        case .swift(let object):
            return try ValueDecoder().decode(from: await object.run(method, values).value())
        case .remote(let remote):
            let site = CallSite(function: function, fileID: fileID, line: line)
            return try await remote.call(
                method,
                values,
                isSecret: isSecret,
                returning: type,
                timeout: timeout,
                from: site
            )
        }
    }

    /// Calls a method, waits until it is done, and ignores its result.
    ///
    /// - Parameters:
    ///   - method: The method's name.
    ///   - argument: The arguments.
    ///   - timeout: The time to wait for the reply; the bridge's default if it is `nil`.
    ///   - function: The function that calls, for traces.
    ///   - fileID: The caller's file.
    ///   - line: The caller's line.
    /// - Throws: ``BridgeError``, as the call with a result does.
    public func call<each Argument: Encodable & Sendable>(
        _ method: String,
        _ argument: repeat each Argument,
        timeout: Duration? = nil,
        function: String = #function,
        fileID: String = #fileID,
        line: Int = #line
    ) async throws {
        var values: [Value] = []
        var isSecret = false
        for argument in repeat each argument {
            values.append(try ValueEncoder().encode(argument))
            isSecret = isSecret || SecretMembers.shared.isWhole(argument)
        }
        switch body {
        case .swift(let object): _ = try await object.run(method, values)
        case .remote(let remote):
            let site = CallSite(function: function, fileID: fileID, line: line)
            _ = try await remote.call(method, values, isSecret: isSecret, timeout: timeout, from: site)
        }
    }

    /// Releases a script's object before this object is released; has no effect the second time, or on a Swift object.
    public func release() {
        if case .remote(let remote) = body { remote.release() }
    }

    // MARK: - Coding

    /// Decodes an object to which a message refers.
    ///
    /// - Throws: `decodeFailed` for any other value.
    public init(from decoder: any Decoder) throws {
        body = try Reference.decode(from: decoder, as: Self.self, called: Self.noun) { Body($0) }
    }

    /// Encodes the object, for a message that may refer to it.
    ///
    /// - Throws: `unsupported` if the message cannot refer to it.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(Value.reference(reference))
    }

    private var reference: Reference {
        switch body {
        case .remote(let remote): Reference(remote)
        case .swift(let object): Reference(object)
        }
    }

    /// Creates the object from a value that a script passed by reference.
    public init(jsValue value: JSValue) throws {
        guard let references = value.context.references, try references.isReferred(value),
            let body = Body(try references.reference(to: value))
        else { throw Reference.mismatch(of: Self.self, called: Self.noun, found: value) }
        self.body = body
    }

    private static let noun = "an object by reference"
}

extension BridgeObject.Body {
    /// Creates the body for the object of a reference; `nil` for a function.
    fileprivate init?(_ reference: Reference) {
        switch reference.target {
        case let local as LocalObject: self = .swift(local)
        case let remote as RemoteReference where remote.kind == .object: self = .remote(remote)
        default: return nil
        }
    }
}

extension BridgeObject: JSValueRepresentable {
    package func makeJSValue(in context: JSContext) throws -> JSValue {
        guard let references = context.references else { throw BridgeError(.unsupported, Value.noReference) }
        return try references.value(of: reference)
    }
}
