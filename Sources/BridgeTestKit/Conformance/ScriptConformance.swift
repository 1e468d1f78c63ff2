internal import BridgeValues
public import JavaScriptEngine

/// Runs the vectors of the script's side against any implementation of it.
///
/// ```swift
/// let conformance = ScriptConformance(script: text)
/// for vector in file.vectors {
///     if let failure = try conformance.run(vector) { print(failure) }
/// }
/// ```
public struct ScriptConformance: Sendable {
    /// The implementation: a script that puts the bridge's global into a page, and can be run again.
    public let script: String
    /// The script's name in errors.
    public let name: String
    /// How it spells the protocol's names.
    public let dialect: ConformanceDialect
    /// Whether the mistakes of the ancestor are expected of it.
    public let isAncestor: Bool
    /// How much it may use in each page.
    public let limits: ExecutionLimits

    /// Makes a runner.
    ///
    /// - Parameters:
    ///   - script: The implementation under test.
    ///   - name: Its name in errors.
    ///   - dialect: How it spells the protocol's names.
    ///   - isAncestor: Whether a vector's `ancestor` is expected in the place of what is right.
    ///   - limits: How much it may use in each page.
    public init(
        script: String,
        name: String = "bridge.js",
        dialect: ConformanceDialect = .webViewJavascriptBridge,
        isAncestor: Bool = false,
        limits: ExecutionLimits = ExecutionLimits()
    ) {
        self.script = script
        self.name = name
        self.dialect = dialect
        self.isAncestor = isAncestor
        self.limits = limits
    }

    /// Runs one vector in a page of its own.
    ///
    /// - Returns: What was other than expected, first of all; `nil` where nothing was.
    /// - Throws: What is wrong with the vector itself.
    public func run(_ vector: ConformanceVector) throws -> ConformanceFailure? {
        let failure = try runOneForm(of: vector)
        guard let failure, !failure.isStop, let earlier = vector.asEarlier else { return failure }
        return try runOneForm(of: earlier) == nil ? nil : failure
    }

    private func runOneForm(of vector: ConformanceVector) throws -> ConformanceFailure? {
        let failure = try run(vector, joinsTurns: false)
        guard let failure, !failure.isStop, dialect.handlesAtOnce, !vector.isAboutTurns else {
            return failure
        }
        return try run(vector, joinsTurns: true) == nil ? nil : failure
    }

    /// Runs one vector; where turns are joined, what messages lead to may come as well when they are delivered as in
    /// the turns that run next.
    private func run(_ vector: ConformanceVector, joinsTurns: Bool) throws -> ConformanceFailure? {
        guard vector.side == .script else {
            throw BridgeError(.invalidArgument, "\"\(vector.name)\" is for the native side")
        }
        var checker = try ConformanceChecker(vector: vector, dialect: dialect, isAncestor: isAncestor)
        var page = try ConformancePage(limits: limits)
        if !vector.startsEmpty {
            prepare(page)
            page.run(script, sourceURL: name)
            page.runTimers()
            _ = page.fetch(dialect: dialect)
            _ = page.takeObservations()
        }
        var joined: (step: ConformanceStep, seen: [ConformanceObservation])?
        for (index, step) in vector.steps.enumerated() {
            if case .reload = step.stimulus { page = try ConformancePage(limits: limits) }
            // An implementation may have timers of its own that wait since a step before.
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

    /// Makes the set-up list, as a page has it that asked for the bridge.
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
        default: throw BridgeError(.invalidArgument, "\(stimulus) is nothing that a page can do")
        }
    }
}

extension ConformanceVector {
    /// Whether it is about when a message is handled.
    fileprivate var isAboutTurns: Bool {
        !Set(["P33", "P34", "P35", "P36", "P37", "P38"]).isDisjoint(with: assertions)
    }
}

extension ConformanceStep {
    fileprivate var wantsTimers: Bool { expectation.timers != nil || ancestor?.timers != nil }

    /// Whether what this step and the one before it lead to can be looked at together: messages, and the turns after them.
    fileprivate func mayJoin(_ previous: ConformanceStep) -> Bool {
        switch (previous.stimulus, stimulus) {
        case (.deliver, .deliver), (.deliver, .turns), (.script, .turns): true
        default: false
        }
    }

    /// The next step, with what is expected of both.
    fileprivate func followed(by next: ConformanceStep) -> ConformanceStep {
        ConformanceStep(
            stimulus: next.stimulus,
            expectation: expectation.followed(by: next.expectation),
            ancestor: ancestor == nil && next.ancestor == nil
                ? nil : (ancestor ?? expectation).followed(by: next.ancestor ?? next.expectation)
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
