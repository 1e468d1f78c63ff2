internal import BridgeValues
internal import JavaScriptEngine

extension ScriptConformance {
    /// Runs vectors one after the other and tells how the implementation did on each.
    ///
    /// An implementation that is hostile or broken ends no sooner than others and no later than its limits say: one
    /// that cannot be loaded is not tested further; a vector in which a script is stopped at its limit has failed; after
    /// ``maximumStops`` of them, or when all together took ``maximumTime`` of processor time, the rest is not run.
    ///
    /// - Parameters:
    ///   - files: The vectors; those of the native side are passed over.
    ///   - isIncluded: Which of them to run.
    /// - Returns: The report, with a result for each vector that is included.
    /// - Throws: What is wrong with a vector itself.
    public func report(
        on files: [ConformanceFile],
        where isIncluded: (ConformanceVector) -> Bool = { _ in true }
    ) throws -> ConformanceReport {
        let started = ThreadTime.now
        let problem = try loadingProblem()
        var stops = 0
        var results: [ConformanceReport.Result] = []
        for file in files {
            for vector in file.vectors where vector.side == .script && isIncluded(vector) {
                let outcome: ConformanceReport.Outcome
                if problem != nil {
                    outcome = .notRun("the implementation could not be loaded")
                } else if stops >= Self.maximumStops {
                    outcome = .notRun("it was stopped at its limit in \(stops) vectors before this one")
                } else if ThreadTime.now - started > Self.maximumTime {
                    outcome = .notRun("all vectors together took more than \(Self.maximumTime)")
                } else {
                    outcome = try self.outcome(of: vector)
                    if outcome.failure?.isStop == true { stops += 1 }
                }
                results.append(
                    ConformanceReport.Result(
                        subject: file.subject,
                        name: vector.name,
                        mark: vector.mark,
                        assertions: vector.assertions,
                        outcome: outcome
                    )
                )
            }
        }
        return ConformanceReport(problem: problem, results: results)
    }

    /// In how many vectors a script may be stopped before the rest is not run.
    public static let maximumStops = 3
    /// How much processor time the vectors of a report may take together.
    public static let maximumTime = Duration.seconds(60)

    private func outcome(of vector: ConformanceVector) throws -> ConformanceReport.Outcome {
        guard let failure = try run(vector) else { return .passed }
        guard !isAncestor, !failure.isStop, vector.steps.contains(where: { $0.ancestor != nil }) else {
            return .failed(failure)
        }
        let ancestor = ScriptConformance(
            script: script,
            name: name,
            dialect: dialect,
            isAncestor: true,
            limits: limits
        )
        guard try ancestor.run(vector) == nil else { return .failed(failure) }
        // Where a dialect is kept in another way than its own script's side does it, in other turns, both ways keep it.
        return vector.mark == .keep ? .passed : .ancestral(failure)
    }

    /// Why the implementation cannot be tested; `nil` where it puts its global into a page.
    private func loadingProblem() throws -> String? {
        let page = try ConformancePage(limits: limits)
        prepare(page)
        page.run(script, sourceURL: name)
        let error = page.lastError
        page.runTimers()
        if let reason = page.stopReason { return "it cannot be loaded: \(reason)" }
        // An error may quote the script, which is as long as it likes.
        if let error { return "it cannot be loaded: \("\(error)".prefix(2_000))" }
        guard page.hasObject(named: dialect.globalName) else {
            return "it makes no object \"\(dialect.globalName)\""
        }
        return nil
    }
}
