internal import BridgeValues
internal import CJavaScriptCore

extension JSContext {
    /// Replaces modules whose sources have changed, and all modules that import them.
    ///
    /// The new versions are loaded and linked before anything of them runs. Then the functions that the old versions have
    /// given to `import.meta.hot.dispose()` are called, and the new ones are evaluated. All other modules remain as they
    /// are, with their state. A module that has called `import.meta.hot.accept()` takes its own changes: those that import
    /// it are not replaced, and keep its old exports.
    ///
    /// If a source cannot be loaded or linked, or a new version throws, the old versions remain: the next import returns
    /// them, and the handlers, listeners, data sources and timers that the new versions have registered while they were
    /// evaluated are undone. After a success, those of the old versions that the new ones have not registered again
    /// are removed. The changes of a reload that has failed are part of the next one.
    ///
    /// All sources come from the loader, also that of a module whose text was given to ``evaluateModule(_:url:)``.
    /// A reload that is pending, because a module has a top-level `await`, fails when the next one begins.
    ///
    /// - Parameter urls: The URLs of the modules that have changed. Those that no module has imported are ignored.
    /// - Returns: The promise of an array of the URLs that were replaced, in any order. It is rejected with the error of
    ///   the new version.
    /// - Throws: ``ModuleError`` if ``ModuleConfiguration/isReloadable`` is `false` or modules are not available;
    ///   ``JSException`` if the turn was terminated.
    public func reloadModules(_ urls: Set<String>) throws -> JSPromise {
        try reloadModules(urls, whenWaiting: nil)
    }

    fileprivate func reloadModules(_ urls: Set<String>, whenWaiting: (() -> Void)?) throws -> JSPromise {
        try withTurn {
            guard modules.configuration?.isReloadable == true else {
                throw ModuleError("the context's modules cannot be reloaded: set isReloadable first")
            }
            let script = try modules.prepared(in: self)
            modules.restartCounts()
            let array = try JSValue(.array(urls.sorted().map { .string($0) }), in: self)
            let function = try whenWaiting.map { body in
                try makeFunction(named: "whenWaiting", parameterCount: 1) { _ in
                    body()
                    return nil
                }
            }
            let arguments = try [array, function].compactMap { value in try value.map { try ownRef($0) } }
            return try withExtendedLifetime(function) {
                try JSPromise(JSValue(try call(script.reloadModules, arguments), in: self))
            }
        }
    }
}

extension JavaScriptRuntime {
    /// Replaces modules whose sources have changed, and waits for the evaluation of the new versions.
    ///
    /// - Parameter urls: The URLs of the modules that have changed.
    /// - Returns: The URLs of the modules that were replaced.
    /// - Throws: ``JSException`` with the error of the new version; the errors of ``awaitPromise(from:reading:)``.
    public nonisolated(nonsending) func reloadModules(_ urls: Set<String>) async throws -> Set<String> {
        try await reloadModules(urls, whenWaiting: nil)
    }

    /// Replaces modules, and calls a function if top-level awaits keep the new versions from ending.
    ///
    /// - Parameters:
    ///   - urls: The URLs of the modules that have changed.
    ///   - whenWaiting: Called on the thread of the context, before the promises of the awaits are settled.
    /// - Returns: The URLs of the modules that were replaced.
    /// - Throws: The errors of ``reloadModules(_:)``.
    package nonisolated(nonsending) func reloadModules(
        _ urls: Set<String>,
        whenWaiting: (@Sendable () -> Void)?
    ) async throws -> Set<String> {
        try await awaitPromise(
            from: { try $0.reloadModules(urls, whenWaiting: whenWaiting).value },
            reading: { value in
                guard case .array(let urls) = try value.toValue() else { return [] }
                return Set(urls.compactMap { $0.stringValue })
            }
        )
    }
}
