internal import BridgeValues

/// The sources of the scripts that a context evaluated under a name, for showing an error's position in them.
struct ScriptSources: Sendable {
    // Bounds the table, so that a host that keeps evaluating under new names does not exhaust memory. A graph of modules
    // has many small texts.
    private static let maximumCount = 2_048
    private static let maximumTotalLength = 64 << 20
    private static let maximumLength = 4 << 20
    private var sources: [String: EvaluatedScript] = [:]
    private var order: [String] = []
    private var totalLength = 0
    /// The numbers of the last versions of modules that can be reloaded, by URL.
    private var versions: [String: Int] = [:]
    /// The URLs of modules with a query or a fragment, by their names in stacks.
    private var urls: [String: String] = [:]
    private let maps = SourceMapCache()

    /// Records a source.
    ///
    /// It replaces one with the same name.
    mutating func note(
        _ text: String,
        sourceURL: String,
        startingLine: Int,
        sourceMaps: SourceMapLoader?,
        prefixCount: Int = 0,
        name: String? = nil
    ) {
        let key = name ?? sourceURL
        guard text.utf8.count <= Self.maximumLength else { return }
        let source = EvaluatedScript(
            text: text,
            sourceURL: sourceURL,
            startingLine: startingLine,
            loader: sourceMaps,
            prefixCount: prefixCount
        )
        totalLength += text.utf8.count
        if let replaced = sources.updateValue(source, forKey: key) {
            totalLength -= replaced.text.utf8.count
        } else {
            order.append(key)
        }
        while order.count > Self.maximumCount || totalLength > Self.maximumTotalLength {
            let removed = order.removeFirst()
            totalLength -= sources.removeValue(forKey: removed)?.text.utf8.count ?? 0
            urls[removed] = nil
        }
    }

    /// Records the source of a module that is not reloaded.
    ///
    /// - Returns: The name of the module in stacks, by which its text is found: its URL if `keepsURL`, as a debugger needs
    ///   it.
    mutating func noteModule(
        _ text: String,
        of url: String,
        sourceMaps: SourceMapLoader?,
        prefixCount: Int = 0,
        keepsURL: Bool
    ) -> String {
        let name = keepsURL ? url : name(of: url, version: 1)
        note(
            text,
            sourceURL: url,
            startingLine: 1,
            sourceMaps: sourceMaps,
            prefixCount: prefixCount,
            name: name
        )
        return name
    }

    /// Records the source of a version of a module; those of the version before it and of itself are kept.
    ///
    /// - Returns: The name of the version in stacks, by which its text is found.
    mutating func noteVersion(_ text: String, of url: String, sourceMaps: SourceMapLoader?) -> String {
        let number = (versions[url] ?? 0) + 1
        versions[url] = number
        let older = name(of: url, version: number - 2)
        if let removed = sources.removeValue(forKey: older) {
            totalLength -= removed.text.utf8.count
            // The first ones are those that have been there for longest.
            order.firstIndex(of: older).map { _ = order.remove(at: $0) }
        }
        let name = name(of: url, version: number)
        note(text, sourceURL: url, startingLine: 1, sourceMaps: sourceMaps, name: name)
        return name
    }

    // The engine removes queries and fragments in stacks: their first characters are encoded, and a version has another.
    private mutating func name(of url: String, version: Int) -> String {
        let plain = Self.plainName(of: url)
        if plain != url { urls[plain] = url }
        return Self.versioned(plain, version)
    }

    private static func versioned(_ name: String, _ version: Int) -> String {
        version == 1 ? name : "\(name);\(version)"
    }

    private static func plainName(of url: String) -> String {
        guard url.utf8.contains(where: { $0 == UInt8(ascii: "?") || $0 == UInt8(ascii: "#") }) else {
            return url
        }
        return url.replacing("?", with: "%3F").replacing("#", with: "%23")
    }

    /// Returns the name of the last version of a script.
    func latestName(of url: String) -> String {
        // Scripts that are not modules, and those of a debugger, have their URLs as names.
        let plain = Self.plainName(of: url)
        return Self.versioned(urls[plain] == nil ? url : plain, versions[url] ?? 1)
    }

    /// Returns the last version of a script; `nil` for one that is not known.
    func latest(of url: String) -> EvaluatedScript? { sources[latestName(of: url)] }

    /// Returns the URL of the script that has a name in stacks.
    private func url(ofName name: String) -> String {
        let known = urls[name] ?? name
        guard !versions.isEmpty, let mark = name.lastIndex(of: ";") else { return known }
        let plain = String(name[..<mark])
        let url = urls[plain] ?? plain
        return versions[url] == nil || Int(name[name.index(after: mark)...]) == nil ? known : url
    }

    /// Returns the frame in the original source of a script.
    ///
    /// - Parameters:
    ///   - frame: The frame as the engine reports it.
    ///   - problems: Receives the problem of the map, once.
    /// - Returns: The frame in the original source, or the same frame without a source map.
    func original(of frame: StackFrame, _ problems: inout [String]) -> StackFrame {
        let place = place(of: frame)
        var frame = frame
        frame.sourceURL = frame.sourceURL.map(url(ofName:))
        guard let (source, line) = place else { return frame }
        if line == 0, let column = frame.column { frame.column = max(1, column - source.prefixCount) }
        guard let map = map(of: source, &problems),
            let position = map.position(line: line, column: (frame.column ?? 1) - 1)
        else { return frame }
        var original = frame
        original.sourceURL = position.source
        original.line = position.line
        original.column = frame.column == nil ? nil : position.column
        if let name = map.name(ofFunction: frame.function, in: source, line: line, column: frame.column ?? 1)
        {
            original.function = name
        }
        return original
    }

    /// Returns the lines around a position in a script, or in its original source.
    func codeFrame(of frame: StackFrame) -> String? {
        guard let (source, line) = place(of: frame) else {
            // The frame may be in an original source already.
            guard let name = frame.sourceURL, let content = maps.content(ofSource: name) else { return nil }
            return CodeFrame(text: content, startingLine: 1).around(line: frame.line, column: frame.column)
        }
        var problems: [String] = []
        if let map = map(of: source, &problems),
            let position = map.position(line: line, column: (frame.column ?? 1) - 1)
        {
            guard let content = position.content else { return nil }
            return CodeFrame(text: content, startingLine: 1)
                .around(line: position.line, column: frame.column == nil ? nil : position.column)
        }
        return CodeFrame(text: source.text, startingLine: source.startingLine)
            .around(line: frame.line, column: frame.column)
    }

    /// Returns the lines around a position in a script as it was evaluated.
    func codeFrame(sourceURL: String?, line: Int?, column: Int?) -> String? {
        codeFrame(of: StackFrame(function: "", sourceURL: sourceURL, line: line, column: column))
    }

    /// Returns the script that was evaluated last under a name.
    func script(named url: String) -> EvaluatedScript? { sources[url] }

    // The line counts from 0, from the script's beginning.
    func place(of frame: StackFrame) -> (source: EvaluatedScript, line: Int)? {
        guard frame.language == .javaScript, let url = frame.sourceURL, let source = sources[url],
            let line = frame.line
        else { return nil }
        let (index, overflow) = line.subtractingReportingOverflow(source.startingLine)
        return overflow || index < 0 ? nil : (source, index)
    }

    private func map(of source: EvaluatedScript, _ problems: inout [String]) -> SourceMap? {
        switch maps.map(of: source) {
        case .success(let map): return map
        case .failure(let problem):
            if !problems.contains(problem.message) { problems.append(problem.message) }
            return nil
        }
    }
}

/// A script as it was evaluated under a name.
final class EvaluatedScript: Sendable {
    let text: String
    let sourceURL: String
    /// The number of its first line.
    let startingLine: Int
    /// The loader of its source map, if the map is not in the text.
    let loader: SourceMapLoader?
    /// The number of characters that the engine has before the text, in its first line.
    let prefixCount: Int

    init(text: String, sourceURL: String, startingLine: Int, loader: SourceMapLoader?, prefixCount: Int) {
        self.prefixCount = prefixCount
        self.text = text
        self.sourceURL = sourceURL
        self.startingLine = startingLine
        self.loader = loader
    }
}
