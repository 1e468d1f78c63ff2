internal import BridgeValues

/// The members that a type requested, in the order of their first requests.
struct RequestedMembers {
    private(set) var all: [SchemaRun.Member] = []
    private var indexes: [String: Int] = [:]

    /// Records an observation about a member.
    mutating func note(_ name: String, _ observation: (inout SchemaRun.Member) -> Void) {
        let index = indexes[name] ?? all.count
        if index == all.count {
            all.append(SchemaRun.Member(name: name))
            indexes[name] = index
        }
        observation(&all[index])
    }
}

/// The requested types of an array's elements, each once.
struct RequestedElements {
    private(set) var all: [(schema: TypeSchema, type: Any.Type?)] = []
    /// A Boolean value that indicates whether the type continued after an element was refused.
    private(set) var isForgiving = false

    /// Records a requested type.
    mutating func note(_ schema: TypeSchema, _ type: Any.Type?) {
        guard !all.contains(where: { $0.schema == schema && $0.type == type }) else { return }
        all.append((schema, type))
    }

    /// Records that the type continued after an element was refused.
    mutating func forgive() { isForgiving = true }
}

/// The keys of a type, from all its key types.
struct RequestedKeys {
    /// The names of the cases of all key types; `nil` where one of them is not an enumeration.
    private(set) var names: [String]? = []
    private var types: Set<ObjectIdentifier> = []
    /// A Boolean value that indicates whether the type enumerated the members.
    private(set) var areEnumerated = false

    /// Records a key type.
    mutating func note<Key: CodingKey>(_ type: Key.Type) {
        guard types.insert(ObjectIdentifier(type)).inserted else { return }
        guard let cases = EnumerationCases.all(of: type) else {
            names = nil
            return
        }
        names?.append(contentsOf: cases.map(\.stringValue))
    }

    /// Records that the type enumerated the members.
    mutating func noteEnumeration() { areEnumerated = true }
}

/// The shape of the input that a type found first.
struct GrantedShape {
    private(set) var shape: SchemaWorld.Shape?
    private(set) var schema: TypeSchema?
    private var kinds = DataKinds.all

    /// Returns whether the input may be of some kinds besides those that the type found in it.
    func allows(_ wanted: DataKinds) -> Bool { !kinds.isDisjoint(with: wanted) }

    /// Grants a shape; the first one stays.
    ///
    /// - Returns: Whether the shape is the first one, or equal to it.
    mutating func grant(_ shape: SchemaWorld.Shape, _ schema: TypeSchema, kinds: DataKinds) -> Bool {
        guard let present = self.shape else {
            self.shape = shape
            self.schema = schema
            self.kinds = kinds
            return true
        }
        return present == shape
    }
}
