internal import BridgeValues
internal import DataSources
internal import JavaScriptBridge
internal import Stores

/// One change set in a script's hand.
///
/// It has the changes alone and nothing of the order around them, whose copy would make the next change copy
/// the whole directory of the order: 150 to 200 us in a million rows.
final class DeliveredChanges {
    let changes: FetchedChanges
    /// The versions that the changes lead from: the query showed the same at each of them.
    let oldVersions: ClosedRange<Int>
    /// The versions that they lead to.
    let newVersions: ClosedRange<Int>
    /// From the commit to the change set; `nil` where the change set was not delivered but made.
    let duration: Duration?

    var difference: Difference { changes.difference }

    /// Makes the change set that a listener is told.
    ///
    /// - Parameters:
    ///   - changes: The changes.
    ///   - toldVersion: Where the change set that was told before ended; what was committed since then, and not told,
    ///     changed nothing that the query shows.
    ///   - duration: From the commit to now.
    convenience init(_ changes: FetchedChanges, toldVersion: Int?, duration: Duration?) {
        let told = min(toldVersion ?? changes.oldVersion, changes.oldVersion)
        self.init(
            changes,
            from: told...changes.oldVersion,
            to: changes.newVersion...changes.newVersion,
            duration: duration
        )
    }

    private init(
        _ changes: FetchedChanges,
        from oldVersions: ClosedRange<Int>,
        to newVersions: ClosedRange<Int>,
        duration: Duration?
    ) {
        self.changes = changes
        self.oldVersions = oldVersions
        self.newVersions = newVersions
        self.duration = duration
    }

    /// The changes that lead back.
    var inverse: DeliveredChanges {
        DeliveredChanges(changes.inverse, from: newVersions, to: oldVersions, duration: nil)
    }

    /// These changes and the next as one.
    ///
    /// - Throws: ``BridgeError`` with `invalidArgument` where the next do not begin where these end.
    func merging(_ next: DeliveredChanges) throws -> DeliveredChanges {
        guard newVersions.overlaps(next.oldVersions) else {
            throw BridgeError(
                .invalidArgument,
                "changes from version \(next.changes.oldVersion) do not follow those up to version "
                    + "\(changes.newVersion)"
            )
        }
        return DeliveredChanges(
            changes.merging(next.changes),
            from: oldVersions,
            to: next.newVersions,
            duration: duration
        )
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
