/// A group of handlers under one namespace: registered in one call, removed by one token.
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
    /// The prefix of the handlers' names, before a dot; empty for none.
    public let namespace: String
    let handlers: [(name: String, handler: BridgeHandler)]

    /// Creates a group.
    ///
    /// - Parameters:
    ///   - namespace: The prefix of the names, before a dot; empty for none.
    ///   - handlers: The handlers, and other groups, whose names then begin with both namespaces.
    public init(_ namespace: String = "", @HandlerGroupBuilder _ handlers: () -> [HandlerGroupPart]) {
        self.namespace = namespace
        let prefix = namespace.isEmpty ? "" : namespace + "."
        self.handlers = handlers().flatMap(\.handlers).map { (prefix + $0.name, $0.handler) }
    }

    /// The full names of the handlers, in the order of the group.
    public var names: [String] { handlers.map(\.name) }
}

/// A handler or a group, as a part of a group.
public struct HandlerGroupPart: Sendable {
    let handlers: [(name: String, handler: BridgeHandler)]
}

/// A result builder that collects the handlers of a ``HandlerGroup``.
@resultBuilder public enum HandlerGroupBuilder {
    /// Adds a handler.
    public static func buildExpression(_ handler: BridgeHandler) -> [HandlerGroupPart] {
        [HandlerGroupPart(handlers: [(handler.name, handler)])]
    }

    /// Adds the handlers of another group.
    public static func buildExpression(_ group: HandlerGroup) -> [HandlerGroupPart] {
        [HandlerGroupPart(handlers: group.handlers)]
    }

    /// Concatenates parts.
    public static func buildBlock(_ parts: [HandlerGroupPart]...) -> [HandlerGroupPart] {
        parts.flatMap(\.self)
    }

    /// Returns the parts of an `if` without `else`.
    public static func buildOptional(_ parts: [HandlerGroupPart]?) -> [HandlerGroupPart] { parts ?? [] }

    /// Returns the parts of the first branch.
    public static func buildEither(first parts: [HandlerGroupPart]) -> [HandlerGroupPart] { parts }

    /// Returns the parts of the second branch.
    public static func buildEither(second parts: [HandlerGroupPart]) -> [HandlerGroupPart] { parts }

    /// Concatenates the parts of a loop.
    public static func buildArray(_ parts: [[HandlerGroupPart]]) -> [HandlerGroupPart] {
        parts.flatMap(\.self)
    }
}
