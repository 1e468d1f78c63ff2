internal import BridgeValues
internal import Synchronization

/// What scripts are told of types: each is asked once in the process, when a handler of it is registered.
///
/// Asking a type runs its `init(from:)` with values that mean nothing. One that traps on them does so where its program begins,
/// and not at a moment that a script chooses.
final class DescribedTypes: Sendable {
    static let shared = DescribedTypes()

    private struct Question: Hashable {
        let type: ObjectIdentifier
        let direction: TypeDeclarations.Direction
    }

    private let schemas = Mutex<[Question: Value]>([:])

    /// The JSON Schema of a type, in which structures have no names (R39); `nil` where it says nothing.
    func schema(of type: Any.Type, _ direction: TypeDeclarations.Direction) -> Value? {
        let question = Question(type: ObjectIdentifier(type), direction: direction)
        let known = schemas.withLock { $0[question] }
        let schema = known ?? TypeSchemas.jsonSchema(of: type, direction, namesTypes: false)
        // Another thread may have been first, with the same.
        if known == nil { schemas.withLock { $0[question] = schema } }
        return schema == .null ? nil : schema
    }
}
