internal import Foundation

/// A source map of revision 3, which maps each position of a generated script to its source.
///
/// Maps with `sections` are read too, with maps inside them.
package struct SourceMap: Sendable {
    /// A position in a source.
    package struct Position: Sendable, Hashable {
        /// The source's name, relative to the same folder or URL as the script's name.
        package var source: String
        /// The line, from 1.
        package var line: Int
        /// The column, from 1.
        package var column: Int
        /// The source's text, if the map contains it.
        package var content: String?
        /// The name at the position, if the map has one.
        package var name: String?
    }

    struct Section: Sendable {
        /// The line of the script on which the section begins, from 0.
        var line: Int
        var column: Int
        var sources: [String]
        var contents: [String?]
        var names: [String]
        var mapping: SourceMapping
    }

    private(set) var sections: [Section] = []

    /// The maximum size of a map, in bytes of JSON.
    ///
    /// Stops a map from exhausting memory.
    static let maximumByteCount = 32 * 1024 * 1024

    /// Parses a map.
    ///
    /// - Parameters:
    ///   - data: The JSON.
    ///   - scriptURL: The script's name, to which the names of the sources are relative.
    /// - Throws: ``SourceMapProblem`` if the data is not a valid map, or is too large.
    init(_ data: Data, scriptURL: String) throws(SourceMapProblem) {
        guard data.count <= Self.maximumByteCount else {
            throw SourceMapProblem(
                "the map has \(data.count) bytes, more than the \(Self.maximumByteCount) that are read"
            )
        }
        let record: SourceMapRecord
        do {
            record = try JSONDecoder().decode(SourceMapRecord.self, from: Self.withoutGuard(data))
        } catch {
            throw SourceMapProblem("the map is not a JSON object in the form of a source map")
        }
        guard record.version == 3 else {
            throw SourceMapProblem(
                "the map has the version \(record.version.map { String($0) } ?? "none"), not 3"
            )
        }
        guard let parts = record.sections else {
            sections = [try Self.section(record, line: 0, column: 0, scriptURL: scriptURL)]
            return
        }
        var segmentCount = 0
        for part in parts {
            guard let map = part.map else {
                throw SourceMapProblem("a section of the map is in another file, which is not read")
            }
            guard let offset = part.offset, offset.line >= 0, offset.column >= 0 else {
                throw SourceMapProblem("a section of the map has no offset")
            }
            if let last = sections.last, (offset.line, offset.column) < (last.line, last.column) {
                throw SourceMapProblem("the sections of the map are out of order")
            }
            let section = try Self.section(
                map,
                line: offset.line,
                column: offset.column,
                scriptURL: scriptURL
            )
            segmentCount += section.mapping.segments.count
            guard segmentCount <= SourceMapping.maximumSegmentCount else { throw .tooLarge("segments") }
            sections.append(section)
        }
    }

    // Some servers put a line before JSON that prevents it from running as a script.
    private static func withoutGuard(_ data: Data) -> Data {
        guard data.starts(with: Data(")]}'".utf8)), let end = data.firstIndex(of: 10) else { return data }
        return data[data.index(after: end)...]
    }

    private static func section(
        _ record: SourceMapRecord,
        line: Int,
        column: Int,
        scriptURL: String
    ) throws(SourceMapProblem) -> Section {
        let sources = record.sources ?? []
        let names = record.names ?? []
        let root = record.sourceRoot.flatMap { $0.isEmpty ? nil : $0 }
        return Section(
            line: line,
            column: column,
            sources: sources.map { SourcePath.resolve($0 ?? "", root: root, scriptURL: scriptURL) },
            contents: record.sourcesContent ?? [],
            names: names.map { $0.text ?? "" },
            mapping: try SourceMapping(
                record.mappings ?? "",
                sourceCount: sources.count,
                nameCount: names.count
            )
        )
    }

    /// Returns the source position of a position in the script.
    ///
    /// - Parameters:
    ///   - line: The line, from 0.
    ///   - column: The column, from 0.
    /// - Returns: The position in the source; `nil` if the map assigns no source to it.
    package func position(line: Int, column: Int) -> Position? {
        guard let (section, segment) = segment(line: line, column: column), segment.source >= 0 else {
            return nil
        }
        let index = Int(segment.source)
        return Position(
            source: section.sources[index],
            line: Int(segment.line) + 1,
            column: Int(segment.originalColumn) + 1,
            content: index < section.contents.count ? section.contents[index] : nil,
            name: segment.name >= 0 ? section.names[Int(segment.name)] : nil
        )
    }

    private func segment(line: Int, column: Int) -> (Section, SourceMapping.Segment)? {
        guard line >= 0, column >= 0,
            let section = sections.last(where: { ($0.line, $0.column) <= (line, column) })
        else { return nil }
        let isFirstLine = line == section.line
        let found = section.mapping.segment(
            line: line - section.line,
            column: isFirstLine ? column - section.column : column
        )
        return found.map { (section, $0) }
    }

    /// Returns the text of a source, if the map contains it.
    func content(ofSource name: String) -> String? {
        for section in sections {
            guard let index = section.sources.firstIndex(of: name), index < section.contents.count else {
                continue
            }
            return section.contents[index]
        }
        return nil
    }

    /// Returns the named segments of a line, each with its column (from 0) and its name.
    func names(ofLine line: Int) -> [(column: Int, name: String)] {
        sections.filter { $0.line <= line }.flatMap { section in
            section.mapping.segments(ofLine: line - section.line).compactMap { segment in
                guard segment.name >= 0 else { return nil }
                let column = Int(segment.column) + (line == section.line ? section.column : 0)
                return (column, section.names[Int(segment.name)])
            }
        }
    }
}

/// The JSON of a map.
///
/// A member of a wrong type counts as missing where that does no harm.
private struct SourceMapRecord: Decodable {
    struct Section: Decodable {
        struct Offset: Decodable {
            var line: Int
            var column: Int
        }

        var offset: Offset?
        var map: SourceMapRecord?
    }

    /// A name, which should be a string.
    ///
    /// Old tools wrote numbers.
    struct Name: Decodable {
        var text: String?

        init(from decoder: any Decoder) throws { text = try? String(from: decoder) }
    }

    var version: Int?
    var sources: [String?]?
    var sourcesContent: [String?]?
    var sourceRoot: String?
    var names: [Name]?
    var mappings: String?
    var sections: [Section]?
}
