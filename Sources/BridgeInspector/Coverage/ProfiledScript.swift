internal import BridgeValues
internal import JavaScriptEngine

/// A script of a context whose coverage is recorded.
struct ProfiledScript: Sendable {
    /// The ID in the engine.
    let id: String
    /// The name under which it was evaluated, or the one in its comment `//# sourceURL=`.
    let url: String
    /// The absolute path of its file; `nil` for a script without one.
    let path: String?

    /// Creates a script from the engine's event; `nil` for the package's own scripts.
    init?(event text: String) {
        guard let parameters = JSONText.value(of: text)?["params"],
            let id = parameters["scriptId"].stringValue
        else {
            return nil
        }
        let url = parameters["sourceURL"].stringValue ?? parameters["url"].stringValue ?? ""
        guard !url.isEmpty, !url.hasPrefix("jsbridge:") else { return nil }
        self.id = id
        self.url = url
        path = ScriptPath.path(ofScript: url)
    }
}

/// The counts of one script as the engine reports them, and their assignment to source files.
struct ScriptCoverage {
    private let script: ProfiledScript
    private let lines: ScriptLines
    private let blocks: BlockTable
    /// The positions at which statements begin, from 0.
    private let statements: [(line: Int, column: Int)]
    private let map: SourceMap?
    /// The number of code units before the text of the file, on the first line.
    private let prefixCount: Int

    /// Creates the counts.
    ///
    /// - Parameters:
    ///   - script: The script.
    ///   - text: Its text.
    ///   - blocks: The response to `Runtime.getBasicBlocks`.
    ///   - locations: The response to `Debugger.getBreakpointLocations`.
    ///   - map: The source map; `nil` for a script without one.
    init(_ script: ProfiledScript, text: String, blocks: Value, locations: Value, map: SourceMap?) {
        self.script = script
        self.map = map
        let lines = ScriptLines(text)
        self.lines = lines
        prefixCount = text.hasPrefix(JSContext.commonJSPrefix) ? JSContext.commonJSPrefix.utf16.count : 0
        self.blocks = BlockTable(
            (blocks["basicBlocks"].arrayValue ?? []).compactMap { block in
                guard let start = block["startOffset"].int, let end = block["endOffset"].int, start >= 0,
                    let hasExecuted = block["hasExecuted"].boolValue
                else { return nil }
                let count = block["executionCount"].int ?? 0
                return BlockTable.Block(start: start, end: end, count: hasExecuted ? max(1, count) : 0)
            }
        )
        statements = (locations["locations"].arrayValue ?? []).compactMap { location in
            guard let line = location["lineNumber"].int, let column = location["columnNumber"].int,
                let offset = lines.offset(line: line, column: column), offset < lines.units.count,
                // The end of a function, where a debugger can pause too.
                lines.units[offset] != 0x7D, !Self.isDeclaration(lines.text(offset..<offset + 40))
            else { return nil }
            return (line, column)
        }
    }

    // The export of a function runs when its module is loaded, not when the function is called.
    private static func isDeclaration(_ text: String) -> Bool {
        var words = text.split(whereSeparator: { !$0.isLetter }).map(String.init)[...]
        guard text.hasPrefix("export"), words.popFirst() == "export" else { return false }
        if words.first == "default" { words.removeFirst() }
        if words.first == "async" { words.removeFirst() }
        return words.first == "function"
    }

    /// The counts by source file.
    var files: [Coverage.File] {
        var files: [String: Coverage.File] = [:]
        if map == nil, let path = script.path { files[path] = Coverage.File(path: path) }
        for statement in statements {
            guard let (path, line) = source(of: statement),
                let offset = lines.offset(line: statement.line, column: statement.column),
                let count = blocks.count(at: offset)
            else { continue }
            // A line has run as often as the statement on it that ran most often.
            let before = files[path]?.lines[line] ?? 0
            files[path, default: Coverage.File(path: path)].lines[line] = max(before, count)
        }
        for function in functions {
            files[function.path, default: Coverage.File(path: function.path)].functions.append(
                function.function
            )
        }
        return Array(files.values)
    }

    private var functions: [(path: String, function: Coverage.Function)] {
        var last = -1
        return blocks.blocks.compactMap { block in
            // Of ranges with the same beginning only the longest is the function's.
            guard block.start > last, block.start >= prefixCount,
                let head = FunctionHead(of: block, in: lines)
            else {
                return nil
            }
            last = block.start
            guard let (path, line) = source(of: lines.position(of: block.start)) else { return nil }
            let count = blocks.count(at: head.bodyOffset) ?? 0
            return (path, Coverage.Function(name: head.name, line: line, count: count))
        }
    }

    /// Returns the file and the line, from 1, of a position in the script; `nil` for generated code.
    private func source(of position: (line: Int, column: Int)) -> (path: String, line: Int)? {
        guard let map else { return script.path.map { ($0, position.line + 1) } }
        let column = position.line == 0 ? max(0, position.column - prefixCount) : position.column
        guard let source = map.position(line: position.line, column: column) else { return nil }
        return (ScriptPath.path(ofScript: source.source) ?? source.source, source.line)
    }
}
