extension HeapSnapshot {
    /// The change of the objects of a class between two snapshots.
    public struct ClassDifference: Sendable, Hashable {
        /// The name of the class.
        public let className: String
        /// The number of objects that only the later snapshot has.
        public internal(set) var addedCount = 0
        /// Their size in bytes.
        public internal(set) var addedSize = 0
        /// The number of objects that only the earlier snapshot has.
        public internal(set) var removedCount = 0
        /// Their size in bytes.
        public internal(set) var removedSize = 0

        /// The change of the size in bytes.
        public var sizeChange: Int { addedSize - removedSize }
        /// The change of the number of objects.
        public var countChange: Int { addedCount - removedCount }
    }

    /// Returns a Boolean value that indicates whether objects have the same IDs in another snapshot.
    public func sharesIDs(with other: HeapSnapshot) -> Bool { heap != 0 && heap == other.heap }

    /// Returns the classes whose objects differ from those of an earlier snapshot, the largest growth first.
    ///
    /// Objects are compared by their IDs. If the snapshots are of two runs (``sharesIDs(with:)``), only the numbers and
    /// sizes of each class are compared.
    ///
    /// - Parameter earlier: The earlier snapshot.
    /// - Returns: The classes.
    /// - Complexity: O(*n*) in the number of objects of both.
    public func difference(from earlier: HeapSnapshot) -> [ClassDifference] {
        let changes = sharesIDs(with: earlier) ? objectChanges(from: earlier) : classChanges(from: earlier)
        return changes.values.filter { $0.addedCount + $0.removedCount > 0 || $0.sizeChange != 0 }.sorted {
            ($1.sizeChange, $1.countChange, $0.className) < ($0.sizeChange, $0.countChange, $1.className)
        }
    }

    private func objectChanges(from earlier: HeapSnapshot) -> [String: ClassDifference] {
        var changes: [String: ClassDifference] = [:]
        let (before, after) = (Set(earlier.ids), Set(ids))
        for index in ids.indices where !before.contains(ids[index]) {
            let name = classNames[Int(classes[index])]
            changes[name, default: ClassDifference(className: name)].addedCount += 1
            changes[name, default: ClassDifference(className: name)].addedSize += sizes[index]
        }
        for index in earlier.ids.indices where !after.contains(earlier.ids[index]) {
            let name = earlier.classNames[Int(earlier.classes[index])]
            changes[name, default: ClassDifference(className: name)].removedCount += 1
            changes[name, default: ClassDifference(className: name)].removedSize += earlier.sizes[index]
        }
        return changes
    }

    private func classChanges(from earlier: HeapSnapshot) -> [String: ClassDifference] {
        var changes: [String: ClassDifference] = [:]
        for (summary, sign) in classSummaries.map({ ($0, 1) }) + earlier.classSummaries.map({ ($0, -1) }) {
            let name = summary.className
            changes[name, default: ClassDifference(className: name)].addedCount += sign * summary.count
            changes[name, default: ClassDifference(className: name)].addedSize += sign * summary.size
        }
        return changes.mapValues { change in
            var change = change
            if change.addedCount < 0 { (change.addedCount, change.removedCount) = (0, -change.addedCount) }
            if change.addedSize < 0 { (change.addedSize, change.removedSize) = (0, -change.addedSize) }
            return change
        }
    }

    /// Returns the objects of a class that an earlier snapshot of the same profiler does not have.
    public func addedNodes(ofClass name: String, from earlier: HeapSnapshot) -> [Node] {
        let before = Set(earlier.ids)
        return indices(ofClass: name).filter { !before.contains(ids[$0]) }.map(node(at:))
    }
}
