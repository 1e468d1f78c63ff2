/// The reason why a change set does not lead from one state to another: the broken rule, the change and the numbers.
public struct ChangeSetError: Error, Sendable, Hashable, CustomStringConvertible {
    /// A rule that a change set must keep.
    public enum Rule: String, Sendable, Hashable, CaseIterable {
        /// Every path exists in its state.
        case pathInRange
        /// No two changes of a kind name the same path, and no insert and move end at the same path.
        case namedOnce
        /// A deleted section or row is neither moved nor updated.
        ///
        /// An item of a deleted section is not updated either.
        case notDeletedAndUsed
        /// A move or an update names the same row in both states.
        case sameRow
        /// Old count + inserted - deleted + moved in - moved out = new count.
        case countsAddUp
    }

    /// The six numbers of a count that does not add up.
    public struct Counts: Sendable, Hashable {
        /// The section in the new state, or `nil` where the sections themselves are counted.
        public var section: Int?
        /// The count before.
        public var old: Int
        /// The number of inserts.
        public var inserted: Int
        /// The number of deletes.
        public var deleted: Int
        /// The number of rows or sections that moved in from elsewhere, or moved within.
        public var movedIn: Int
        /// The number of rows or sections that moved out, or moved within.
        public var movedOut: Int
        /// The count after.
        public var new: Int
    }

    /// The broken rule.
    public let rule: Rule
    /// The change that breaks the rule, if a single change does.
    public let change: Change?
    /// The six counts, if they do not add up.
    public let counts: Counts?
    /// The descriptions of the two rows that differ: the one before and the one after.
    public let identifiers: [String]
    /// A sentence that says what is wrong, with paths, counts and rows.
    public let message: String

    init(_ rule: Rule, _ change: Change, _ reason: String, identifiers: [String] = []) {
        self.rule = rule
        self.change = change
        self.identifiers = identifiers
        counts = nil
        message = "\(change): \(reason)"
    }

    init(_ counts: Counts) {
        rule = .countsAddUp
        change = nil
        identifiers = []
        self.counts = counts
        let whose = counts.section.map { "rows of section \($0)" } ?? "sections"
        message = """
            \(whose): \(counts.old) before + \(counts.inserted) inserted - \(counts.deleted) deleted \
            + \(counts.movedIn) moved in - \(counts.movedOut) moved out is not \(counts.new) after
            """
    }

    /// The message.
    public var description: String { message }
}
