internal import BridgeProtocol
internal import BridgeValues
internal import CBridgeScript
internal import Synchronization

extension Bridge {
    /// The handlers that scripts can call, as declarations of TypeScript, for use beside `JS/types/bridge.d.ts`.
    ///
    /// Each handler of Codable types has those, found by asking them what they decode; a handler of the ancestor's form, and
    /// what a type decides only with a value, is `any`. With the declarations a call of what is not there, or with data
    /// of the wrong shape, is an error of the type checker.
    public var typeDeclarations: String {
        let schemas = TypeSchemas()
        let handlers = session.namedHandlers.map { name, handler in
            (
                name: name, handler: handler,
                request: handler.types.map { schemas.schema(of: $0.request) } ?? .any,
                response: handler.types.map { schemas.schema(of: $0.response) } ?? .any
            )
        }
        var lines = [
            "// What the program's handlers take and give. Written by the bridge: changes are lost.", "",
        ]
        let declarations = TypeDeclarations(
            schemas,
            namespace: Self.typeNamespace,
            given: handlers.map(\.request),
            got: handlers.map(\.response)
        )
        let interfaces = declarations.interfaces
        if !interfaces.isEmpty {
            lines += ["declare namespace \(Self.typeNamespace) {"] + interfaces + ["}", ""]
        }
        lines.append("interface BridgeHandlers {")
        for (name, handler, request, response) in handlers {
            lines += Self.comment(handler.description)
            let answer = handler.handler.isStream ? "item" : "reply"
            let data = declarations.type(request, .given)
            let reply = declarations.type(response, .got)
            let sync = handler.handler.answersAtOnce ? "; sync: true" : ""
            lines.append(
                "    \(TypeDeclarations.literal(name)): { data: \(data); \(answer): \(reply)\(sync) };"
            )
        }
        return (lines + ["}"]).joined(separator: "\n") + "\n"
    }

    /// The handlers that scripts can call, as JSON Schema: an object with a member for each name, which has `request`,
    /// `response`, and `kind` as `bridge.describe()` tells it to a script of this bridge.
    public var handlerSchemas: Value {
        var members = ValueObject()
        for (name, handler) in session.namedHandlers {
            var object: ValueObject = ["kind": .string(session.kind(of: handler.handler).rawValue)]
            for (key, schema) in handler.types?.namedSchemaMembers ?? [] { object[key] = schema }
            members[name] = .object(object)
        }
        return .object(members)
    }

    /// What every script finds, as declarations of TypeScript: the bridge, the globals, the data API.
    ///
    /// The text of the files in `JS/types`, which stand alone; ``typeDeclarations`` adds the handlers of one bridge.
    public static var scriptDeclarations: String {
        (0..<bridge_types_count()).map { index in
            let text = bridge_types(index)
            return String(decoding: UnsafeBufferPointer(start: text.bytes, count: text.count), as: UTF8.self)
        }.joined(separator: "\n")
    }

    private static let typeNamespace = "BridgeTypes"

    private static func comment(_ description: HandlerDescription?) -> [String] {
        guard let description else { return [] }
        var lines = [description.summary]
        if let since = description.since { lines.append("@since \(since)") }
        if let deprecation = description.deprecation { lines.append("@deprecated \(deprecation)") }
        // What an author writes must not end the comment: by bytes, as a mark upon the slash makes another character of it
        // to Swift alone.
        let text = lines.filter { !$0.isEmpty }.flatMap { $0.split(whereSeparator: \.isNewline) }
            .map {
                "     * "
                    + String(decoding: Array($0.utf8).replacing("*/".utf8, with: "* /".utf8), as: UTF8.self)
            }
        return text.isEmpty ? [] : ["    /**"] + text + ["     */"]
    }
}

extension BridgeSession {
    /// The handlers by name, without the protocol's own.
    fileprivate var namedHandlers: [(name: String, handler: RegisteredHandler)] {
        let handlers = state.withLock { state in
            state.machine.handlerNames.compactMap { name in
                state.machine.handler(name).flatMap { state.handlers[$0] }.map { (name: name, handler: $0) }
            }
        }
        return handlers.filter { !NamePattern.isReserved($0.name) }
            .sorted { $0.name.utf8.lexicographicallyPrecedes($1.name.utf8) }
    }
}

extension HandlerTypes {
    /// What a script is told: structures without the names of their types (R39).
    var schemaMembers: [(String, Value)] { members { DescribedTypes.shared.schema(of: $0, $1) } }

    fileprivate var namedSchemaMembers: [(String, Value)] {
        members { type, direction in
            let schema = TypeSchemas.jsonSchema(of: type, direction, namesTypes: true)
            return schema == .null ? nil : schema
        }
    }

    private func members(_ schema: (Any.Type, TypeDeclarations.Direction) -> Value?) -> [(String, Value)] {
        [("request", request, TypeDeclarations.Direction.given), ("response", response, .got)]
            .compactMap { key, type, direction in schema(type, direction).map { (key, $0) } }
    }
}

extension Handler {
    /// Whether a script may wait for it (decision 15).
    fileprivate var answersAtOnce: Bool {
        switch self {
        case .typed, .sync: true
        case .typedAsync, .async, .stream, .legacy: false
        }
    }
}
