internal import BridgeProtocol

/// A module that a bridge is loading, with its imports.
package final class ModuleLoad: Sendable {
    private let bridge: Bridge
    private let source: ScriptSource
    private let number: Int
    // nonisolated(unsafe) because it is used inside turns only, which do not overlap.
    nonisolated(unsafe) private var promise: JSPromise?

    /// Creates a load, which delays the calls until it ends.
    init(_ source: ScriptSource, of bridge: Bridge) {
        self.bridge = bridge
        self.source = source
        number = bridge.session.beginLoad(isModule: true)
    }

    // A load that is never finished must not delay the calls.
    deinit { bridge.session.endLoad(number) }

    /// Evaluates the module up to its first top-level `await`.
    func begin() async throws {
        let session = bridge.session
        let module = try LoadedModule(source)
        try await bridge.withContext { context in
            var hasBegun = false
            defer { if !hasBegun { session.endLoad(number) } }
            if context.moduleConfiguration == nil {
                let modules = try module.configuration(for: session.configuration.executionLimits.tier)
                context.moduleConfiguration = session.builtInModules.adding(to: modules, of: session)
            }
            let promise =
                if let text = module.text {
                    try context.evaluateModule(text, url: module.url)
                } else {
                    try context.importModule(module.url)
                }
            // finish() reports a rejection.
            try promise.then(nil) { _ in nil }
            self.promise = promise
            hasBegun = true
        }
    }

    /// Returns whether a top-level `await` keeps the module from ending.
    package func isPending() async -> Bool {
        (try? await bridge.withContext { _ in self.promise?.state == .pending }) ?? false
    }

    /// Waits until the module is evaluated; calls that waited are sent then.
    ///
    /// - Parameter remembers: Whether a later reload loads the module again.
    /// - Throws: The errors of ``Bridge/load(_:sourceMaps:)``.
    package func finish(remembers: Bool = true) async throws {
        let session = bridge.session
        let result = await awaitPromise()
        // The turn sends the calls, also those to a module that failed.
        try? await bridge.withContext { context in
            session.endLoad(number)
            if session.configuration.injectsScript { LoadedScript.setUp(context) }
            if remembers, case .success = result { session.remember(source, sourceMaps: nil) }
        }
        try result.get()
    }

    private func awaitPromise() async -> Result<Void, any Error> {
        do {
            try await bridge.runtime.awaitPromise(
                from: { context in try self.promise?.value ?? JSValue(.undefined, in: context) },
                reading: { _ in }
            )
            return .success(())
        } catch {
            return .failure(error)
        }
    }
}
