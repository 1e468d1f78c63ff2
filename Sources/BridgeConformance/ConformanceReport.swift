/// The results of a side of the protocol for an array of vectors.
public struct ConformanceReport: Sendable, Hashable {
    /// The result of one vector.
    public struct Result: Sendable, Hashable {
        /// The subject of the vector's file.
        public let subject: String
        /// The name of the vector, which states the rule.
        public let name: String
        /// The kind of the rule: kept, a deviation or an extension.
        public let mark: ConformanceVector.Mark
        /// The numbers of the rule, such as `P40`.
        public let assertions: [String]
        /// The outcome.
        public let outcome: Outcome
    }

    /// The outcome of one vector.
    public enum Outcome: Sendable, Hashable {
        /// The observations match the expectations; for a kept rule, also those of the dialect's own script side.
        case passed
        /// The behavior is that of WebViewJavascriptBridge, possibly a mistake of it, where a deviation is expected.
        case legacyBehavior(ConformanceFailure)
        /// The behavior is another one.
        case failed(ConformanceFailure)
        /// The vector was not run, with the reason.
        case notRun(String)
    }

    /// A number of passed vectors, out of a total.
    public struct Score: Sendable, Hashable {
        /// The number of vectors that passed.
        public var passed = 0
        /// The number of vectors.
        public var total = 0
    }

    /// The reason why the implementation could not be tested at all; `nil` where it could.
    public let problem: String?
    /// The results, in the order of the vectors.
    public let results: [Result]

    /// A Boolean value that indicates whether all kept rules of WebViewJavascriptBridge (`K`) pass.
    ///
    /// Deviations (`B`) and extensions (`W`) are not required.
    public var conforms: Bool {
        problem == nil && results.allSatisfy { $0.mark != .keep || $0.outcome == .passed }
    }

    /// Returns the score of one kind of rules.
    public func score(of mark: ConformanceVector.Mark) -> Score { score { $0.mark == mark } }

    /// Returns the score of some of the results.
    public func score(where isCounted: (Result) -> Bool) -> Score {
        results.reduce(into: Score()) { score, result in
            guard isCounted(result) else { return }
            score.total += 1
            if result.outcome == .passed { score.passed += 1 }
        }
    }

    /// Returns the numbers of the rules whose vectors did not pass, in order, each once.
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
    /// The difference from the expectations; `nil` where there was none, or the vector was not run.
    public var failure: ConformanceFailure? {
        switch self {
        case .legacyBehavior(let failure), .failed(let failure): failure
        case .passed, .notRun: nil
        }
    }
}

extension ConformanceVector {
    /// The numbers of the rule: the words at the start of its name that are a letter and a number.
    public var assertions: [String] {
        let words = name.split(separator: " ").prefix { word in
            word.first.map { ("A"..."Z").contains($0) } == true && word.count > 1
                && word.dropFirst().allSatisfy { ("0"..."9").contains($0) }
        }
        return words.map { String($0) }
    }
}
