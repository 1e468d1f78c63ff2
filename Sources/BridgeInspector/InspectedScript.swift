internal import BridgeValues
internal import JavaScriptEngine

/// A script of a context, as the engine has parsed it.
struct InspectedScript {
    /// The ID in the engine.
    let id: String
    /// The name under which it was evaluated, or the one in its comment `//# sourceURL=`.
    let url: String
    /// The file; `nil` for a script without one.
    let path: String?
    /// The number by which a client requests the text of a script without a file.
    let reference: Int
    let endLine: Int
    /// The sources that the script was made from; `nil` without a source map.
    let originals: OriginalSources?

    /// A Boolean value that indicates whether the script is the package's own, which clients do not see.
    var isInternal: Bool { url.hasPrefix("jsbridge:") || isOfPause }

    /// The name of expressions that a client or a breakpoint evaluates.
    static let evaluationURL = "jsbridge:evaluation"

    /// Returns an expression with the name of all of them, so that none becomes a script that a client sees.
    static func evaluation(_ expression: String) -> String { "\(expression)\n//# sourceURL=\(evaluationURL)" }

    /// A Boolean value that indicates whether the script was evaluated to pause another one.
    var isOfPause: Bool { url == InspectorTarget.pauseScriptURL }

    /// A Boolean value that indicates whether the script has the name of its own source, as of a transpiled file.
    var hidesOriginal: Bool { path.flatMap { originals?.source(path: $0) } != nil }

    /// The script as the protocol describes it.
    var source: Value {
        let name = url.isEmpty ? "script \(id)" : String(url.split(separator: "/").last ?? "script")
        guard let path else {
            return ["name": .string(name), "sourceReference": .integer(Int64(reference))]
        }
        guard hidesOriginal else { return ["name": .string(name), "path": .string(path)] }
        return [
            "name": .string(name + " (generated)"), "sourceReference": .integer(Int64(reference)),
            "presentationHint": "deemphasize", "origin": "the text that the engine runs",
        ]
    }

    /// The sources that a client is to see.
    var visibleSources: [Value] { originals.map { $0.all.map(\.source) } ?? [source] }

    /// Returns the position in the source for a position in the script.
    ///
    /// - Parameters:
    ///   - line: The line, from 0.
    ///   - column: The column, from 0.
    /// - Returns: The position, in the script itself for code that comes from no source.
    func place(line: Int, column: Int) -> SourcePlace {
        let original = originals?.map.original(of: ScriptSourceMap.Position(line: line, column: column))
        if let (name, position) = original, let found = originals?.source(named: name) {
            return SourcePlace(source: found.source, line: position.line, column: position.column)
        }
        // A script of which the map knows nothing is shown as it is.
        let isBetween = originals?.all.isEmpty == false
        return SourcePlace(source: source, line: line + 1, column: column + 1, hasNoOriginal: isBetween)
    }
}

/// A position that a client sees.
struct SourcePlace {
    let source: Value
    let line: Int
    let column: Int
    /// A Boolean value that indicates whether the code is in no source of its script's source map.
    var hasNoOriginal = false
}

/// A source that a script was made from.
struct OriginalSource {
    /// The name in the source map, resolved by the script's name.
    let name: String
    /// The file; `nil` if there is none.
    let path: String?
    /// The number by which a client requests the text of a source without a file.
    let reference: Int
    /// The text in the source map, if it is there.
    let content: String?

    /// The source as the protocol describes it.
    var source: Value {
        let short = String(name.split(separator: "/").last ?? "source")
        if let path { return ["name": .string(short), "path": .string(path)] }
        return [
            "name": .string(short), "sourceReference": .integer(Int64(reference)), "origin": .string(name),
        ]
    }
}

/// The sources of a script's source map, which is read on first use.
final class OriginalSources {
    let map: ScriptSourceMap
    private let reference: (_ name: String) -> Int
    private var indexByName: [String: Int] = [:]
    private var indexByPath: [String: Int] = [:]

    init(_ map: ScriptSourceMap, reference: @escaping (_ name: String) -> Int) {
        self.map = map
        self.reference = reference
    }

    private(set) lazy var all: [OriginalSource] = map.sources.enumerated().map { index, source in
        let path = ScriptPath.existingPath(ofScript: source.name)
        indexByName[source.name] = index
        if let path { indexByPath[path] = index }
        return OriginalSource(
            name: source.name,
            path: path,
            reference: reference(source.name),
            content: source.content
        )
    }

    func source(reference: Int) -> OriginalSource? { all.first { $0.reference == reference } }

    /// Returns the source of a breakpoint.
    func source(of place: Breakpoint.Place) -> OriginalSource? {
        switch place {
        case .path(let path): source(path: path)
        case .reference(let reference): source(reference: reference)
        }
    }

    func source(named name: String) -> OriginalSource? {
        let all = all
        return indexByName[name].map { all[$0] }
    }

    func source(path: String) -> OriginalSource? {
        let all = all
        return indexByPath[path].map { all[$0] }
    }
}
