extension Bridge {
    /// Replaces modules whose sources have changed, and all modules that import them; the bridge remains as it is.
    ///
    /// The modules must be reloadable (``ModuleConfiguration/isReloadable``). Swift's handlers, the connection, all other
    /// modules and `import.meta.hot.data` remain. Calls of a script's handler that have begun end with the function of the
    /// old version; calls that begin later reach the new one. Handlers, listeners, data sources and timers that the old
    /// version registered while it was evaluated are removed, unless the new one registers them again. If the new version
    /// fails, those of the old one remain.
    ///
    /// Everything else that the old version has created remains until it ends itself, for example in a function that it
    /// gives to `import.meta.hot.dispose()`: streams, listeners of stores and views, and timers that were started later.
    ///
    /// - Parameter urls: The URLs of the modules that have changed; those that no module imports are ignored.
    /// - Returns: The URLs of the modules that were replaced.
    /// - Throws: ``JSException`` with the error of the new version, or of a reload that a later one has replaced;
    ///   ``BridgeError`` with the code `disconnected` after ``close()``; ``ModuleError`` if modules cannot be reloaded.
    @discardableResult
    public func reloadModules(_ urls: Set<String>) async throws -> Set<String> {
        try await runtime.reloadModules(urls)
    }
}
