/// Finds what a type takes, by decoding it in several worlds.
///
/// First it is refused one shape after the other, until it finds none: a type that tries several takes all of them. Where it
/// is an object, or a list, it is decoded with other contents, and with each question that it asked refused in turn, also
/// those that it asks only then. What it gets along without may be missing. What the compiler writes is told from what a
/// person wrote by what it asks: all of its keys, each for a property of that type. Whatever may be chosen by contents that
/// nobody can guess stays open, so that no script is refused which the call would take.
struct SchemaExplorer {
    /// What was found.
    struct Findings {
        /// What it may be as an object.
        var object: StructureSchema?
        /// What else it may be.
        var alternatives: [TypeSchema] = []
        /// Whether it may be nothing.
        var takesNothing = false
        /// Values that it made, each of other contents.
        var values: [Any] = []
    }

    private let type: any Decodable.Type
    private let schemas: TypeSchemas
    private let budget = SchemaBudget()
    private static let maximumShapes = 16
    private static let maximumRuns = 256
    private static let maximumContents = 16

    init(_ type: any Decodable.Type, _ schemas: TypeSchemas) {
        self.type = type
        self.schemas = schemas
    }

    private func run(_ world: SchemaWorld) -> SchemaRun {
        let run = SchemaRun(world, schemas, budget)
        // What it throws is its own affair: how far it came is what counts.
        if let value = try? type.init(from: SchemaRecorder(run: run)) { run.complete(with: value) }
        return run
    }

    /// Looks what the type takes.
    func explore() -> Findings {
        var findings = Findings()
        var world = SchemaWorld()
        var asksForNothing = false
        while world.refusedShapes.count < Self.maximumShapes {
            let base = run(world)
            asksForNothing = asksForNothing || base.asksForNothing
            guard let shape = base.granted else {
                // It goes without anything.
                if base.value != nil { findings.alternatives.append(.any) }
                break
            }
            let contents =
                [base]
                + (1..<contentsCount(of: base)).map { number in
                    var other = world
                    other.contents = number
                    return run(other)
                }
            switch shape {
            case .object:
                let explorer = VariantExplorer(base: base, run: run) { schemas.offer($0, of: type) }
                if let cases = explorer.explore() {
                    findings.object = StructureSchema(variants: cases.variants)
                    if findings.values.isEmpty { findings.values = cases.values }
                } else {
                    findings.object = object(contents)
                }
            case .list: findings.alternatives.append(list(contents))
            case .value: findings.alternatives.append(base.grantedSchema ?? .any)
            }
            if findings.values.isEmpty { findings.values = contents.compactMap(\.value) }
            world.refusedShapes.insert(shape)
        }
        if asksForNothing {
            var nothing = SchemaWorld()
            nothing.isNothing = true
            findings.takesNothing = run(nothing).value != nil
        }
        // What was learned until there was too much of it is no answer.
        if budget.isSpent { findings.alternatives.append(.any) }
        return findings
    }

    // The four of truths, numbers and texts, and all cases of enumerations with a few.
    private func contentsCount(of run: SchemaRun) -> Int {
        let types = run.members.flatMap(\.types).map(\.plain) + run.elements.compactMap(\.type)
        let counts = types.compactMap { ($0 as? any RawRepresentable.Type).flatMap { Self.casesCount($0) } }
        return min(max(4, counts.max() ?? 0), Self.maximumContents)
    }

    private static func casesCount<Cases: RawRepresentable>(_ type: Cases.Type) -> Int? {
        EnumerationCases.count(of: type)
    }

    // Every question is refused once, in the world in which it was asked first.
    private func runsWithRefusals(_ runs: [SchemaRun]) -> [SchemaRun] {
        var runs = runs
        var refused: Set<SchemaWorld.Question> = []
        var next = 0
        while next < runs.count {
            let found = runs[next]
            next += 1
            for question in found.questions where refused.insert(question).inserted {
                guard runs.count < Self.maximumRuns, !found.isEndless, !budget.isSpent else { return runs }
                var world = found.world
                world.refused.insert(question)
                runs.append(run(world))
            }
        }
        return runs
    }

    // MARK: Objects

    private func object(_ contents: [SchemaRun]) -> StructureSchema {
        let runs = runsWithRefusals(contents)
        guard !runs.contains(where: \.isEndless) else { return StructureSchema(isOpen: true) }
        let completed = runs.filter { $0.value != nil && $0.granted == .object }
        var properties = completed.first?.value.map(StoredProperties.init)
        // A key that was not asked for may be asked for by other contents, and so may keys that nobody can list.
        let asked = Set(runs.flatMap(\.members).map(\.name))
        let isChoosing =
            runs.contains {
                $0.readsAllKeys || $0.delegates || $0.keys.map { !asked.isSuperset(of: $0) } ?? true
            }
            || properties?.isEnumeration == true
        let names = runs.flatMap(\.members).map(\.name).uniqued
        let beginning = Self.beginning(of: contents[0])
        var isOpen = isChoosing || !contents.contains { $0.value != nil }
        let members = names.map { name -> StructureSchema.Member in
            let seen = runs.compactMap { $0.members.first { $0.name == name } }
            let types = seen.flatMap(\.types)
            let isUnread = completed.contains { run in !run.members.contains { $0.name == name } }
            let isForgiven = seen.contains(where: \.isForgiven)
            let isMissing = completed.contains { $0.members.contains { $0.name == name && $0.isMissing } }
            let isAskedIfPresent = seen.contains(where: \.isAskedIfPresent)
            let property: StoredProperties.Match
            if completed.isEmpty {
                // How far the compiler's own coding came, as it asks for keys in their order.
                property = beginning.contains(name) ? .same : .none
            } else if seen.contains(where: \.isNested) {
                property = .same
            } else {
                property = properties?.match(types, isOptional: isAskedIfPresent || isMissing) ?? .none
            }
            // The first is asked for before anything is known.
            let isCertain = name == names.first || (property != .none && !isChoosing)
            if isUnread || isForgiven || property == .none { isOpen = true }
            let isAny = isUnread || isForgiven || !isCertain
            var schema = isAny ? .any : TypeSchema.alternatives(seen.flatMap(\.schemas).uniqued)
            // One that insists on sense in another member may have gone along without this one: it did not come to that.
            let isMissable = isAny || isAskedIfPresent || isMissing
            // An optional that is asked for as such may be null, and not missing: unless the type gets along without it.
            if isMissable, case .optional(let wrapped) = schema { schema = wrapped }
            return StructureSchema.Member(
                name: name,
                schema: schema,
                isOptional: isMissable,
                isLenient: isMissable && !(isAskedIfPresent && (property == .optional || completed.isEmpty))
            )
        }
        if properties?.hasMore == true { isOpen = true }
        return StructureSchema(members: members, isOpen: isOpen)
    }

    // The members that were asked for in the order of the keys, up to the one that there is no value of.
    private static func beginning(of run: SchemaRun) -> Set<String> {
        Set(zip(run.keys ?? [], run.members).prefix { $0 == $1.name }.map(\.0))
    }

    // MARK: Lists

    private func list(_ contents: [SchemaRun]) -> TypeSchema {
        let lengths = contents.prefix(2).flatMap { base in
            [0, 2, 3, 4].map { length in
                var world = base.world
                world.length = length
                return run(world)
            }
        }
        let runs = runsWithRefusals(contents + lengths)
        guard let value = runs.lazy.compactMap(\.value).first,
            !runs.contains(where: { $0.isEndless || $0.forgivesElements || $0.delegates })
        else { return .list(.any) }
        let elements = runs.flatMap(\.elements)
        let properties = StoredProperties(of: value)
        guard properties.areMade(of: elements.compactMap { $0.type }, schemas) else { return .list(.any) }
        return .list(.alternatives(elements.map(\.schema)))
    }

    // MARK: Raw values

    /// Whether the type is decoded by the library's own coding of raw values, which takes no value but those of cases.
    func takesOnly(_ rawValues: EnumerationRawValues) -> Bool {
        var world = SchemaWorld()
        world.scalar = rawValues.other
        do {
            _ = try type.init(from: SchemaRecorder(run: SchemaRun(world, schemas, budget)))
            return false
        } catch DecodingError.dataCorrupted(let context) {
            // A type whose author decides has words of its own.
            return context.debugDescription.hasPrefix("Cannot initialize ")
        } catch {
            return false
        }
    }
}

/// The properties that a value stores, which what is decoded for it goes into.
private struct StoredProperties {
    /// How a member fits a property.
    enum Match {
        /// No property has its type.
        case none
        /// A property of its type.
        case same
        /// A property that is an optional of its type.
        case optional
    }

    private var unmatched: [Any.Type] = []
    /// Whether there is no way to see them.
    private let isHidden: Bool
    private let isCollection: Bool
    let isEnumeration: Bool

    init(of value: Any) {
        let mirror = Mirror(reflecting: value)
        isHidden = value is any CustomReflectable
        isCollection = [.collection, .set, .dictionary].contains(mirror.displayStyle)
        isEnumeration = mirror.displayStyle == .enum
        var next: Mirror? = mirror
        while let mirror = next {
            unmatched += mirror.children.prefix(1024).map { Swift.type(of: $0.value) }
            next = mirror.superclassMirror
        }
    }

    /// Finds the property of a member.
    mutating func match(_ types: [(plain: Any.Type, optional: Any.Type)], isOptional: Bool) -> Match {
        guard !isHidden else { return .same }
        guard let type = types.first, types.allSatisfy({ $0.plain == type.plain }) else { return .none }
        if isOptional, let place = unmatched.firstIndex(where: { $0 == type.optional }) {
            unmatched.remove(at: place)
            return .optional
        }
        guard let place = unmatched.firstIndex(where: { $0 == type.plain }) else { return .none }
        unmatched.remove(at: place)
        return .same
    }

    /// Whether there is a property that no member is of: it may hold what is decoded for some contents.
    var hasMore: Bool { !isHidden && !unmatched.isEmpty }

    /// Whether elements of these types are what the properties are made of, and no property is left.
    func areMade(of types: [Any.Type], _ schemas: TypeSchemas) -> Bool {
        guard !isEnumeration else { return false }
        guard !isHidden, !isCollection else { return true }
        func holds(_ property: Any.Type, _ type: Any.Type) -> Bool {
            property == type || (property as? any SchemaOptional.Type)?.wrapped == type
                || (property is any SchemaComposite.Type
                    && schemas.schema(of: property) == .list(schemas.schema(of: type)))
        }
        return types.allSatisfy { type in unmatched.contains { holds($0, type) } }
            && unmatched.allSatisfy { property in types.contains { holds(property, $0) } }
    }
}

/// An optional, of which only that is asked.
private protocol SchemaOptional {
    static var wrapped: Any.Type { get }
}

extension Optional: SchemaOptional {
    fileprivate static var wrapped: Any.Type { Wrapped.self }
}

extension Sequence where Element: Hashable {
    /// The elements, each where it was first.
    fileprivate var uniqued: [Element] {
        var seen: Set<Element> = []
        return filter { seen.insert($0).inserted }
    }
}
