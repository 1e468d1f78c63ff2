internal import JavaScriptBridge

/// A script of a command, which may be an ES module, with the modules that it can import.
struct LoadableScript {
    private let source: ScriptSource
    /// The transpiler of the script; `nil` for JavaScript.
    private let transpiler: (any ModuleTranspiler)?
    /// The same text as a module, unless it is known not to be one.
    private let moduleSource: ScriptSource?
    private let sourceMaps: SourceMapLoader?
    /// The modules that the script can import; `nil` for none.
    let modules: ModuleConfiguration?
    /// The modules whose files are watched; `nil` for none.
    let watched: WatchedModules?
    /// The URL of the script, in case it is a module; `nil` without modules.
    let url: String?

    /// Creates a script.
    ///
    /// - Parameters:
    ///   - script: The script.
    ///   - content: Its text, and its name in errors.
    ///   - options: The modules that it can import; `nil` for none.
    ///   - tier: The trust in the script.
    ///   - isWatching: Whether the modules are reloadable, and their files are watched.
    ///   - files: The watched files to which those of the modules are added; `nil` for none.
    /// - Throws: ``CommandFailure`` for a folder of modules or an import map that cannot be read.
    init(
        _ script: RunOptions.Script,
        _ content: (text: String, name: String),
        _ options: RunOptions.Modules?,
        tier: ExecutionTier = .trusted,
        isWatching: Bool = false,
        files: WatchedFiles? = nil
    ) throws(CommandFailure) {
        let (text, name) = content
        var modules =
            if let options { try RunModules.any(options, of: script, tier: tier) } else { RunModules?.none }
        watched = isWatching ? try modules?.watch() : nil
        if let files { modules?.watch(in: files) }
        url = modules?.mainURL
        let module = modules.map { ScriptSource.moduleText(text, name: $0.mainURL) }
        let isModule = options?.includesScript == true || script.isTypeScript
        if script.isTypeScript {
            guard let modules else {
                throw CommandFailure(
                    status: ExitStatus.failure,
                    reason: CommandError(
                        "a script that is recorded is one file in JavaScript, not TypeScript"
                    )
                )
            }
            transpiler = try modules.requireTranspiler(of: name)
        } else {
            transpiler = nil
        }
        // A page loads the script files beside it.
        let source = script.isPage ? ScriptSource.file(name) : .text(text, name: name)
        self.source = isModule ? module ?? source : source
        moduleSource = isModule || script.isPage ? nil : module
        sourceMaps = script.sourceMaps
        self.modules = modules?.configuration
    }

    /// Runs the script, or loads it as a module if it cannot be parsed otherwise.
    ///
    /// - Parameters:
    ///   - bridge: The bridge.
    ///   - moduleHasBegun: Called with a module that is being loaded.
    /// - Throws: The errors of `Bridge.load(_:sourceMaps:)`.
    func load(on bridge: Bridge, moduleHasBegun: @Sendable (ModuleLoad) -> Void = { _ in }) async throws {
        func load(module source: ScriptSource) async throws {
            let load = try await bridge.beginLoading(module: source)
            moduleHasBegun(load)
            try await load.finish()
        }
        if let transpiler {
            let (text, name) = try source.read()
            let script = try await transpiler.transpile(text, url: name)
            return try await load(module: .moduleText(script, name: name))
        }
        guard !source.isModule else { return try await load(module: source) }
        do {
            try await bridge.load(source, sourceMaps: sourceMaps)
        } catch let error as JSException where error.isOfParsing {
            guard let moduleSource, try moduleSource.read().text.mayBeModule else { throw error }
            do {
                try await load(module: moduleSource)
            } catch let other as JSException where other.isOfParsing && other.isSame(as: error) {
                throw error
            }
        }
    }
}

extension JSException {
    /// A Boolean value that indicates whether the text of a script or module is wrong, so that nothing of it has run.
    fileprivate var isOfParsing: Bool { name == "SyntaxError" && frames.isEmpty }

    fileprivate func isSame(as other: JSException) -> Bool { message == other.message && line == other.line }
}

extension String {
    /// A Boolean value that indicates whether a script that cannot be parsed may be a module.
    fileprivate var mayBeModule: Bool { contains("import") || contains("export") || contains("await") }
}
