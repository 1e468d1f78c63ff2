internal import Foundation

/// The locations of secrets in a type, found without a value of it and without running any of its code.
///
/// It examines the runtime's description of the type: its stored properties, and theirs in turn. If the compiler wrote
/// the coding, the names of the properties are those of the payload's members. That cannot be seen in the description;
/// a payload whose members have other names shows that the type has its own coding (``isAsDeclared(_:)``).
package struct SecretShape: Sendable {
    /// The parts of a type's values; types are indexes here, as a type may contain itself.
    fileprivate enum Node {
        case leaf
        case secret
        case unknown
        case optional(Int)
        case list(Int)
        case dictionary(Int)
        case object([Property])
        /// Parts whose form in a payload is not examined.
        case parts([(name: String, type: Int)])
    }

    fileprivate struct Property {
        let name: String
        let type: Int
    }

    private let nodes: [Node]
    /// A Boolean value that indicates whether values of each type may contain a secret.
    private let holds: [Bool]

    /// Examines a type; `nil` for one without secrets.
    init?(_ type: Any.Type) {
        var survey = Survey()
        survey.look(at: type)
        nodes = survey.nodes
        holds = survey.holders
        guard holds[0] else { return nil }
    }

    /// The names of the properties that are secrets, or arrays and dictionaries of secrets.
    var names: Set<String> {
        var names: Set<String> = []
        for node in nodes {
            switch node {
            case .object(let properties):
                for property in properties where isSecret(property.type) {
                    names.insert(property.name)
                    if let inner = property.wrappedName { names.insert(inner) }
                }
            case .parts(let parts): for part in parts where isSecret(part.type) { names.insert(part.name) }
            default: break
            }
        }
        return names
    }

    /// A Boolean value that indicates whether a value is as a whole a secret, or an array of secrets, so that no member
    /// has a name.
    package var isNameless: Bool { isSecret(0) }

    private func isSecret(_ type: Int) -> Bool {
        switch nodes[type] {
        case .secret: true
        case .optional(let inner), .list(let inner), .dictionary(let inner): isSecret(inner)
        case .leaf, .unknown, .object, .parts: false
        }
    }

    /// Returns whether a payload has exactly the members that the type declares: then its secrets are the members with
    /// the names of secrets.
    package func isAsDeclared(_ value: Value) -> Bool { isAsDeclared(value, 0, depth: 0) }

    private func isAsDeclared(_ value: Value, _ type: Int, depth: Int) -> Bool {
        guard holds[type] else { return true }
        guard depth < 512 else { return false }
        switch (nodes[type], value) {
        case (.leaf, _): return true
        case (.optional(let inner), _): return value.isNil || isAsDeclared(value, inner, depth: depth + 1)
        case (.list(let element), .array(let elements)):
            return elements.allSatisfy { isAsDeclared($0, element, depth: depth + 1) }
        case (.dictionary(let element), .object(let object)):
            return object.members.allSatisfy { isAsDeclared($0.value, element, depth: depth + 1) }
        case (.object(let properties), .object(let object)):
            let isComplete = properties.allSatisfy { property in
                guard let member = object[property.name] ?? property.wrappedName.flatMap({ object[$0] })
                else {
                    if case .optional = nodes[property.type] { return true }
                    return false
                }
                return isSecret(property.type) || isAsDeclared(member, property.type, depth: depth + 1)
            }
            return isComplete
                && object.keys.allSatisfy { key in
                    properties.contains { $0.name == key || $0.wrappedName == key }
                }
        default: return false
        }
    }
}

extension SecretShape.Property {
    /// The name of a property wrapper's property, if this is its storage.
    fileprivate var wrappedName: String? { name.first == "_" ? String(name.dropFirst()) : nil }
}

/// A survey of types, each of which is examined once.
private struct Survey {
    /// The maximum number of types: a type may create new generic types forever.
    private static let maximum = 2_000

    private(set) var nodes: [SecretShape.Node] = []
    private var numbers: [ObjectIdentifier: Int] = [:]
    private var waiting: [(type: Any.Type, number: Int)] = []

    mutating func look(at type: Any.Type) {
        _ = number(of: type)
        while let next = waiting.popLast() { nodes[next.number] = node(of: next.type) }
    }

    private mutating func number(of type: Any.Type) -> Int {
        let id = ObjectIdentifier(type)
        if let known = numbers[id] { return known }
        let number = nodes.count
        numbers[id] = number
        nodes.append(.unknown)
        if number < Self.maximum { waiting.append((type, number)) }
        return number
    }

    private mutating func node(of type: Any.Type) -> SecretShape.Node {
        if type is any SecretType.Type { return .secret }
        if let container = type as? any ContainerType.Type {
            switch container.form {
            case .optional(let inner): return .optional(number(of: inner))
            case .list(let element): return .list(number(of: element))
            case .dictionary(let element): return .dictionary(number(of: element))
            case .pairs(let key, let element):
                return .parts([("", number(of: key)), ("", number(of: element))])
            }
        }
        if StoredParts.isDeclared(type), Self.isOfLibrary(type) {
            // Other generic arguments are not examined.
            return String(reflecting: type).contains("<") ? .unknown : .leaf
        }
        switch StoredParts(of: type) {
        case .none: return .leaf
        case .unknown: return .unknown
        case .properties(let properties):
            // A type that the runtime cannot name appears as Void.
            guard !properties.contains(where: { $0.type == Void.self }) else { return .unknown }
            return .object(properties.map { SecretShape.Property(name: $0.name, type: number(of: $0.type)) })
        case .payloads(let payloads): return .parts(payloads.map { ($0.name, number(of: $0.type)) })
        case .elements(let elements): return .parts(elements.map { ("", number(of: $0)) })
        }
    }

    /// The types that contain a secret, or may contain one.
    var holders: [Bool] {
        var holders = nodes.map { node in
            switch node {
            case .secret, .unknown: true
            default: false
            }
        }
        var isStable = false
        while !isStable {
            isStable = true
            for index in nodes.indices.reversed() where !holders[index] {
                let holds =
                    switch nodes[index] {
                    case .leaf, .secret, .unknown: false
                    case .optional(let inner), .list(let inner), .dictionary(let inner): holders[inner]
                    case .object(let properties): properties.contains { holders[$0.type] }
                    case .parts(let parts): parts.contains { holders[$0.type] }
                    }
                if holds {
                    holders[index] = true
                    isStable = false
                }
            }
        }
        return holders
    }

    /// Returns whether a type belongs to Swift's own libraries or to this package, whose values contain no data of
    /// their users.
    private static func isOfLibrary(_ type: Any.Type) -> Bool {
        let name = String(reflecting: type)
        return libraries.contains { name.hasPrefix($0) }
    }

    private static let libraries = [
        "Swift.", "Foundation.", "FoundationEssentials.", "FoundationInternationalization.",
        "Synchronization.",
        "Dispatch.", "__C.", "BridgeValues.", "JavaScriptEngine.", "JavaScriptBridge.",
    ]
}

/// A secret of any type.
package protocol SecretType {}

extension Secret: SecretType {}

/// A type of the standard library that contains values of its generic arguments.
private protocol ContainerType {
    static var form: ContainerForm { get }
}

private enum ContainerForm {
    case optional(Any.Type)
    case list(Any.Type)
    case dictionary(Any.Type)
    case pairs(Any.Type, Any.Type)
}

extension Optional: ContainerType { fileprivate static var form: ContainerForm { .optional(Wrapped.self) } }
extension Array: ContainerType { fileprivate static var form: ContainerForm { .list(Element.self) } }
extension ArraySlice: ContainerType { fileprivate static var form: ContainerForm { .list(Element.self) } }
extension ContiguousArray: ContainerType {
    fileprivate static var form: ContainerForm { .list(Element.self) }
}
extension Set: ContainerType { fileprivate static var form: ContainerForm { .list(Element.self) } }
extension Range: ContainerType { fileprivate static var form: ContainerForm { .list(Bound.self) } }
extension ClosedRange: ContainerType { fileprivate static var form: ContainerForm { .list(Bound.self) } }

extension Dictionary: ContainerType {
    fileprivate static var form: ContainerForm {
        // With other keys it is encoded as an array of keys and values.
        Key.self == String.self || Key.self == Int.self
            ? .dictionary(Value.self) : .pairs(Key.self, Value.self)
    }
}
