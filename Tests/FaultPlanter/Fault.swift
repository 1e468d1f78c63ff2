/// A mistake that somebody could make in the session machine.
struct Fault {
    /// A piece of a source file, which stands there once, and what stands there where the fault is planted.
    struct Edit {
        let file: String
        let old: String
        let new: String
    }

    /// The name of its case.
    let name: String
    /// What goes wrong, in a sentence.
    let meaning: String
    /// Where it is.
    let edits: [Edit]

    init(_ name: String, _ meaning: String, _ edits: [(file: String, old: String, new: String)]) {
        self.name = name
        self.meaning = meaning
        self.edits = edits.map { Edit(file: $0.file + ".swift", old: $0.old, new: $0.new) }
    }

    /// All faults: of calls, of requests, of streams, of the life of contexts, of limits, of grants, of the parts, of rules, of what passes
    /// by the tables, of the order of what comes.
    static let all =
        calls + held + requests + streams + contexts + limits + grants + parts + rules + atOnce + order
}
