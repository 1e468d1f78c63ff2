internal import BridgeValues
internal import JavaScriptBridge
public import JavaScriptEngine

/// A page without a browser: a context with `window`, a document whose frames carry signals, and timers that the test
/// runs.
///
/// Its document is that of the text transport. Any script side of the protocol that was written for a web view runs in
/// it unmodified. Events are recorded in order. A page is used on one thread at a time.
///
/// No script can occupy it forever. The page stops if a script passes its limits, or writes more than
/// ``maximumObservations`` lines or ``maximumBytes``. It also stops if its scripts use more processor time in total
/// than five operations may.
/// Nothing runs in a stopped page, and ``stopReason`` names the reason.
public final class ConformancePage {
    /// The page's context.
    public let context: JSContext
    private let control: JSValue
    private let journal: Journal
    private let maximumTime: Duration?
    private var time = Duration.zero
    private var stopReasonOfScript: String?

    /// The maximum number of observations of a page; one more stops it.
    public static let maximumObservations = 20_000
    /// The maximum number of bytes of all observations together.
    public static let maximumBytes = 32 << 20
    /// The maximum number of timers that run for one stimulus, for timers that set themselves again forever.
    public static let maximumTimers = 10_000

    /// The events, shared with the functions that the context owns.
    private final class Journal {
        var observations: [ConformanceObservation] = []
        var count = 0
        var bytes = 0

        var isFull: Bool {
            count > ConformancePage.maximumObservations || bytes > ConformancePage.maximumBytes
        }

        func note(_ observation: ConformanceObservation, bytes: Int = 0) {
            count += 1
            self.bytes += bytes
            if !isFull { observations.append(observation) }
        }
    }

    /// Creates an empty page.
    ///
    /// - Parameter limits: The limits of its scripts; an endless script is terminated, and its termination is a line.
    /// - Throws: ``JSException`` if the page's own script fails.
    public convenience init(limits: ExecutionLimits = ExecutionLimits()) throws {
        try self.init(machine: JSVirtualMachine(limits: limits))
    }

    /// Creates an empty page in a machine, which may have other pages that are no longer used.
    init(machine: JSVirtualMachine) throws {
        let context = try JSContext(virtualMachine: machine, globals: .minimal)
        let journal = Journal()
        maximumTime = machine.limits.processorTime.map { $0 * 5 }
        self.context = context
        self.journal = journal
        context.uncaughtErrorHandler = { error in
            let line = "uncaught \(error.name): \(error.message)"
            journal.note(.line(line), bytes: line.utf8.count)
        }
        let note = context.makeHostFunction { call in
            guard !journal.isFull else {
                journal.count += 1
                return .undefined
            }
            let text = call.string(at: 1) ?? ""
            switch call.string(at: 0) {
            case "log": journal.note(.log(text), bytes: text.utf8.count)
            case "signal": journal.note(.queueSignal)
            case "load": journal.note(.loadSignal)
            default: journal.note(.line(text), bytes: text.utf8.count)
            }
            return .undefined
        }
        try context.runPageScript()
        control = try context.evaluate(ConformancePageScript.text, sourceURL: "page.js")
            .call(withArguments: [note, context.internals.forProperty("makePage")])
    }

    deinit { context.close() }

    /// Runs a script of the page; an uncaught error is a line.
    public func run(_ script: String, sourceURL: String? = nil) {
        lastError = nil
        attempt { _ = try context.evaluate(script, sourceURL: sourceURL) }
    }

    /// The error that a script threw since the start of the last ``run(_:sourceURL:)``.
    public private(set) var lastError: (any Error)?

    /// The reason why the page was stopped; `nil` while it runs.
    public var stopReason: String? {
        if let stopReasonOfScript { return stopReasonOfScript }
        if journal.isFull {
            return "it wrote more than \(Self.maximumObservations) lines or \(Self.maximumBytes) bytes"
        }
        guard let maximumTime, time > maximumTime else { return nil }
        return "it took more than \(maximumTime) of processor time in total"
    }

    /// Returns whether the page has a global object, or function, with a name.
    public func hasObject(named name: String) -> Bool {
        attempt { try context.globalObject.forProperty(name).isObject } ?? false
    }

    /// Runs a script with three names in scope: `wvjb`, the global object of the bridge; `note`, which writes a line;
    /// `memo`, an object that persists between scripts.
    public func run(_ script: String, dialect: ConformanceDialect) {
        attempt {
            try control.invokeMethod(
                "run",
                withArguments: [text("(wvjb, note, memo) => {\n\(script)\n}"), text(dialect.globalName)]
            )
        }
    }

    /// Calls a function of the page with a string.
    public func call(_ function: String, with text: String) {
        attempt { try context.globalObject.invokeMethod(function, withArguments: [self.text(text)]) }
    }

    /// Passes the text of a message to the bridge's entry, as a value.
    public func deliver(_ message: String, dialect: ConformanceDialect) {
        attempt {
            try control.invokeMethod(
                "deliver",
                withArguments: [
                    text(dialect.isEntryGlobal ? "window" : dialect.globalName), text(dialect.entryName),
                    text(message),
                ]
            )
        }
    }

    /// Fetches the queue.
    ///
    /// - Returns: Its text; `nil` if the result was not a string.
    public func fetch(dialect: ConformanceDialect) -> String? {
        attempt {
            let fetched = try control.invokeMethod(
                "fetch",
                withArguments: [text(dialect.globalName), text(dialect.fetchName)]
            )
            return fetched.isString ? try fetched.toString() : nil
        } ?? nil
    }

    /// Runs due timers, each in a turn of its own.
    ///
    /// - Parameter count: The maximum number of timers; `nil` means all, including those that are set meanwhile.
    /// - Returns: The number of timers that ran.
    @discardableResult
    public func runTimers(_ count: Int? = nil) -> Int {
        var done = 0
        while done != count, attempt({ try control.invokeMethod("runTimer").toBool() }) == true {
            done += 1
            guard done < Self.maximumTimers else {
                stopReasonOfScript = "more than \(Self.maximumTimers) timers ran for one stimulus"
                break
            }
        }
        return done
    }

    /// Advances the page's clock, and runs the timers that are due then.
    public func advance(by milliseconds: Double) {
        attempt {
            try control.invokeMethod(
                "advance",
                withArguments: [JSValue(double: milliseconds, in: context)]
            )
        }
        runTimers()
    }

    /// The number of waiting timers.
    public var timerCount: Int {
        attempt { Int(try control.invokeMethod("timerCount").toInt32()) } ?? 0
    }

    /// Writes a line.
    public func note(_ line: String) { journal.note(.line(line), bytes: line.utf8.count) }

    /// Removes and returns the observations.
    public func takeObservations() -> [ConformanceObservation] {
        defer { journal.observations = [] }
        return journal.observations
    }

    private func text(_ text: String) throws -> JSValue { try JSValue(.string(text), in: context) }

    @discardableResult
    private func attempt<Result>(_ body: () throws -> Result) -> Result? {
        guard stopReason == nil else { return nil }
        let started = ThreadTime.now
        defer { time += ThreadTime.now - started }
        do {
            return try body()
        } catch let error as JSException {
            lastError = error
            if error.isTermination { stopReasonOfScript = error.message }
            note("threw \(error.name): \(error.message)")
        } catch {
            lastError = error
            note("threw \(error)")
        }
        return nil
    }
}
