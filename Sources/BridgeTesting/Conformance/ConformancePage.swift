internal import BridgeValues
public import JavaScriptEngine

/// A page without a browser: a context of its own with `window`, a document whose frames carry signals, and
/// timers that run when the test says so.
///
/// Any script's side of the protocol that was written for a web view runs in it unmodified. What happens is
/// noted in order. A page is used on one thread at a time.
public final class ConformancePage {
    /// The page's context.
    public let context: JSContext
    private let control: JSValue
    private let journal: Journal

    /// What happened, shared with the functions that the context owns.
    private final class Journal {
        var observations: [ConformanceObservation] = []
    }

    /// Makes an empty page.
    ///
    /// - Parameter limits: How much its scripts may use; an endless one is stopped, and its termination is a
    ///   line.
    /// - Throws: ``JSException`` if the page's own script does not run.
    public init(limits: ExecutionLimits = ExecutionLimits()) throws {
        let context = try JSContext(virtualMachine: JSVirtualMachine(limits: limits))
        let journal = Journal()
        self.context = context
        self.journal = journal
        context.uncaughtErrorHandler = { error in
            journal.observations.append(.line("uncaught \(error.name): \(error.message)"))
        }
        let note = context.makeHostFunction { call in
            let text = call.string(at: 1) ?? ""
            switch call.string(at: 0) {
            case "log": journal.observations.append(.log(text))
            case "signal": journal.observations.append(.queueSignal)
            case "load": journal.observations.append(.loadSignal)
            default: journal.observations.append(.line(text))
            }
            return .undefined
        }
        control = try context.evaluate(ConformancePageScript.text, sourceURL: "page.js")
            .call(withArguments: [note])
    }

    deinit { context.close() }

    /// Runs a script as the page's own; an error that it throws is a line.
    public func run(_ script: String, sourceURL: String? = nil) {
        do {
            try context.evaluate(script, sourceURL: sourceURL)
        } catch let error as JSException {
            note("threw \(error.name): \(error.message)")
        } catch {
            note("threw \(error)")
        }
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
        while done != count, attempt({ try control.invokeMethod("runTimer").toBool() }) == true { done += 1 }
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
    public func note(_ line: String) { journal.observations.append(.line(line)) }

    /// Takes what was seen since the last time.
    public func takeObservations() -> [ConformanceObservation] {
        defer { journal.observations = [] }
        return journal.observations
    }

    private func text(_ text: String) throws -> JSValue { try JSValue(.string(text), in: context) }

    @discardableResult
    private func attempt<Result>(_ body: () throws -> Result) -> Result? {
        do {
            return try body()
        } catch let error as JSException {
            note("threw \(error.name): \(error.message)")
        } catch {
            note("threw \(error)")
        }
        return nil
    }
}
