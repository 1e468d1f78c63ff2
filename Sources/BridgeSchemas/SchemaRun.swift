internal import BridgeValues

/// The replies to a type that decodes itself.
///
/// A type is decoded several times in different worlds; its behavior in each shows what it accepts.
struct SchemaWorld {
    /// The shape of a type's input.
    enum Shape: Hashable {
        case object
        case list
        case value(ObjectIdentifier)
    }

    /// A question about a member, or an element, that may have another answer.
    enum Question: Hashable {
        case member(String, ObjectIdentifier)
        case memberIfPresent(String, ObjectIdentifier)
        case isThere(String)
        case isNothing(String)
        case nested(String)
        case element(ObjectIdentifier)
        case nestedElement
    }

    /// The shapes that the input does not have.
    var refusedShapes: Set<Shape> = []
    /// The questions with a negative answer: the part is missing, or has another type.
    var refused: Set<Question> = []
    /// The number of the contents of values: see ``EmptyValue``.
    var contents = 0
    /// The number of elements of an array; without one, it reports the end after one element, and still has more for
    /// types that do not check.
    var length: Int?
    /// A Boolean value that indicates whether the input is `null`.
    var isNothing = false
    /// The only key of the object, for types that enumerate keys and decode an object under one.
    var variant: String?
    /// The string or number of the input, where it must be a particular one.
    var scalar: Any?

    /// A Boolean value that indicates whether optional members are present.
    var hasOptionalMembers: Bool { contents & 1 == 1 }
}

/// The maximum number of requests in all decodings of a type.
final class SchemaBudget {
    var questionsLeft = 50_000
    var isSpent: Bool { questionsLeft <= 0 }
}

/// One decoding of a type: its requests and the replies.
final class SchemaRun {
    /// The observations about a member.
    struct Member {
        let name: String
        var schemas: [TypeSchema] = []
        /// The requested types, plain and as optionals.
        var types: [(plain: Any.Type, optional: Any.Type)] = []
        var isAskedIfPresent = false
        /// A Boolean value that indicates whether the type was informed that the member is missing, or has another
        /// type.
        var isMissing = false
        /// A Boolean value that indicates whether the type continued after the error of this member.
        var isForgiven = false
        /// A Boolean value that indicates whether the type decoded a nested container there.
        var isNested = false
    }

    let world: SchemaWorld
    let schemas: TypeSchemas
    private let budget: SchemaBudget

    private var found = GrantedShape()
    private var requestedMembers = RequestedMembers()
    private var requestedElements = RequestedElements()
    private var requestedKeys = RequestedKeys()
    private(set) var questions: [SchemaWorld.Question] = []
    /// A Boolean value that indicates whether the type checked for `null`.
    var asksForNothing = false
    /// The requests to the object under the only key: the associated values of a case.
    private(set) var payload: SchemaRun?
    /// A Boolean value that indicates whether the type decoded something else from the same input.
    private(set) var delegates = false
    /// The value that the type decoded.
    var value: Any?

    private var refusal: SchemaWorld.Question?
    private var count = 0
    /// The maximum number of requests in one decoding.
    private static let maximumQuestions = 2048
    /// The number of elements of an array for a type that never checks for the end.
    private static let maximumElements = 64

    init(_ world: SchemaWorld, _ schemas: TypeSchemas, _ budget: SchemaBudget) {
        self.world = world
        self.schemas = schemas
        self.budget = budget
    }

    /// The shape that the type found.
    var granted: SchemaWorld.Shape? { found.shape }
    var grantedSchema: TypeSchema? { found.schema }
    var members: [Member] { requestedMembers.all }
    /// The requested types of elements.
    var elements: [(schema: TypeSchema, type: Any.Type?)] { requestedElements.all }
    /// A Boolean value that indicates whether the type continued after an element was refused.
    var forgivesElements: Bool { requestedElements.isForgiving }
    /// The names of the cases of all key types; `nil` where one of them is not an enumeration.
    var keys: [String]? { requestedKeys.names }
    /// A Boolean value that indicates whether the type enumerated the members.
    var readsAllKeys: Bool { requestedKeys.areEnumerated }

    /// A Boolean value that indicates whether the type made more requests than any type has members.
    var isEndless: Bool { count >= Self.maximumQuestions }

    /// A Boolean value that indicates whether an endless loop of the type must be stopped.
    var isOver: Bool { isEndless || budget.isSpent }

    /// Records a request.
    func ask() {
        count += 1
        budget.questionsLeft -= 1
        guard let refusal else { return }
        self.refusal = nil
        forgive(refusal)
    }

    /// Records that the type was decoded without an error.
    func complete(with value: Any) {
        if let refusal { forgive(refusal) }
        self.value = value
    }

    private func forgive(_ question: SchemaWorld.Question) {
        switch question {
        case .member(let name, _), .memberIfPresent(let name, _), .nested(let name):
            member(name) { $0.isForgiven = true }
        case .element, .nestedElement: requestedElements.forgive()
        case .isThere, .isNothing: break
        }
    }

    /// Requests a shape of the input.
    ///
    /// - Throws: An error if the input does not have the shape, or already has another one.
    func grant(_ shape: SchemaWorld.Shape, _ schema: TypeSchema = .any, kinds wanted: DataKinds) throws {
        ask()
        guard !isOver, !world.isNothing || wanted.contains(.null), !world.refusedShapes.contains(shape),
            found.allows(wanted)
        else { throw Self.mismatch }
        if !found.grant(shape, schema, kinds: wanted) { delegates = true }
    }

    /// Asks a question about a member or an element.
    ///
    /// - Returns: Whether the answer is positive.
    func asks(_ question: SchemaWorld.Question) -> Bool {
        ask()
        questions.append(question)
        return !isOver && !world.refused.contains(question)
    }

    /// Returns the error for a question, and remembers it to detect whether the type continues.
    func refuse(_ question: SchemaWorld.Question) -> any Error {
        refusal = question
        return Self.mismatch
    }

    /// Records an observation about a member.
    func member(_ name: String, _ note: (inout Member) -> Void) {
        requestedMembers.note(name, note)
    }

    /// Records the requested type of a member.
    func member<Wanted>(_ name: String, is type: Wanted.Type, ifPresent: Bool = false) {
        let schema = schemas.schema(of: type)
        member(name) { member in
            member.isAskedIfPresent = member.isAskedIfPresent || ifPresent
            if !member.schemas.contains(schema) {
                member.schemas.append(schema)
                member.types.append((type, Wanted?.self))
            }
        }
    }

    /// Records an element.
    func element(_ schema: TypeSchema, _ type: Any.Type?) {
        requestedElements.note(schema, type)
    }

    /// Returns whether an array has an element at an index.
    func hasElement(at index: Int) -> Bool { index < world.length ?? Self.maximumElements }

    /// Records the keys of a type.
    func note<Key: CodingKey>(keys type: Key.Type) {
        requestedKeys.note(type)
    }

    /// Records that the type enumerated the members.
    func noteEnumerationOfKeys() { requestedKeys.noteEnumeration() }

    /// Begins the decoding of the object under the only key.
    func enterPayload<Key: CodingKey>(keys type: Key.Type) -> SchemaRun {
        var inner = world
        inner.variant = nil
        let run = SchemaRun(inner, schemas, budget)
        run.note(keys: type)
        if payload != nil { delegates = true }
        payload = run
        return run
    }

    /// Returns a placeholder value of a type.
    ///
    /// - Throws: An error if the type validates its input, or contains itself.
    func value<Wanted: Decodable>(_ type: Wanted.Type) throws -> Wanted {
        _ = schemas.schema(of: type)
        if let value = schemas.value(of: type, contents: world.contents) { return value }
        throw DecodingError.valueNotFound(
            type,
            .init(codingPath: [], debugDescription: "there is no placeholder value")
        )
    }

    static var mismatch: any Error {
        DecodingError.typeMismatch(
            Any.self,
            .init(codingPath: [], debugDescription: "the input has another shape")
        )
    }
}
