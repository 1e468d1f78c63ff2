/// What a type is answered when it asks for itself.
///
/// A type is decoded several times in worlds that differ: what it does in each tells what it takes.
struct SchemaWorld {
    /// What a type may find in the place of itself.
    enum Shape: Hashable {
        case object
        case list
        case value(ObjectIdentifier)
    }

    /// A question about a member, or an element, that may be answered otherwise.
    enum Question: Hashable {
        case member(String, ObjectIdentifier)
        case memberIfPresent(String, ObjectIdentifier)
        case isThere(String)
        case isNothing(String)
        case nested(String)
        case element(ObjectIdentifier)
        case nestedElement
    }

    /// What it is not.
    var refusedShapes: Set<Shape> = []
    /// What is missing, or of another type.
    var refused: Set<Question> = []
    /// Which contents values have: see ``EmptyValue``.
    var contents = 0
    /// How many elements a list has; without a number it ends after one, and has more for who does not look.
    var length: Int?
    /// Whether it is nothing.
    var isNothing = false
    /// The only key that it has, for who asks which there are, and who reads an object there.
    var variant: String?
    /// What a text or a number is, if it has to be a certain one.
    var scalar: Any?

    /// Whether members are there that may be missing.
    var hasOptionalMembers: Bool { contents & 1 == 1 }
}

/// How much a type may ask in all its decodings.
final class SchemaBudget {
    var questionsLeft = 50_000
    var isSpent: Bool { questionsLeft <= 0 }
}

/// One decoding of a type: what it was answered, and what it asked for.
final class SchemaRun {
    /// What was seen of a member.
    struct Member {
        let name: String
        var schemas: [TypeSchema] = []
        /// The types that were asked for, as they are and as optionals of them.
        var types: [(plain: Any.Type, optional: Any.Type)] = []
        var isAskedIfPresent = false
        /// Whether the type was told that it is not there, or not of its type.
        var isMissing = false
        /// Whether it went on after it was told so by an error.
        var isForgiven = false
        /// Whether the type read in it by itself.
        var isNested = false
    }

    let world: SchemaWorld
    let schemas: TypeSchemas
    private let budget: SchemaBudget

    /// What the type found in the place of itself.
    private(set) var granted: SchemaWorld.Shape?
    private(set) var grantedSchema: TypeSchema?
    private var kinds = DataKinds.all
    private(set) var members: [Member] = []
    private var places: [String: Int] = [:]
    private(set) var questions: [SchemaWorld.Question] = []
    /// What elements were asked to be.
    private(set) var elements: [(schema: TypeSchema, type: Any.Type?)] = []
    /// Whether the type went on after an element was refused.
    private(set) var forgivesElements = false
    /// The names of the cases of all key types; `nil` where one of them is no enumeration.
    private(set) var keys: [String]? = []
    private var keyTypes: Set<ObjectIdentifier> = []
    /// Whether it looked which members there are.
    var readsAllKeys = false
    /// Whether it looked whether it is nothing.
    var asksForNothing = false
    /// What was asked of the object under the only key: the associated values of a case.
    private(set) var payload: SchemaRun?
    /// Whether something else was made of the same data.
    private(set) var delegates = false
    /// Whether it asked for more than anybody has members.
    private(set) var isEndless = false
    /// What the type made of the answers.
    var value: Any?

    private var refusal: SchemaWorld.Question?
    private var count = 0
    /// How often a type may ask in one decoding.
    private static let maximumQuestions = 2048
    /// How many elements a list has for who never looks.
    private static let maximumElements = 64

    init(_ world: SchemaWorld, _ schemas: TypeSchemas, _ budget: SchemaBudget) {
        self.world = world
        self.schemas = schemas
        self.budget = budget
    }

    /// Whether a loop of the type that asks until something ends has to be ended.
    var isOver: Bool { count >= Self.maximumQuestions || budget.isSpent }

    /// Notes that the type is still asking.
    func ask() {
        count += 1
        budget.questionsLeft -= 1
        if count >= Self.maximumQuestions { isEndless = true }
        guard let refusal else { return }
        self.refusal = nil
        forgive(refusal)
    }

    /// Notes that the type came to an end without an error.
    func complete(with value: Any) {
        if let refusal { forgive(refusal) }
        self.value = value
    }

    private func forgive(_ question: SchemaWorld.Question) {
        switch question {
        case .member(let name, _), .memberIfPresent(let name, _), .nested(let name):
            member(name) { $0.isForgiven = true }
        case .element, .nestedElement: forgivesElements = true
        case .isThere, .isNothing: break
        }
    }

    /// Asks to be of a shape.
    ///
    /// - Throws: An error where it is none, or was found to be another.
    func grant(_ shape: SchemaWorld.Shape, _ schema: TypeSchema = .any, kinds wanted: DataKinds) throws {
        ask()
        guard !isOver, !world.isNothing || wanted.contains(.null), !world.refusedShapes.contains(shape),
            !kinds.isDisjoint(with: wanted)
        else { throw Self.mismatch }
        if granted == nil {
            granted = shape
            grantedSchema = schema
            kinds = wanted
        } else if granted != shape {
            delegates = true
        }
    }

    /// Asks about a member or an element.
    ///
    /// - Returns: Whether it is there.
    func asks(_ question: SchemaWorld.Question) -> Bool {
        ask()
        questions.append(question)
        return !isOver && !world.refused.contains(question)
    }

    /// An error for a question, which is looked after: a type may go on.
    func refuse(_ question: SchemaWorld.Question) -> any Error {
        refusal = question
        return Self.mismatch
    }

    /// What is noted of a member.
    func member(_ name: String, _ note: (inout Member) -> Void) {
        let place = places[name] ?? members.count
        if place == members.count {
            members.append(Member(name: name))
            places[name] = place
        }
        note(&members[place])
    }

    /// What is noted of a member that is asked to be of a type.
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

    /// Notes an element.
    func element(_ schema: TypeSchema, _ type: Any.Type?) {
        guard !elements.contains(where: { $0.schema == schema && $0.type == type }) else { return }
        elements.append((schema, type))
    }

    /// Whether a list has an element at a place.
    func hasElement(at index: Int) -> Bool { index < world.length ?? Self.maximumElements }

    /// Notes the keys that a type knows.
    func note<Key: CodingKey>(keys type: Key.Type) {
        guard keyTypes.insert(ObjectIdentifier(type)).inserted else { return }
        guard let cases = EnumerationCases.all(of: type) else {
            keys = nil
            return
        }
        keys?.append(contentsOf: cases.map(\.stringValue))
    }

    /// Begins with what stands under the only key.
    func enterPayload<Key: CodingKey>(keys type: Key.Type) -> SchemaRun {
        var inner = world
        inner.variant = nil
        let run = SchemaRun(inner, schemas, budget)
        run.note(keys: type)
        if payload != nil { delegates = true }
        payload = run
        return run
    }

    /// Gives a value of a type, which means nothing.
    ///
    /// - Throws: An error where the type insists on sense, or holds itself.
    func value<Wanted: Decodable>(_ type: Wanted.Type) throws -> Wanted {
        _ = schemas.schema(of: type)
        if let value = schemas.value(of: type, contents: world.contents) { return value }
        throw DecodingError.valueNotFound(
            type,
            .init(codingPath: [], debugDescription: "there is no value without sense")
        )
    }

    static var mismatch: any Error {
        DecodingError.typeMismatch(
            Any.self,
            .init(codingPath: [], debugDescription: "it is of another shape")
        )
    }
}
