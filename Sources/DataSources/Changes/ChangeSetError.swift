/// Why a change set cannot lead from one state to another: the broken rule, the change, and the numbers.
public struct ChangeSetError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The rules that a change set keeps.
    public enum Rule: String, Sendable, Hashable, CaseIterable {
        /// A path is in its state.
        case pathInRange
        /// No two changes of a kind name one path; an insert and a move never end at one path.
        case namedOnce
        /// What is deleted is neither moved nor updated, nor is an item updated that goes with its section.
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
        /// How many were inserted.
        public var inserted: Int
        /// How many were deleted.
        public var deleted: Int
        /// How many came from elsewhere, or moved within.
        public var movedIn: Int
        /// How many went elsewhere, or moved within.
        public var movedOut: Int
        /// The count after.
        public var new: Int
    }

    /// The broken rule.
    public let rule: Rule
    /// The change that breaks it, where one does alone.
    public let change: Change?
    /// The numbers, where the counts do not add up.
    public let counts: Counts?
    /// The rows that disagree, as they describe themselves: the one before and the one after.
    public let identifiers: [String]
    /// What is wrong, in a sentence with paths, numbers and rows.
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

    /// The sentence.
    public var description: String { message }
}
