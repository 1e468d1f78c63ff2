internal import BridgeValues
internal import DataSources
internal import JavaScriptBridge
internal import Stores

/// One change set that a script retains.
///
/// It has only the changes and no copy of the order. A copy would force the next change to copy the whole directory of
/// the order: 150 to 200 us in a million rows.
final class DeliveredChanges {
    let changes: FetchedChanges
    /// The versions that the changes start from: the query had the same content at each of them.
    let oldVersions: ClosedRange<Int>
    /// The versions that they lead to.
    let newVersions: ClosedRange<Int>
    /// The time from the commit to the change set; `nil` for a change set that was computed instead of delivered.
    let duration: Duration?

    var difference: Difference { changes.difference }

    /// Creates the change set that a listener receives.
    ///
    /// - Parameters:
    ///   - changes: The changes.
    ///   - lastDeliveredVersion: The version at which the last delivered change set ended. Commits since then that were not
    ///     delivered changed nothing that the query shows.
    ///   - duration: The time from the commit to now.
    convenience init(_ changes: FetchedChanges, lastDeliveredVersion: Int?, duration: Duration?) {
        let told = min(lastDeliveredVersion ?? changes.oldVersion, changes.oldVersion)
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

    /// The inverse changes.
    var inverse: DeliveredChanges {
        DeliveredChanges(changes.inverse, from: newVersions, to: oldVersions, duration: nil)
    }

    /// Joins these changes with the next ones.
    ///
    /// - Throws: ``BridgeError`` with `invalidArgument` if the next changes are of another query, or do not begin where
    ///   these end.
    func merging(_ next: DeliveredChanges) throws -> DeliveredChanges {
        let merged: FetchedChanges
        do {
            merged = try changes.merging(next.changes)
        } catch {
            throw BridgeError(.invalidArgument, error.description)
        }
        guard newVersions.overlaps(next.oldVersions) else {
            throw BridgeError(
                .invalidArgument,
                "changes from version \(next.changes.oldVersion) do not follow those up to version "
                    + "\(changes.newVersion)"
            )
        }
        return DeliveredChanges(
            merged,
            from: oldVersions,
            to: next.newVersions,
            duration: duration
        )
    }

    /// The packed difference, followed by the rows' ids, each as two halves: the deleted, inserted, moved and updated
    /// rows.
    var packed: [Int32] {
        var numbers = changes.difference.packed
        for ids in [changes.deletedIDs, changes.insertedIDs, changes.movedIDs, changes.updatedIDs] {
            for id in ids {
                numbers.append(Int32(truncatingIfNeeded: id))
                numbers.append(Int32(truncatingIfNeeded: id >> 32))
            }
        }
        return numbers
    }

    // MARK: - As numbers

    /// The maximum count of numbers of a change set that is passed as numbers: about a dozen rows.
    private static let mostNumbers = 64

    /// A small change set without sections as numbers, which are passed without a native object.
    ///
    /// They are the packed difference, the newest version, the oldest and the newest version that it starts from, and
    /// its milliseconds or NaN. A native object lives until the engine collects the script's object, which happens only
    /// after thousands of change sets. The memory of such objects made the heap grow by a page at nearly every commit.
    var numbers: [Double]? {
        let difference = changes.difference
        guard difference.sectionDeletes.isEmpty, difference.sectionInserts.isEmpty,
            difference.sectionMoves.isEmpty
        else { return nil }
        let rows = difference.deletes.count + difference.inserts.count
        let pairs = difference.moves.count + difference.updates.count
        guard 7 + 4 * rows + 6 * pairs + Self.headCount <= Self.mostNumbers else { return nil }
        var numbers: [Double] = []
        numbers.reserveCapacity(Self.mostNumbers)
        for number in packed { numbers.append(Double(number)) }
        numbers.append(Double(changes.newVersion))
        numbers.append(Double(oldVersions.lowerBound))
        numbers.append(Double(changes.oldVersion))
        numbers.append(duration.map { $0 / .milliseconds(1) } ?? .nan)
        return numbers
    }

    private static let headCount = 4

    /// Creates the change set from its numbers.
    ///
    /// - Throws: ``BridgeError`` with `invalidArgument` if the numbers are invalid.
    convenience init(numbers: [Double], of origin: ChangeOrigin) throws {
        let whole = numbers.dropLast().map { Int(exactly: $0) ?? -1 }
        let counts = whole.prefix(7).map { max(0, min($0, numbers.count)) }
        guard counts.count == 7, numbers.count >= Self.headCount else {
            throw BridgeError(.invalidArgument, "the numbers are not a change set")
        }
        let packedCount = 7 + 2 * (counts[3] + counts[4]) + 4 * (counts[5] + counts[6])
        let idCount = counts[3] + counts[4] + counts[5] + counts[6]
        let versions = whole.suffix(Self.headCount - 1)
        guard packedCount + 2 * idCount + Self.headCount == numbers.count,
            !versions.contains(where: { $0 < 0 }),
            let new = versions.first, let old = versions.last, let told = versions.dropFirst().first,
            told <= old
        else { throw BridgeError(.invalidArgument, "the numbers are not a change set") }
        let ids = (0..<idCount).map { index -> RowID in
            let place = packedCount + 2 * index
            return RowID(Self.half(numbers[place + 1])) << 32
                | RowID(UInt32(bitPattern: Self.half(numbers[place])))
        }
        let changes: FetchedChanges
        do {
            changes = try FetchedChanges(
                packed: numbers.prefix(packedCount).map { Self.half($0) },
                ids: ids,
                of: origin.plan,
                oldVersion: old,
                newVersion: new
            )
        } catch {
            throw BridgeError(.invalidArgument, error.message)
        }
        let milliseconds = numbers[numbers.count - 1]
        self.init(
            changes,
            from: told...old,
            to: new...new,
            duration: milliseconds.isNaN ? nil : .milliseconds(milliseconds)
        )
    }

    private static func half(_ number: Double) -> Int32 { Int32(exactly: number) ?? 0 }
}

/// The plan that the change sets of one query belong to, retained by a script without the rows and their order.
final class ChangeOrigin {
    let plan: FetchPlan

    init(_ plan: FetchPlan) { self.plan = plan }
}

/// The order of a query's rows at one version, retained by a script.
final class QuerySnapshot {
    let sections: [SectionSnapshot<[AttributeValue], RowID>]
    /// The secrecy of the keys of its sections: plain, or possibly a secret.
    let secrecy: SectionSecrecy
    private let entityName: String

    private init(
        _ sections: [SectionSnapshot<[AttributeValue], RowID>],
        of entityName: String,
        _ secrecy: SectionSecrecy
    ) {
        self.sections = sections
        self.entityName = entityName
        self.secrecy = secrecy
    }

    convenience init(of controller: FetchedResultsController) {
        self.init(
            controller.sections?.map { SectionSnapshot(key: $0.keys, items: $0.objectIDs.array) } ?? [],
            of: controller.fetchRequest.entityName,
            controller.sectionSecrecy
        )
    }

    /// Returns the order after changes.
    ///
    /// - Throws: ``BridgeError`` with `invalidArgument` if the changes are of another entity, or of another order.
    func applying(_ changes: FetchedChanges) throws -> QuerySnapshot {
        let other = changes.plan.entity.name
        guard other == entityName else {
            throw BridgeError(
                .invalidArgument,
                "the changes do not fit this snapshot: they are of '\(other)', and it is of '\(entityName)'"
            )
        }
        do {
            return QuerySnapshot(try changes.applied(to: sections), of: entityName, secrecy)
        } catch {
            throw BridgeError(.invalidArgument, "the changes do not fit this snapshot: \(error)")
        }
    }
}
