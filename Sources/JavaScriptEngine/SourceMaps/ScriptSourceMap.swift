internal import Synchronization

/// The source map of a script, for a debugger.
///
/// The map is read on first use. Positions of the script are those of the engine's inspector: lines and columns from 0,
/// in the text that the engine has. Positions in sources are those that people see, from 1.
package final class ScriptSourceMap: Sendable {
    /// A source of the map.
    package struct Source: Sendable {
        /// The name, relative to the same folder or URL as the script's name.
        package let name: String
        /// The text, if the map contains it.
        package let content: String?
    }

    /// A position in a script or in a source.
    package struct Position: Sendable, Hashable {
        package let line: Int
        package let column: Int

        package init(line: Int, column: Int) {
            self.line = line
            self.column = column
        }
    }

    private struct Contents {
        var map: SourceMap?
        var sources: [Source] = []
        var mappings: [String: [SourceMap.Mapping]] = [:]
    }

    private let script: EvaluatedScript
    private let contents = Mutex<Contents?>(nil)

    init(of script: EvaluatedScript) { self.script = script }

    private func withContents<Result>(_ body: (inout Contents) -> Result) -> Result {
        contents.withLock { contents in
            var known = contents ?? read()
            defer { contents = known }
            return body(&known)
        }
    }

    // A map that cannot be used counts as missing here: the first error of the script reports the reason.
    private func read() -> Contents {
        guard let map = try? SourceMapCache.read(script).get() else { return Contents() }
        return Contents(map: map, sources: map.sources.map { Source(name: $0.name, content: $0.content) })
    }

    /// The sources; none if the map cannot be used.
    package var sources: [Source] { withContents { $0.sources } }

    /// Returns the position in a source of a position of the script; `nil` if it comes from none.
    package func original(of position: Position) -> (source: String, position: Position)? {
        let line = position.line - (script.startingLine - 1)
        let column = line == 0 ? position.column - script.prefixCount : position.column
        guard let found = withContents({ $0.map?.position(line: line, column: column) }) else { return nil }
        return (found.source, Position(line: found.line, column: found.column))
    }

    /// Returns the positions of the script for a breakpoint in a source.
    ///
    /// - Parameters:
    ///   - source: The name of the source.
    ///   - line: The line. If none of its code is in the script, the next line with code is used.
    ///   - column: The column; `nil` for the first one of the line. Without a mapping at it, the next one is used, or the
    ///     last one of the line.
    /// - Returns: The positions, more than one if the script contains the code repeatedly.
    package func places(inSource source: String, line: Int, column: Int?) -> [Position] {
        let mappings = mappings(ofSource: source)
        guard let first = mappings.first(where: { $0.line >= line - 1 }) else { return [] }
        let ofLine = mappings.filter { $0.line == first.line }
        // In another line, the column of the request means nothing.
        let wanted = first.line == line - 1 ? (column ?? 1) - 1 : 0
        guard let found = ofLine.first(where: { $0.column >= wanted }) ?? ofLine.last else { return [] }
        return ofLine.filter { $0.column == found.column }.map(place)
    }

    /// Returns the first and the last position of the script that come from lines of a source; `nil` without one.
    package func range(ofSource source: String, lines: ClosedRange<Int>) -> (first: Position, last: Position)?
    {
        let places = mappings(ofSource: source).filter { lines.contains($0.line + 1) }.map(place)
        let order = { (first: Position, second: Position) in
            (first.line, first.column) < (second.line, second.column)
        }
        guard let first = places.min(by: order), let last = places.max(by: order) else { return nil }
        return (first, last)
    }

    private func mappings(ofSource name: String) -> [SourceMap.Mapping] {
        withContents { contents in
            if let known = contents.mappings[name] { return known }
            let mappings = contents.map?.mappings(ofSource: name) ?? []
            contents.mappings[name] = mappings
            return mappings
        }
    }

    private func place(_ mapping: SourceMap.Mapping) -> Position {
        Position(
            line: mapping.generatedLine + script.startingLine - 1,
            column: mapping.generatedColumn + (mapping.generatedLine == 0 ? script.prefixCount : 0)
        )
    }
}

extension ScriptSources {
    /// Returns the source map of a script, if its last comment names one.
    func sourceMap(ofScript url: String) -> ScriptSourceMap? {
        guard let script = script(named: url), SourceMapReference(in: script.text) != nil else { return nil }
        return ScriptSourceMap(of: script)
    }
}
