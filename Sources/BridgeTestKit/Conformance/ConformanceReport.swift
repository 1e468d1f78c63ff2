/// How a side of the protocol did on a list of vectors.
public struct ConformanceReport: Sendable, Hashable {
    /// How it did on one vector.
    public struct Result: Sendable, Hashable {
        /// What the vector's file is about.
        public let subject: String
        /// The rule, as the vector says it.
        public let name: String
        /// Whether the rule is kept, mended or an extension.
        public let mark: ConformanceVector.Mark
        /// The numbers of the rule, such as `P40`.
        public let assertions: [String]
        /// What was seen.
        public let outcome: Outcome
    }

    /// What was seen of one vector.
    public enum Outcome: Sendable, Hashable {
        /// All that is expected, and nothing else; of a kept rule also what the dialect's own script's side does.
        case passed
        /// What the ancestor does, a mistake of it included, where something better is expected.
        case ancestral(ConformanceFailure)
        /// Something else.
        case failed(ConformanceFailure)
        /// The vector was not run, and why.
        case notRun(String)
    }

    /// How many of a kind of rules hold, of how many.
    public struct Score: Sendable, Hashable {
        /// How many vectors passed.
        public var passed = 0
        /// How many there are.
        public var total = 0
    }

    /// Why the implementation could not be tested at all; `nil` where it could.
    public let problem: String?
    /// The results, in the order of the vectors.
    public let results: [Result]

    /// Whether all that is kept of the ancestor holds (`K`).
    ///
    /// Mistakes of the ancestor that are not mended (`B`) and extensions that are not there (`W`) do not count.
    public var conforms: Bool {
        problem == nil && results.allSatisfy { $0.mark != .keep || $0.outcome == .passed }
    }

    /// The score of one kind of rules.
    public func score(of mark: ConformanceVector.Mark) -> Score { score { $0.mark == mark } }

    /// The score of some of the results.
    public func score(where isCounted: (Result) -> Bool) -> Score {
        results.reduce(into: Score()) { score, result in
            guard isCounted(result) else { return }
            score.total += 1
            if result.outcome == .passed { score.passed += 1 }
        }
    }

    /// The numbers that a vector without success carries, in their order, each once.
    public func failedAssertions(of mark: ConformanceVector.Mark) -> [String] {
        var numbers: [String] = []
        for result in results where result.mark == mark && result.outcome != .passed {
            for number in result.assertions where !numbers.contains(number) { numbers.append(number) }
        }
        return numbers.sorted { Self.sortKey($0) < Self.sortKey($1) }
    }

    private static func sortKey(_ number: String) -> (String, Int) {
        ("\(number.prefix(1))", Int(number.dropFirst()) ?? 0)
    }
}

extension ConformanceReport.Outcome {
    /// Where and how it was other than expected; `nil` where it was not, or was not run.
    public var failure: ConformanceFailure? {
        switch self {
        case .ancestral(let failure), .failed(let failure): failure
        case .passed, .notRun: nil
        }
    }
}

extension ConformanceVector {
    /// The numbers of the rule: the words at the beginning of its name that are a letter and a number.
    public var assertions: [String] {
        let words = name.split(separator: " ").prefix { word in
            word.first.map { ("A"..."Z").contains($0) } == true && word.count > 1
                && word.dropFirst().allSatisfy { ("0"..."9").contains($0) }
        }
        return words.map { String($0) }
    }
}
