/// Handlers that belong together, under one namespace: registered in one call, removed by one token.
///
/// ```swift
/// let people = HandlerGroup("people") {
///     BridgeHandler("find", description: "Finds a person.") { (query: Query) in try await store.find(query) }
///     BridgeHandler("add") { (person: Person) in try await store.add(person) }
/// }
/// let registration = try bridge.register(people)      // people.find, people.add
/// ```
///
/// Scripts call them by their names, or as methods of a module:
///
/// ```js
/// const people = bridge.module("people");
/// const ada = await people.find({ name: "Ada" }, { timeout: 2000 });
/// ```
///
/// A group is a value: it can be registered on many bridges, and be part of another group.
public struct HandlerGroup: Sendable {
    /// What the names of the handlers begin with, before a dot; empty for none.
    public let namespace: String
    let handlers: [(name: String, handler: BridgeHandler)]

    /// Makes a group.
    ///
    /// - Parameters:
    ///   - namespace: What the names begin with, before a dot; empty for none.
    ///   - handlers: The handlers, and other groups, whose names then begin with both namespaces.
    public init(_ namespace: String = "", @HandlerGroupBuilder _ handlers: () -> [HandlerGroupPart]) {
        self.namespace = namespace
        let prefix = namespace.isEmpty ? "" : namespace + "."
        self.handlers = handlers().flatMap(\.handlers).map { (prefix + $0.name, $0.handler) }
    }

    /// The whole names, in the order of the group.
    public var names: [String] { handlers.map(\.name) }
}

/// A handler or a group, as a part of a group.
public struct HandlerGroupPart: Sendable {
    let handlers: [(name: String, handler: BridgeHandler)]
}

/// Collects the handlers of a ``HandlerGroup``.
@resultBuilder public enum HandlerGroupBuilder {
    /// Takes a handler.
    public static func buildExpression(_ handler: BridgeHandler) -> [HandlerGroupPart] {
        [HandlerGroupPart(handlers: [(handler.name, handler)])]
    }

    /// Takes a group.
    public static func buildExpression(_ group: HandlerGroup) -> [HandlerGroupPart] {
        [HandlerGroupPart(handlers: group.handlers)]
    }

    /// Joins parts.
    public static func buildBlock(_ parts: [HandlerGroupPart]...) -> [HandlerGroupPart] {
        parts.flatMap(\.self)
    }

    /// Takes parts or none.
    public static func buildOptional(_ parts: [HandlerGroupPart]?) -> [HandlerGroupPart] { parts ?? [] }

    /// Takes the first of two.
    public static func buildEither(first parts: [HandlerGroupPart]) -> [HandlerGroupPart] { parts }

    /// Takes the second of two.
    public static func buildEither(second parts: [HandlerGroupPart]) -> [HandlerGroupPart] { parts }

    /// Joins the parts of a loop.
    public static func buildArray(_ parts: [[HandlerGroupPart]]) -> [HandlerGroupPart] {
        parts.flatMap(\.self)
    }
}
