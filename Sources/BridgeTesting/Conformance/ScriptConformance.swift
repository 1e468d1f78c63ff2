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
        for (index, step) in vector.steps.enumerated() {
            if case .reload = step.stimulus {
                page = try ConformancePage(limits: limits)
            } else {
                try perform(step.stimulus, in: page, checker)
            }
            let timers = step.wantsTimers ? page.timerCount : nil
            let seen = page.takeObservations()
            if let reason = page.stopReason { return checker.stop(step, at: index, reason) }
            if let failure = try checker.check(step, at: index, seen, timers: timers) { return failure }
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
        default: throw BridgeError(.invalidArgument, "\(stimulus) is nothing that a page can do")
        }
    }
}

extension ConformanceStep {
    fileprivate var wantsTimers: Bool { expectation.timers != nil || ancestor?.timers != nil }
}
