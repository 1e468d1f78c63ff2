/// The scripts that a bridge has loaded, in their order, to run them again in another context.
struct LoadedScripts: Sendable {
    /// The maximum that is remembered, so that a host that evaluates strings endlessly cannot exhaust memory.
    static let maximumCount = 1_000
    static let maximumBytes = 16 << 20

    private(set) var all: [(source: ScriptSource, sourceMaps: SourceMapLoader?)] = []
    private var bytes = 0
    private var isOverfull = false

    mutating func add(_ source: ScriptSource, sourceMaps: SourceMapLoader?) {
        guard !isOverfull else { return }
        bytes += source.byteCount
        isOverfull = all.count == Self.maximumCount || bytes > Self.maximumBytes
        if isOverfull { all = [] } else { all.append((source, sourceMaps)) }
    }

    /// The modules among them.
    var modules: [ScriptSource] { all.map(\.source).filter(\.isModule) }

    /// Reads all scripts but the modules; files are read again.
    ///
    /// - Throws: ``BridgeError`` with the code `scriptFailed` for a file that cannot be read, `limitExceeded`
    ///   if more were loaded than are remembered.
    func read() throws -> [LoadedScript] {
        guard !isOverfull else {
            let text =
                "Too many scripts to run again (limit \(Self.maximumCount) scripts, \(Self.maximumBytes) bytes): "
                + "reload without rerunningScripts."
            throw BridgeError(.limitExceeded, text)
        }
        return try all.filter { !$0.source.isModule }.flatMap {
            try LoadedScript.all(of: $0.source, sourceMaps: $0.sourceMaps)
        }
    }
}

/// The text of a script, with everything needed to run it in a turn.
struct LoadedScript: Sendable {
    var text: String
    var name: String
    var startingLine = 1
    var sourceMaps: SourceMapLoader?
    /// The changes to the document of a page before and after the script; `nil` outside of pages.
    var page: PageStep?

    /// Reads a script, or the scripts of a page, each of which gets its own turn.
    ///
    /// - Throws: ``BridgeError`` with the code `scriptFailed` for a file that cannot be read.
    static func all(of source: ScriptSource, sourceMaps: SourceMapLoader?) throws -> [LoadedScript] {
        let (text, name) = try source.read()
        let sourceMaps = sourceMaps ?? source.sourceMaps
        guard source.isPage else { return [LoadedScript(text: text, name: name, sourceMaps: sourceMaps)] }
        return LoadedPage(text, name: name, path: source.path, sourceMaps: sourceMaps).steps
    }

    /// Runs the script.
    ///
    /// It is called in a turn.
    ///
    /// - Parameters:
    ///   - context: The context in which it runs.
    ///   - injects: Whether the bridge's own side is installed, which then runs the callbacks in
    ///     WebViewJavascriptBridge's setup array (P3, P6).
    /// - Returns: The value of its last statement, as data.
    /// - Throws: ``JSException``.
    func run(in context: JSContext, injects: Bool) throws -> Value {
        defer {
            // For a page once it is complete.
            if injects, page == nil || page?.end == .complete { Self.setUp(context) }
        }
        if let page { return try page.run(self, in: context) }
        return try evaluate(in: context)
    }

    /// Runs the callbacks that scripts have put in the set-up list.
    static func setUp(_ context: JSContext) {
        _ = (context.hooks.observer as? any RecordingHook)?.cross(.setUp)
        _ = try? context.internals.invokeMethod("installBridge")
    }

    /// Runs only the text.
    func evaluate(in context: JSContext) throws -> Value {
        let value: JSValue
        do {
            value = try context.evaluate(
                text,
                sourceURL: name,
                startingLine: startingLine,
                sourceMaps: sourceMaps
            )
        } catch var error as JSException where error.isOfModule {
            error.message += " (only in ES modules, which `.module` loads)"
            throw error
        }
        // The last statement of a script may have any value, also one that is not data.
        return (try? value.toValue()) ?? .undefined
    }
}

extension JSException {
    /// A Boolean value that indicates whether a script was not parsed because it has syntax that only modules have.
    fileprivate var isOfModule: Bool {
        name == "SyntaxError" && frames.isEmpty
            && ["keyword 'export'", "import call expects", "import.meta"].contains { message.contains($0) }
    }
}

extension ScriptSource {
    fileprivate var byteCount: Int {
        switch self {
        case .file(let path), .module(let path): path.utf8.count
        case .text(let text, let name), .page(let text, let name), .moduleText(let text, let name):
            text.utf8.count + name.utf8.count
        }
    }
}
