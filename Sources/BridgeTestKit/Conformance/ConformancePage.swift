internal import BridgeValues
internal import JavaScriptBridge
public import JavaScriptEngine

/// A page without a browser: a context of its own with `window`, a document whose frames carry signals, and
/// timers that run when the test says so.
///
/// Its document is the one that the text transport has. Any script's side of the protocol that was written for a web
/// view runs in it unmodified. What happens is noted in order. A page is used on one thread at a time.
///
/// No script can keep it: one that passes its limits, writes more than ``maximumObservations`` lines or
/// ``maximumBytes``, or takes more processor time in all than five operations may, stops the page. Nothing runs
/// in it from then on, and ``stopReason`` says why.
public final class ConformancePage {
    /// The page's context.
    public let context: JSContext
    private let control: JSValue
    private let journal: Journal
    private let maximumTime: Duration?
    private var time = Duration.zero
    private var stopReasonOfScript: String?

    /// How many observations are kept of a page; one more stops it.
    public static let maximumObservations = 20_000
    /// How many bytes of text its observations may have together.
    public static let maximumBytes = 32 << 20
    /// How many timers run for one stimulus: more is a timer that sets itself again for ever.
    public static let maximumTimers = 10_000

    /// What happened, shared with the functions that the context owns.
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

    /// Makes an empty page.
    ///
    /// - Parameter limits: How much its scripts may use; an endless one is stopped, and its termination is a
    ///   line.
    /// - Throws: ``JSException`` if the page's own script does not run.
    public init(limits: ExecutionLimits = ExecutionLimits()) throws {
        let context = try JSContext(virtualMachine: JSVirtualMachine(limits: limits))
        let journal = Journal()
        maximumTime = limits.processorTime.map { $0 * 5 }
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

    /// Runs a script as the page's own; an error that it throws is a line.
    public func run(_ script: String, sourceURL: String? = nil) {
        lastError = nil
        attempt { _ = try context.evaluate(script, sourceURL: sourceURL) }
    }

    /// The error that a script threw since the last ``run(_:sourceURL:)`` began.
    public private(set) var lastError: (any Error)?

    /// Why nothing runs in the page any more; `nil` while it does.
    public var stopReason: String? {
        if let stopReasonOfScript { return stopReasonOfScript }
        if journal.isFull {
            return "it wrote more than \(Self.maximumObservations) lines or \(Self.maximumBytes) bytes"
        }
        guard let maximumTime, time > maximumTime else { return nil }
        return "it took more than \(maximumTime) of processor time in all"
    }

    /// Whether the page has a global object, or function, of a name.
    public func hasObject(named name: String) -> Bool {
        attempt { try context.globalObject.forProperty(name).isObject } ?? false
    }

    /// Runs a script with some names at hand: `wvjb`, the global object of the bridge; `note`, which writes a
    /// line; `memo`, an object that is kept between scripts.
    public func run(_ script: String, dialect: ConformanceDialect) {
        attempt {
            try control.invokeMethod(
                "run",
                withArguments: [text("(wvjb, note, memo) => {\n\(script)\n}"), text(dialect.globalName)]
            )
        }
    }

    /// Calls a function of the page with a text.
    public func call(_ function: String, with text: String) {
        attempt { try context.globalObject.invokeMethod(function, withArguments: [self.text(text)]) }
    }

    /// Gives a message's text to the bridge's entry, as a value.
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
    /// - Returns: Its text; `nil` where what came is no text, or nothing came.
    public func fetch(dialect: ConformanceDialect) -> String? {
        attempt {
            let fetched = try control.invokeMethod(
                "fetch",
                withArguments: [text(dialect.globalName), text(dialect.fetchName)]
            )
            return fetched.isString ? try fetched.toString() : nil
        } ?? nil
    }

    /// Runs timers that are due, each in a turn of its own.
    ///
    /// - Parameter count: How many at most; all, also those that are set meanwhile, where it is `nil`.
    /// - Returns: How many ran.
    @discardableResult
    public func runTimers(_ count: Int? = nil) -> Int {
        var done = 0
        while done != count, attempt({ try control.invokeMethod("runTimer").toBool() }) == true {
            done += 1
            guard done < Self.maximumTimers else {
                stopReasonOfScript = "more than \(Self.maximumTimers) timers ran, each set by one before"
                break
            }
        }
        return done
    }

    /// Moves the page's clock, and runs what is due then.
    public func advance(by milliseconds: Double) {
        attempt {
            try control.invokeMethod(
                "advance",
                withArguments: [JSValue(double: milliseconds, in: context)]
            )
        }
        runTimers()
    }

    /// How many timers wait.
    public var timerCount: Int {
        attempt { Int(try control.invokeMethod("timerCount").toInt32()) } ?? 0
    }

    /// Writes a line.
    public func note(_ line: String) { journal.note(.line(line), bytes: line.utf8.count) }

    /// Takes what was seen since the last time.
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
