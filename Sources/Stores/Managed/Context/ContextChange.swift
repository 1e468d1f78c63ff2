/// An object's place: its entity's number, and its row's identity or a negative number.
struct RowKey: Hashable, Sendable {
    let entity: Int
    var key: Int64

    var isTemporary: Bool { key < 0 }
}

/// Two rows that a to-many relationship joins, the first side's row first.
struct PairKey: Hashable, Sendable {
    let pairs: Int
    var first: Int64
    var second: Int64

    func end(_ side: Int) -> Int64 { side == 0 ? first : second }
}

/// One step of what happens in a context, with what is needed to take it back.
enum ContextChange: Sendable {
    /// An attribute got another value.
    case value(RowKey, Int, old: AttributeValue, new: AttributeValue)
    /// An object came, with these values.
    case insertion(RowKey, [AttributeValue])
    /// An object went, with these values.
    case deletion(RowKey, [AttributeValue])
    /// Two rows were joined, or not any more.
    case pair(PairKey, isAdded: Bool)

    /// The step that takes this one back.
    var inverse: ContextChange {
        switch self {
        case .value(let row, let attribute, let old, let new): .value(row, attribute, old: new, new: old)
        case .insertion(let row, let values): .deletion(row, values)
        case .deletion(let row, let values): .insertion(row, values)
        case .pair(let pair, let isAdded): .pair(pair, isAdded: !isAdded)
        }
    }
}

/// Which rows lead to a row by one attribute, as changes that are not saved.
struct ReferenceKey: Hashable {
    /// The entity that has the attribute.
    let entity: Int
    let attribute: Int
    /// The row that is led to.
    let target: Int64
}

/// One end of pairs.
struct PairSide: Hashable {
    let pairs: Int
    let side: Int
    let key: Int64
}

/// What came to a set of rows and what went, compared with the store.
struct MemberChanges {
    var added: Set<Int64> = []
    var removed: Set<Int64> = []

    var isEmpty: Bool { added.isEmpty && removed.isEmpty }

    /// Notes whether a row came or went; `nil` where it is as in the store.
    mutating func set(_ key: Int64, _ isAdded: Bool?) {
        if isAdded == true { added.insert(key) } else { added.remove(key) }
        if isAdded == false { removed.insert(key) } else { removed.remove(key) }
    }
}
