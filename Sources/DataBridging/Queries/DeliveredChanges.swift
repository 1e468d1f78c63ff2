internal import DataSources
internal import Stores

/// One change set in a script's hand, with the sections before and after.
final class DeliveredChanges {
    let difference: Difference
    let old: FetchedResultsSections?
    let new: FetchedResultsSections?
    let version: Int
    /// From the commit to the change set; `nil` where the change set was not delivered but made.
    let duration: Duration?

    init(
        _ changes: FetchedChanges,
        old: FetchedResultsSections?,
        new: FetchedResultsSections?,
        duration: Duration?
    ) {
        difference = changes.difference
        version = changes.newVersion
        self.old = old
        self.new = new
        self.duration = duration
    }

    /// The change set that leads back.
    init(inverseOf changes: DeliveredChanges) {
        difference = changes.difference.inverse
        version = changes.version
        old = changes.new
        new = changes.old
        duration = nil
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
