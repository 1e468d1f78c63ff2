/// The difference between two states of a data source.
///
/// Deletes, updates and the starts of moves name positions of the old state. Inserts and the ends of moves name
/// positions of the new state. The order of the changes therefore carries no meaning. Every row is reported, including
/// the rows of inserted and deleted sections. An update may also name a row that moved; a view redraws a moved row in
/// any case.
public enum ChangeSet: Sendable, Hashable {
    /// The listed changes, in one step.
    case some([Change])
    /// A full reload: anything may have changed, so read everything again.
    case all
}

/// One change of a change set, of a section or of an item.
public enum Change: Sendable, Hashable {
    /// A change of a section.
    ///
    /// Only the section of its paths matters; their item is 0.
    case section(type: ChangeType)
    /// A change of an item.
    case item(type: ChangeType)

    /// Creates a change of an item.
    ///
    /// The name is the one that the first releases used.
    public static func object(type: ChangeType) -> Change { .item(type: type) }

    /// The kind of change, with its paths, of the section or the item.
    public var type: ChangeType {
        switch self {
        case .section(let type), .item(let type): type
        }
    }
}
