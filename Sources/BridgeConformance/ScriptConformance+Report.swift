internal import BridgeValues
internal import JavaScriptEngine

extension ScriptConformance {
    /// Runs vectors one after the other and reports the outcome of each.
    ///
    /// The time for a hostile or broken implementation is bounded. One that cannot be loaded is not tested further. A
    /// vector in which a script is terminated at its limit has failed. After ``maximumStops`` such vectors, or a total
    /// of ``maximumTime`` of processor time, the remaining vectors are not run.
    ///
    /// - Parameters:
    ///   - files: The vectors; those of the native side are ignored.
    ///   - isIncluded: A predicate that selects the vectors to run.
    /// - Returns: The report, with a result for each included vector.
    /// - Throws: An error of a vector itself.
    public func report(
        on files: [ConformanceFile],
        where isIncluded: (ConformanceVector) -> Bool = { _ in true }
    ) throws -> ConformanceReport {
        let started = ThreadTime.now
        let pages = ConformancePages(limits: limits)
        let problem = try loadingProblem(in: pages)
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
                    outcome = try self.outcome(of: vector, in: pages)
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

    /// The number of vectors in which a script may be terminated before the remaining ones are not run.
    public static let maximumStops = 3
    /// The maximum processor time of all vectors of a report together.
    public static let maximumTime = Duration.seconds(60)

    private func outcome(
        of vector: ConformanceVector,
        in pages: ConformancePages
    ) throws -> ConformanceReport.Outcome {
        guard let failure = try run(vector, in: pages) else { return .passed }
        guard !isLegacyLibrary, !failure.isStop, vector.steps.contains(where: { $0.original != nil }) else {
            return .failed(failure)
        }
        let original = ScriptConformance(
            script: script,
            name: name,
            dialect: dialect,
            isLegacyLibrary: true,
            limits: limits
        )
        guard try original.run(vector, in: pages) == nil else { return .failed(failure) }
        // The dialect's own script side may use other turns: both ways conform to a kept rule.
        return vector.mark == .keep ? .passed : .legacyBehavior(failure)
    }

    /// Returns the reason why the implementation cannot be tested; `nil` if it creates its global object in a page.
    private func loadingProblem(in pages: ConformancePages) throws -> String? {
        let page = try pages.next()
        prepare(page)
        page.run(script, sourceURL: name)
        let error = page.lastError
        page.runTimers()
        if let reason = page.stopReason { return "it cannot be loaded: \(reason)" }
        // An error may quote the script, which may have any length.
        if let error { return "it cannot be loaded: \("\(error)".prefix(2_000))" }
        guard page.hasObject(named: dialect.globalName) else {
            return "it does not create the object \"\(dialect.globalName)\""
        }
        return nil
    }
}
