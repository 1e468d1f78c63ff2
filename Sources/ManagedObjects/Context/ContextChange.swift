internal import Stores

/// An object's key in a context: its entity's number, and its row identity or a negative temporary number.
struct RowKey: Hashable, Sendable {
    let entity: Int
    var key: Int64

    var isTemporary: Bool { key < 0 }
}

/// A pair of rows that a to-many relationship joins, with the first side's row first.
struct PairKey: Hashable, Sendable {
    let pairs: Int
    var first: Int64
    var second: Int64

    func end(_ side: Int) -> Int64 { side == 0 ? first : second }
}

/// One change in a context, with the data to revert it.
enum ContextChange: Sendable {
    /// A new value of an attribute.
    case value(RowKey, Int, old: AttributeValue, new: AttributeValue)
    /// An inserted object with its values.
    case insertion(RowKey, [AttributeValue])
    /// A deleted object with its values.
    case deletion(RowKey, [AttributeValue])
    /// A pair that was added or removed.
    case pair(PairKey, isAdded: Bool)

    /// The change that reverts this one.
    var inverse: ContextChange {
        switch self {
        case .value(let row, let attribute, let old, let new): .value(row, attribute, old: new, new: old)
        case .insertion(let row, let values): .deletion(row, values)
        case .deletion(let row, let values): .insertion(row, values)
        case .pair(let pair, let isAdded): .pair(pair, isAdded: !isAdded)
        }
    }
}

/// A key for the rows that refer to a row by one attribute, for unsaved changes.
struct ReferenceKey: Hashable {
    /// The entity that has the attribute.
    let entity: Int
    let attribute: Int
    /// The referenced row.
    let target: Int64
}

/// A row at one side of a kind of pairs.
struct PairSide: Hashable {
    let pairs: Int
    let side: Int
    let key: Int64
}

/// The unsaved additions to and removals from a set of rows.
struct MemberChanges {
    var added: Set<Int64> = []
    var removed: Set<Int64> = []

    var isEmpty: Bool { added.isEmpty && removed.isEmpty }

    /// Records whether a row was added or removed; `nil` means that it is as in the store.
    mutating func set(_ key: Int64, _ isAdded: Bool?) {
        if isAdded == true { added.insert(key) } else { added.remove(key) }
        if isAdded == false { removed.insert(key) } else { removed.remove(key) }
    }
}
