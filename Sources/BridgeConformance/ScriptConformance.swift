internal import BridgeValues
public import JavaScriptEngine

/// A runner of the script side's vectors, for any implementation.
///
/// ```swift
/// let conformance = ScriptConformance(script: text)
/// for vector in file.vectors {
///     if let failure = try conformance.run(vector) { print(failure) }
/// }
/// ```
public struct ScriptConformance: Sendable {
    /// The implementation: a script that adds the bridge's global object to a page, and can run repeatedly.
    public let script: String
    /// The script's name in errors.
    public let name: String
    /// The names of the protocol in the implementation.
    public let dialect: ConformanceDialect
    /// A Boolean value that indicates whether the mistakes of WebViewJavascriptBridge are expected.
    public let isLegacyLibrary: Bool
    /// The limits in each page.
    public let limits: ExecutionLimits

    /// Creates a runner.
    ///
    /// - Parameters:
    ///   - script: The implementation under test.
    ///   - name: Its name in errors.
    ///   - dialect: The names of the protocol in the implementation.
    ///   - isLegacyLibrary: Whether a vector's `original` expectations replace the normal ones.
    ///   - limits: The limits in each page.
    public init(
        script: String,
        name: String = "bridge.js",
        dialect: ConformanceDialect = .webViewJavascriptBridge,
        isLegacyLibrary: Bool = false,
        limits: ExecutionLimits = ExecutionLimits()
    ) {
        self.script = script
        self.name = name
        self.dialect = dialect
        self.isLegacyLibrary = isLegacyLibrary
        self.limits = limits
    }

    /// Runs one vector in a page of its own.
    ///
    /// - Returns: The first difference from the expectations; `nil` where there was none.
    /// - Throws: An error of the vector itself.
    public func run(_ vector: ConformanceVector) throws -> ConformanceFailure? {
        try run(vector, in: ConformancePages(limits: limits))
    }

    func run(_ vector: ConformanceVector, in pages: ConformancePages) throws -> ConformanceFailure? {
        let failure = try runOneForm(of: vector, in: pages)
        guard let failure, !failure.isStop, let earlier = vector.asEarlier else { return failure }
        return try runOneForm(of: earlier, in: pages) == nil ? nil : failure
    }

    private func runOneForm(
        of vector: ConformanceVector,
        in pages: ConformancePages
    ) throws -> ConformanceFailure? {
        let failure = try run(vector, joinsTurns: false, in: pages)
        guard let failure, !failure.isStop, dialect.handlesInline, !vector.isAboutTurns else {
            return failure
        }
        return try run(vector, joinsTurns: true, in: pages) == nil ? nil : failure
    }

    /// Runs one vector; where turns are joined, the consequences of messages may appear at their delivery or in the
    /// following turns.
    private func run(
        _ vector: ConformanceVector,
        joinsTurns: Bool,
        in pages: ConformancePages
    ) throws -> ConformanceFailure? {
        guard vector.side == .script else {
            throw BridgeError(.invalidArgument, "\"\(vector.name)\" is a vector of the native side")
        }
        var checker = try ConformanceChecker(
            vector: vector,
            dialect: dialect,
            isLegacyLibrary: isLegacyLibrary
        )
        var page = try pages.next()
        if !vector.startsEmpty {
            prepare(page)
            page.run(script, sourceURL: name)
            page.runTimers()
            _ = page.fetch(dialect: dialect)
            _ = page.takeObservations()
        }
        var joined: (step: ConformanceStep, seen: [ConformanceObservation])?
        for (index, step) in vector.steps.enumerated() {
            if case .reload = step.stimulus { page = try pages.next() }
            // An implementation may have its own timers from earlier steps.
            let waiting = step.wantsTimers ? page.timerCount : 0
            try perform(step.stimulus, in: page, checker)
            let timers = step.wantsTimers ? page.timerCount - waiting : nil
            let seen = page.takeObservations()
            if let reason = page.stopReason { return checker.stop(step, at: index, reason) }
            let whole = joined.take().map { ($0.step.followed(by: step), $0.seen + seen) } ?? (step, seen)
            if joinsTurns, index + 1 < vector.steps.count, vector.steps[index + 1].mayJoin(step) {
                joined = whole
            } else if let failure = try checker.check(whole.0, at: index, whole.1, timers: timers) {
                return failure
            }
        }
        return nil
    }

    /// Creates the set-up array, as in a page that has requested the bridge.
    func prepare(_ page: ConformancePage) {
        if !dialect.setUpListName.isEmpty { page.run("window.\(dialect.setUpListName) = []") }
    }

    private func perform(
        _ stimulus: ConformanceStimulus,
        in page: ConformancePage,
        _ checker: ConformanceChecker
    ) throws {
        switch stimulus {
        case .script(let text): page.run(try checker.bindings.filled(text), dialect: dialect)
        case .inject: page.run(script, sourceURL: name)
        case .deliver(let text): page.deliver(try checker.bindings.filled(text), dialect: dialect)
        case .turns(let count): page.runTimers(count)
        case .advance(let milliseconds): page.advance(by: milliseconds)
        case .fetch:
            if let text = page.fetch(dialect: dialect) { page.note(text) }
        case .reload: break
        default: throw BridgeError(.invalidArgument, "\(stimulus) is not a stimulus of a page")
        }
    }
}

extension ConformanceVector {
    /// A Boolean value that indicates whether the rule is about the turn in which a message is handled.
    fileprivate var isAboutTurns: Bool {
        !Set(["P33", "P34", "P35", "P36", "P37", "P38"]).isDisjoint(with: assertions)
    }
}

extension ConformanceStep {
    fileprivate var wantsTimers: Bool { expectation.timers != nil || original?.timers != nil }

    /// Returns whether the observations of this step and the previous one can be combined: messages, and the turns
    /// after them.
    fileprivate func mayJoin(_ previous: ConformanceStep) -> Bool {
        switch (previous.stimulus, stimulus) {
        case (.deliver, .deliver), (.deliver, .turns), (.script, .turns): true
        default: false
        }
    }

    /// Returns the next step, with the expectations of both.
    fileprivate func followed(by next: ConformanceStep) -> ConformanceStep {
        ConformanceStep(
            stimulus: next.stimulus,
            expectation: expectation.followed(by: next.expectation),
            original: original == nil && next.original == nil
                ? nil : (original ?? expectation).followed(by: next.original ?? next.expectation)
        )
    }
}

extension ConformanceExpectation {
    fileprivate func followed(by next: ConformanceExpectation) -> ConformanceExpectation {
        var result = next
        result.lines = lines + next.lines
        if let log { result.log = log + (next.log ?? []) }
        if let signals { result.signals = signals + (next.signals ?? 0) }
        return result
    }
}
