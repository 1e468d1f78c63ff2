internal import BridgeValues
internal import Foundation
internal import Synchronization

/// A cache of the most recently used source maps, for the scripts of one context.
final class SourceMapCache: Sendable {
    typealias Entry = Result<SourceMap?, SourceMapProblem>

    // Maps are large, and errors come from few scripts.
    private static let maximumCount = 4
    private let entries = Mutex<[(source: EvaluatedScript, map: Entry)]>([])

    /// Returns the map of a script and reads it on first use; `nil` if the script refers to none.
    func map(of source: EvaluatedScript) -> Entry {
        let known = entries.withLock { entries -> Entry? in
            guard let index = entries.firstIndex(where: { $0.source === source }) else { return nil }
            let entry = entries.remove(at: index)
            entries.append(entry)
            return entry.map
        }
        if let known { return known }
        let map = Self.read(source)
        entries.withLock { entries in
            if entries.count >= Self.maximumCount { entries.removeFirst() }
            entries.append((source, map))
        }
        return map
    }

    /// Returns the text of a source, if one of the cached maps contains it.
    func content(ofSource name: String) -> String? {
        let maps = entries.withLock { $0.reversed().compactMap { try? $0.map.get() } }
        return maps.lazy.compactMap { $0.content(ofSource: name) }.first
    }

    static func read(_ source: EvaluatedScript) -> Entry {
        Result { () throws(SourceMapProblem) in
            try SourceMap.ofScript(source.text, name: source.sourceURL, loader: source.loader)
        }
    }
}

extension SourceMap {
    /// Returns the map that the last comment of a script names; `nil` if it names none, or none can be found.
    ///
    /// - Parameters:
    ///   - text: The script.
    ///   - name: Its name or URL, to which the names of the sources are relative.
    ///   - loader: The loader of a map in a file. Without one, only a map inside the comment is found.
    /// - Returns: The map.
    /// - Throws: ``SourceMapProblem`` if the map cannot be used.
    package static func ofScript(
        _ text: String,
        name: String,
        loader: SourceMapLoader?
    ) throws(SourceMapProblem) -> SourceMap? {
        guard let reference = SourceMapReference(in: text) else { return nil }
        do throws(SourceMapProblem) {
            var data = try reference.inlineData()
            if data == nil { data = try load(reference, by: loader) }
            guard let data else { return nil }
            return try SourceMap(data, scriptURL: name)
        } catch {
            throw SourceMapProblem("the source map of \(name) is not used: \(error.message)")
        }
    }

    // Without a loader no map can be found: a script that was evaluated from a string has no folder.
    private static func load(
        _ reference: SourceMapReference,
        by loader: SourceMapLoader?
    ) throws(SourceMapProblem) -> Data? {
        guard let loader else { return nil }
        do {
            return try loader.load(String(reference.url))
        } catch let problem as SourceMapProblem {
            throw problem
        } catch {
            throw SourceMapProblem(BridgeError(wrapping: error).message)
        }
    }
}
