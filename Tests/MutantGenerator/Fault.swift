/// A mutant of the session state machine: a mistake that an author could make.
struct Fault {
    /// A replacement in a source file, whose old text must occur exactly once.
    struct Edit {
        let file: String
        let old: String
        let new: String
    }

    /// The name of its case.
    let name: String
    /// The mistake, in a sentence.
    let meaning: String
    /// The replacements in the sources.
    let edits: [Edit]

    init(_ name: String, _ meaning: String, _ edits: [(file: String, old: String, new: String)]) {
        self.name = name
        self.meaning = meaning
        self.edits = edits.map { Edit(file: $0.file + ".swift", old: $0.old, new: $0.new) }
    }

    /// All mutants: of calls, requests, streams, contexts, limits, grants, data structures, rules, the fast path, the
    /// order of arrivals, operations, the audit and retained results.
    static let all =
        calls + held + requests + streams + contexts + limits + grants + parts + rules + atOnce + order
        + operations + audit + results
}
