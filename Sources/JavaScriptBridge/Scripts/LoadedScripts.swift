/// The scripts that a bridge has loaded, in their order, to run them again in another context.
struct LoadedScripts: Sendable {
    /// How much is remembered: a host that evaluates texts without end must not fill the memory with them.
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

    /// Reads all, files anew.
    ///
    /// - Throws: ``BridgeError`` with the code `scriptFailed` for a file that cannot be read, `limitExceeded`
    ///   where more were loaded than are remembered.
    func read() throws -> [LoadedScript] {
        guard !isOverfull else {
            let text =
                "More was loaded than is remembered, \(Self.maximumCount) scripts of \(Self.maximumBytes) bytes: reload without running scripts again, and load what is needed."
            throw BridgeError(.limitExceeded, text)
        }
        return try all.map { try LoadedScript($0.source, sourceMaps: $0.sourceMaps) }
    }
}

/// The text of a script, with all that it takes to run it.
struct LoadedScript: Sendable {
    let text: String
    let name: String
    let sourceMaps: SourceMapLoader?

    init(_ source: ScriptSource, sourceMaps: SourceMapLoader?) throws {
        (text, name) = try source.read()
        self.sourceMaps = sourceMaps ?? source.sourceMaps
    }

    /// Runs the script.
    ///
    /// A turn is open.
    ///
    /// - Parameters:
    ///   - context: Where it runs.
    ///   - injects: Whether the bridge's own side is there, which runs what the script has put into the
    ///     ancestor's list of set-up callbacks (P3, P6).
    /// - Returns: The value of its last statement, as data.
    /// - Throws: ``JSException``.
    func run(in context: JSContext, injects: Bool) throws -> Value {
        defer {
            if injects {
                _ = (context.observer as? any CrossingPort)?.cross(.setUp)
                _ = try? context.internals.invokeMethod("installBridge")
            }
        }
        let value = try context.evaluate(text, sourceURL: name, sourceMaps: sourceMaps)
        // A script's last statement may be anything, also what is no data.
        return (try? value.toValue()) ?? .undefined
    }
}

extension ScriptSource {
    fileprivate var byteCount: Int {
        switch self {
        case .file(let path): path.utf8.count
        case .text(let text, let name): text.utf8.count + name.utf8.count
        }
    }
}
