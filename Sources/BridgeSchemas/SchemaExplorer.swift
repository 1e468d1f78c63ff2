internal import BridgeValues

/// An explorer of the values that a type accepts: it decodes the type in several worlds.
///
/// First the explorer refuses one shape after the other, until the type fails: a type that tries several shapes accepts
/// all of them. An object or an array is also decoded with other contents. Then it is decoded with each of its
/// questions refused in turn, including those that it asks only then. A member that the type does not need may be
/// missing.
///
/// Compiler-written coding is recognized by its questions: all of its keys, each for a property of that type. A part
/// stays open if the type may choose by contents that cannot be guessed, so that no script is refused which the call
/// would accept.
struct SchemaExplorer {
    /// The results of an exploration.
    struct Findings {
        /// The structure, if the type accepts an object.
        var object: StructureSchema?
        /// The other schemas that the type accepts.
        var alternatives: [TypeSchema] = []
        /// A Boolean value that indicates whether the type accepts `null`.
        var takesNothing = false
        /// The values that were decoded, each from other contents.
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
        // Errors are expected: only the progress of the type counts.
        if let value = try? type.init(from: SchemaRecorder(run: run)) { run.complete(with: value) }
        return run
    }

    /// Explores the type.
    func explore() -> Findings {
        var findings = Findings()
        var world = SchemaWorld()
        var asksForNothing = false
        while world.refusedShapes.count < Self.maximumShapes {
            let base = run(world)
            asksForNothing = asksForNothing || base.asksForNothing
            guard let shape = base.granted else {
                // It decodes without any input.
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
        // Findings from before the budget was spent are incomplete.
        if budget.isSpent { findings.alternatives.append(.any) }
        return findings
    }

    // The four combinations of booleans, numbers and strings, and all cases of small enumerations.
    private func contentsCount(of run: SchemaRun) -> Int {
        let types = run.members.flatMap(\.types).map(\.plain) + run.elements.compactMap(\.type)
        let counts = types.compactMap { ($0 as? any RawRepresentable.Type).flatMap { Self.casesCount($0) } }
        return min(max(4, counts.max() ?? 0), Self.maximumContents)
    }

    private static func casesCount<Cases: RawRepresentable>(_ type: Cases.Type) -> Int? {
        EnumerationCases.count(of: type)
    }

    // Refuses every question once, in the world in which it was asked first.
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
        // The type may request other keys for other contents, and so may a type whose keys cannot be listed.
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
                // The progress of compiler-written coding, which requests keys in their order.
                property = beginning.contains(name) ? .same : .none
            } else if seen.contains(where: \.isNested) {
                property = .same
            } else {
                property = properties?.match(types, isOptional: isAskedIfPresent || isMissing) ?? .none
            }
            // The first key is requested before anything is known.
            let isCertain = name == names.first || (property != .none && !isChoosing)
            if isUnread || isForgiven || property == .none { isOpen = true }
            let isAny = isUnread || isForgiven || !isCertain
            var schema = isAny ? .any : TypeSchema.alternatives(seen.flatMap(\.schemas).uniqued)
            // A type that fails validation in another member may not have noticed that this one was missing.
            let isMissable = isAny || isAskedIfPresent || isMissing
            // An optional that is requested as such may be null, but not missing, unless the type does not need it.
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

    // The members that were requested in the order of the keys, up to the first one without a placeholder value.
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

    /// Returns whether the type uses the standard library's coding of raw values, which accepts only values of cases.
    func takesOnly(_ rawValues: EnumerationRawValues) -> Bool {
        var world = SchemaWorld()
        world.scalar = rawValues.other
        do {
            _ = try type.init(from: SchemaRecorder(run: SchemaRun(world, schemas, budget)))
            return false
        } catch DecodingError.dataCorrupted(let context) {
            // A type with its own decoding has its own messages.
            return context.debugDescription.hasPrefix("Cannot initialize ")
        } catch {
            return false
        }
    }
}

/// The stored properties of a value, to which its decoded members are matched.
private struct StoredProperties {
    /// The property that matches a member.
    enum Match {
        /// No property has its type.
        case none
        /// A property of its type.
        case same
        /// A property that is an optional of its type.
        case optional
    }

    private var unmatched: [Any.Type] = []
    /// A Boolean value that indicates whether the value's own mirror hides them.
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

    /// A Boolean value that indicates whether some property matches no member: it may be decoded for other contents.
    var hasMore: Bool { !isHidden && !unmatched.isEmpty }

    /// Returns whether the properties consist of elements of these types, and no property is left.
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

/// A protocol of optionals, for their wrapped type.
private protocol SchemaOptional {
    static var wrapped: Any.Type { get }
}

extension Optional: SchemaOptional {
    fileprivate static var wrapped: Any.Type { Wrapped.self }
}

extension Sequence where Element: Hashable {
    /// The elements without duplicates, in the order of their first appearance.
    fileprivate var uniqued: [Element] {
        var seen: Set<Element> = []
        return filter { seen.insert($0).inserted }
    }
}
