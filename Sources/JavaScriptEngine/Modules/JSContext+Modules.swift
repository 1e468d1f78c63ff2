internal import CJavaScriptCore
internal import CJavaScriptCoreSPI

extension JSContext {
    /// The modules that scripts of the context can import; `nil` for none, which is the default.
    ///
    /// Set it before the first script runs. The first import in a process runs a self-test (``Capabilities/modules``).
    public var moduleConfiguration: ModuleConfiguration? {
        get { modules.configuration }
        set {
            modules.configuration = newValue
            // Directs the imports of the context's scripts to its modules.
            if ModuleSupport.hooking.isAvailable { _ = jsb_hook_modules(ref) }
        }
    }

    /// Imports a module, and returns the promise of its namespace object.
    ///
    /// The module and those that it imports are loaded, linked and evaluated, unless they have been. The promise settles
    /// when the evaluation has ended, with each top-level `await`. Wait for it with
    /// ``JavaScriptRuntime/awaitPromise(from:reading:)``. The first module that is imported so has the value `true` as
    /// `import.meta.main`.
    ///
    /// - Parameters:
    ///   - specifier: The specifier, which the resolver of ``moduleConfiguration`` resolves.
    ///   - type: The type of the module.
    /// - Returns: The promise, which is rejected with the error of loading, linking or evaluating.
    /// - Throws: ``ModuleError`` if modules are not available; ``JSException`` if the turn was terminated.
    public func importModule(_ specifier: String, type: ModuleType = .javaScript) throws -> JSPromise {
        try withTurn {
            let script = try modules.prepared(in: self)
            let promise = try withReferences(
                3,
                making: { index in
                    switch index {
                    case 0: makeString(specifier)
                    case 1: JSValueMakeUndefined(ref)
                    default: makeString(type.rawValue)
                    }
                },
                { JSValue(try call(script.importModule, $0), in: self) }
            )
            return try JSPromise(promise)
        }
    }

    /// Evaluates the source of a module, and returns the promise of its namespace object.
    ///
    /// - Parameters:
    ///   - source: The source text.
    ///   - url: The URL of the module, which must not have been imported before. Other modules can import it.
    /// - Returns: The promise, as of ``importModule(_:type:)``.
    /// - Throws: ``JSException`` if the URL has a module; the errors of ``importModule(_:type:)``.
    public func evaluateModule(_ source: String, url: String) throws -> JSPromise {
        try withTurn {
            let script = try modules.prepared(in: self)
            try withReferences(1, making: { _ in makeString(url) }) {
                _ = try call(script.checkNewModule, $0)
            }
            modules.givenSources[url] = source
            return try importModule(url)
        }
    }
}

extension JavaScriptRuntime {
    /// Imports a module and waits for its evaluation.
    ///
    /// - Parameters:
    ///   - specifier: The specifier, which the resolver of the context's configuration resolves.
    ///   - read: Receives the namespace object, inside a turn.
    /// - Returns: The result of `read`.
    /// - Throws: ``JSException`` with the error of the module; the errors of ``awaitPromise(from:reading:)``.
    public nonisolated(nonsending) func importModule<Output: Sendable>(
        _ specifier: String,
        reading read: @escaping @Sendable (JSValue) throws -> Output
    ) async throws -> Output {
        try await awaitPromise(from: { try $0.importModule(specifier).value }, reading: read)
    }

    /// Evaluates the source of a module and waits for its end.
    ///
    /// - Parameters:
    ///   - source: The source text.
    ///   - url: The URL of the module.
    ///   - read: Receives the namespace object, inside a turn.
    /// - Returns: The result of `read`.
    /// - Throws: ``JSException`` with the error of the module; the errors of ``awaitPromise(from:reading:)``.
    public nonisolated(nonsending) func evaluateModule<Output: Sendable>(
        _ source: String,
        url: String,
        reading read: @escaping @Sendable (JSValue) throws -> Output
    ) async throws -> Output {
        try await awaitPromise(from: { try $0.evaluateModule(source, url: url).value }, reading: read)
    }
}
