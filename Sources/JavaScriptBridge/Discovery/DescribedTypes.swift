internal import BridgeSchemas
internal import BridgeValues
internal import Synchronization

/// The descriptions of types for scripts; each type is inspected once per process, when a handler of it is registered.
///
/// Inspecting a type runs its `init(from:)` with placeholder values. An initializer that traps on them does so when the
/// program starts, and not at a moment that a script chooses. `BridgeConfiguration.inspectsTypesLate` leaves it to the
/// first request of a script, for programs whose own types are safe.
final class DescribedTypes: Sendable {
    static let shared = DescribedTypes()

    private struct Question: Hashable {
        let type: ObjectIdentifier
        let direction: TypeDeclarations.Direction
    }

    private let schemas = Mutex<[Question: Value]>([:])

    /// Returns the JSON Schema of a type, in which structures have no names (R39); `nil` if it is unknown.
    func schema(of type: Any.Type, _ direction: TypeDeclarations.Direction) -> Value? {
        let question = Question(type: ObjectIdentifier(type), direction: direction)
        let known = schemas.withLock { $0[question] }
        let schema = known ?? TypeSchemas.jsonSchema(of: type, direction, namesTypes: false)
        // Another thread may have stored the same schema first.
        if known == nil { schemas.withLock { $0[question] = schema } }
        return schema == .null ? nil : schema
    }
}
