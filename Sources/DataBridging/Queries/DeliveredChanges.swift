internal import DataSources
internal import Stores

/// One change set in a script's hand.
///
/// It has the changes alone and nothing of the order around them, whose copy would make the next change copy
/// the whole directory of the order: 150 to 200 us in a million rows.
final class DeliveredChanges {
    let changes: FetchedChanges
    /// From the commit to the change set; `nil` where the change set was not delivered but made.
    let duration: Duration?

    var difference: Difference { changes.difference }

    init(_ changes: FetchedChanges, duration: Duration? = nil) {
        self.changes = changes
        self.duration = duration
    }

    /// The rows' ids in the order of the packed difference: those that went, came, moved and changed.
    var ids: [RowID] {
        changes.deletedIDs + changes.insertedIDs + changes.movedIDs + changes.updatedIDs
    }
}

/// The order of a query's rows at one version, in a script's hand.
final class QuerySnapshot {
    let sections: [SectionSnapshot<[AttributeValue], RowID>]

    init(_ sections: [SectionSnapshot<[AttributeValue], RowID>]) { self.sections = sections }

    init(_ sections: FetchedResultsSections?) {
        self.sections = sections?.map { SectionSnapshot(key: $0.keys, items: $0.objectIDs.array) } ?? []
    }
}
