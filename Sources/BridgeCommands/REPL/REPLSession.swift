internal import BridgeValues
internal import JavaScriptBridge
internal import Synchronization

/// The result of an input.
enum REPLResult: Sendable, Hashable {
    /// The value as text; `nil` for `undefined`.
    case value(String?)
    /// The error as text.
    case error(String)
    /// The input needs more lines, and nothing of it has run.
    case incomplete
}

/// A session of inputs in the context of a bridge: text in, result out.
///
/// Variables, functions and classes of the top level are properties of the global object, and can be declared again. One
/// input is evaluated at a time.
final class REPLSession: Sendable {
    /// The use of the value of an input.
    enum Use: Sendable {
        /// The value is shown, and `_` refers to it.
        case result
        /// The type of the value is shown.
        case type
    }

    private struct State {
        var inputCount = 0
        /// The task of the input that is evaluated.
        var task: Task<REPLResult, Never>?
        /// A Boolean value that indicates whether the input was interrupted before it was evaluated.
        var isInterrupted = false
        /// A Boolean value that indicates whether no work is left that could settle the promise of the input.
        var neverEnds = false
    }

    let bridge: Bridge
    private let isColored: Bool
    private let endsWhenIdle: Bool
    private let columns: @Sendable () -> Int
    private let state = Mutex(State())

    /// Creates a session.
    ///
    /// - Parameters:
    ///   - bridge: The bridge.
    ///   - isColored: Whether values are shown in colors.
    ///   - endsWhenIdle: Whether a top-level `await` ends with an error if no work is left that could settle it; otherwise
    ///     the user interrupts it.
    ///   - columns: Returns the width of the lines in which values are shown.
    init(
        bridge: Bridge,
        isColored: Bool,
        endsWhenIdle: Bool = false,
        columns: @escaping @Sendable () -> Int = { 80 }
    ) {
        self.endsWhenIdle = endsWhenIdle
        self.bridge = bridge
        self.isColored = isColored
        self.columns = columns
    }

    /// Prepares the context.
    ///
    /// - Throws: ``JSException`` if the package's own scripts do not run.
    func begin() async throws {
        try await bridge.withContext { context in
            // The first use loads the bundle with the functions below.
            _ = try context.internals.invokeMethod("show", withArguments: [JSValue(.undefined, in: context)])
            _ = try context.internals.invokeMethod("readGlobals")
        }
    }

    // MARK: - Evaluation

    /// Begins to handle an input, which an interrupt from now on ends.
    func beginInput() { state.withLock { $0.isInterrupted = false } }

    /// Returns whether an input can be evaluated, or has an error that more lines would not remove.
    func isComplete(_ text: String) async -> Bool {
        let input = try? await bridge.withContext { context in
            REPLInput(text) { context.syntaxErrorMessage(in: $0) }
        }
        return input != .incomplete
    }

    /// Evaluates an input, and waits for the promise of a top-level `await`.
    ///
    /// - Parameters:
    ///   - text: The input.
    ///   - name: The name of the source in stacks; by default a numbered one.
    ///   - isWhole: Whether no more lines can follow, so that an incomplete input is an error.
    ///   - use: The use of the value.
    /// - Returns: The value or the error, as text.
    func evaluate(
        _ text: String,
        name: String? = nil,
        isWhole: Bool = false,
        use: Use = .result
    ) async -> REPLResult {
        let input: REPLInput
        do {
            input = try await bridge.withContext { context in
                REPLInput(text) { context.syntaxErrorMessage(in: $0) }
            }
        } catch {
            return .error(ErrorText.plain(error))
        }
        if input == .incomplete, !isWhole { return .incomplete }
        let number = state.withLock { state in
            state.inputCount += 1
            state.neverEnds = false
            return state.inputCount
        }
        let task = Task { await run(input, text, name: name ?? "REPL\(number)", use) }
        let isInterrupted = state.withLock { state in
            state.task = task
            return state.isInterrupted
        }
        if isInterrupted { task.cancel() }
        defer { state.withLock { $0.task = nil } }
        return await task.value
    }

    /// Stops the script that runs, and ends the wait for a top-level `await`.
    ///
    /// Any thread may call it.
    func interrupt() {
        let task = state.withLock { state in
            state.isInterrupted = true
            return state.task
        }
        bridge.runtime.interrupt(reason: "Ctrl-C")
        task?.cancel()
    }

    private func run(_ input: REPLInput, _ text: String, name: String, _ use: Use) async -> REPLResult {
        do {
            switch input {
            case .script(let code):
                return try await bridge.withContext { context in
                    try self.declare(code, in: context)
                    let value = try self.evaluate(code, of: text, name: name, in: context)
                    try self.fix(code, in: context)
                    return try self.show(value, in: context, use)
                }
            case .asynchronous(let code):
                return try await runAsynchronously(code, of: text, name: name, use)
            case .incomplete: return try await fail(text, name: name)
            case .invalid(let text): return try await fail(text, name: name)
            }
        } catch is CancellationError where state.withLock({ $0.neverEnds }) {
            return .error(
                "Uncaught: the 'await' never ends: no work is left that could settle its promise"
            )
        } catch is CancellationError {
            return .error("Uncaught: stopped by Ctrl-C")
        } catch {
            return .error(await self.text(of: error))
        }
    }

    private func runAsynchronously(
        _ code: REPLInput.Code,
        of text: String,
        name: String,
        _ use: Use
    ) async throws
        -> REPLResult
    {
        let result = try await bridge.runtime.awaitPromise { context in
            try self.declare(code, in: context)
            let value = try self.evaluate(code, of: text, name: name, in: context)
            if self.endsWhenIdle { self.endWhenIdle(PendingPromise(try JSPromise(value))) }
            return value
        } reading: { box in
            let context = box.context
            try self.fix(code, in: context)
            // An object of the input's own text, without a prototype.
            let value = box.isObject ? try box.forProperty("value") : box
            return try self.show(value, in: context, use)
        }
        return result
    }

    /// Ends the wait for a promise if no work is left that could settle it.
    private func endWhenIdle(_ promise: PendingPromise) {
        Task {
            await bridge.waitUntilIdle()
            guard await promise.isPending(on: bridge) else { return }
            let task = state.withLock { state in
                state.neverEnds = true
                return state.task
            }
            task?.cancel()
        }
    }

    private func evaluate(
        _ code: REPLInput.Code,
        of text: String,
        name: String,
        in context: JSContext
    ) throws -> JSValue {
        try context.evaluate(code.text, madeFrom: text, prefixCount: code.prefixCount, sourceURL: name)
    }

    /// Reports a syntax error by its evaluation.
    private func fail(_ text: String, name: String) async throws -> REPLResult {
        try await bridge.withContext { context in
            _ = try context.evaluate(text, sourceURL: name)
        }
        return .value(nil)
    }

    private func declare(_ code: REPLInput.Code, in context: JSContext) throws {
        guard !code.names.isEmpty else { return }
        let names = try JSValue(.array(code.names.map { .string($0) }), in: context)
        try context.internals.invokeMethod("declareNames", withArguments: [names])
    }

    private func fix(_ code: REPLInput.Code, in context: JSContext) throws {
        guard !code.constants.isEmpty else { return }
        let names = try JSValue(.array(code.constants.map { .string($0) }), in: context)
        try context.internals.invokeMethod("makeConstant", withArguments: [names])
    }

    // MARK: - Text

    private func show(_ value: JSValue, in context: JSContext, _ use: Use) throws -> REPLResult {
        guard use == .result else {
            return .value(try context.internals.invokeMethod("typeText", withArguments: [value]).string())
        }
        try keep(value, as: "_", in: context)
        return .value(value.isUndefined ? nil : try shown(value, in: context))
    }

    private func keep(_ value: JSValue, as name: String, in context: JSContext) throws {
        let name = try JSValue(.string(name), in: context)
        try context.internals.invokeMethod("keepResult", withArguments: [name, value])
    }

    private func shown(_ value: JSValue, in context: JSContext) throws -> String {
        let settings: [Value] = [.bool(isColored), .number(Double(min(80, columns())))]
        let arguments = try [value] + settings.map { try JSValue($0, in: context) }
        return try context.internals.invokeMethod("showResult", withArguments: arguments).string()
    }

    /// Returns the text of an error, to which `_error` refers from now on.
    func text(of error: any Error) async -> String {
        guard let exception = error as? JSException else { return "Uncaught: \(ErrorText.plain(error))" }
        // A syntax error has no stack, and an excerpt of the source instead.
        let hasStack = exception.name != "SyntaxError" || !exception.frames.isEmpty
        let text = try? await bridge.withContext { context -> String? in
            guard let value = exception.thrownValue(in: context) else { return nil }
            try self.keep(value, as: "_error", in: context)
            return hasStack && !exception.isTermination ? try self.shown(value, in: context) : nil
        }
        return "Uncaught \(text.flatMap { $0 } ?? Printable.lines(exception.description))"
    }
}

extension JSValue {
    /// Returns the text of a value that is a string.
    fileprivate func string() throws -> String { try toValue().stringValue ?? "" }
}

/// The promise of an input that is evaluated.
private final class PendingPromise: Sendable {
    // nonisolated(unsafe) because it is used inside turns only, which do not overlap.
    nonisolated(unsafe) private let promise: JSPromise

    init(_ promise: JSPromise) { self.promise = promise }

    func isPending(on bridge: Bridge) async -> Bool {
        (try? await bridge.withContext { _ in self.promise.state == .pending }) ?? false
    }
}
