/// What changed between two states of a data source.
///
/// Deletes, updates and the starts of moves name places of the OLD state; inserts and the ends of moves name
/// places of the NEW state. The order of the changes therefore carries no meaning. Every row is reported,
/// those of inserted and deleted sections too. A row that moved may also be named by an update; whoever shows
/// a moved row draws it anew in any case.
public enum ChangeSet: Sendable, Hashable {
    /// These changes, in one step.
    case some([Change])
    /// Anything may have changed: read everything again.
    case all
}

/// One change of a change set, of a section or of an item.
public enum Change: Sendable, Hashable {
    /// A change of a section. Only the section of its paths counts; their item is 0.
    case section(type: ChangeType)
    /// A change of an item.
    case item(type: ChangeType)

    /// Makes a change of an item: the name that it had in the first releases of the vocabulary.
    public static func object(type: ChangeType) -> Change { .item(type: type) }

    /// What happened, to whichever of the two.
    public var type: ChangeType {
        switch self {
        case .section(let type), .item(let type): type
        }
    }
}
