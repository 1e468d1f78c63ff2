internal import BridgeValues

/// An explorer of the cases of an enumeration with associated values whose coding the compiler wrote.
///
/// Such a type enumerates the keys, expects exactly one, and decodes an object under it. The explorer offers each key
/// in turn as the only one. It recognizes compiler-written coding by the requests for that object: all keys, in order,
/// each for an associated value of the resulting case. The type must also refuse anything less.
struct VariantExplorer {
    /// The results of an exploration.
    struct Findings {
        var variants: [StructureSchema.Variant] = []
        /// One or two values of each case.
        var values: [Any] = []
    }

    /// The run without a key.
    let base: SchemaRun
    /// A closure that decodes the type in a world.
    let run: (SchemaWorld) -> SchemaRun
    /// A closure that receives the values that were decoded so far.
    let offer: ([Any]) -> Void

    /// Returns the cases; `nil` where the coding may be hand-written.
    func explore() -> Findings? {
        guard base.value == nil, base.readsAllKeys, base.members.isEmpty, !base.delegates, !base.isEndless,
            let names = base.keys, !names.isEmpty, Set(names).count == names.count
        else { return nil }
        var found: [String: (variant: StructureSchema.Variant, values: [Any])] = [:]
        var count = -1
        // A case that contains the enumeration itself needs a value of another case.
        while found.count > count, found.count < names.count {
            count = found.count
            for name in names where found[name] == nil {
                guard let variant = variant(name) else { continue }
                found[name] = variant
                offer(names.compactMap { found[$0] }.flatMap(\.values))
            }
        }
        guard found.count == names.count else { return nil }
        let cases = names.compactMap { found[$0] }
        return Findings(variants: cases.map(\.variant), values: cases.flatMap(\.values))
    }

    private func variant(_ name: String) -> (variant: StructureSchema.Variant, values: [Any])? {
        var world = base.world
        world.variant = name
        let runs = [0, 1].map { contents in
            world.contents = contents
            return run(world)
        }
        let values = runs.compactMap(\.value)
        guard values.count == runs.count, let payload = runs[0].payload,
            runs.allSatisfy({ $0.questions == [.nested(name)] && !$0.delegates }),
            zip(runs, values).allSatisfy({ holds($1, what: $0.payload) }),
            (runs[0].questions + payload.questions).allSatisfy({ question in
                var less = runs[0].world
                less.refused.insert(question)
                return run(less).value == nil
            })
        else { return nil }
        let members = payload.members.map { member in
            var schema = TypeSchema.alternatives(member.schemas)
            if member.isAskedIfPresent, case .optional(let wrapped) = schema { schema = wrapped }
            return StructureSchema.Member(
                name: member.name,
                schema: schema,
                isOptional: member.isAskedIfPresent
            )
        }
        return (StructureSchema.Variant(name: name, members: members), values)
    }

    /// Returns whether the associated values of a value are those that were requested, and all keys were.
    private func holds(_ value: Any, what payload: SchemaRun?) -> Bool {
        let mirror = Mirror(reflecting: value)
        guard let payload, payload.keys == payload.members.map(\.name), !payload.readsAllKeys,
            payload.questions.count == payload.members.count, mirror.displayStyle == .enum,
            mirror.children.count <= 1
        else { return false }
        let types = mirror.children.first.map { child -> [Any.Type] in
            let inner = Mirror(reflecting: child.value)
            return inner.displayStyle == .tuple
                ? inner.children.map { type(of: $0.value) } : [type(of: child.value)]
        }
        return (types ?? []).elementsEqual(payload.members) { type, member in
            guard !member.isNested, let asked = member.types.first, member.types.count == 1 else {
                return false
            }
            return type == (member.isAskedIfPresent ? asked.optional : asked.plain)
        }
    }
}
