extension SourceMap {
    /// A position in a source, with a position of the script that comes from it.
    ///
    /// Lines and columns are from 0.
    struct Mapping: Sendable {
        var line: Int
        var column: Int
        var generatedLine: Int
        var generatedColumn: Int

        /// Returns whether a mapping is before another one: by position in the source, then in the script.
        static func precedes(_ first: Mapping, _ second: Mapping) -> Bool {
            (first.line, first.column, first.generatedLine, first.generatedColumn)
                < (second.line, second.column, second.generatedLine, second.generatedColumn)
        }
    }

    /// The names of all sources and their texts, without repetitions.
    var sources: [(name: String, content: String?)] {
        var seen: Set<String> = []
        return sections.flatMap { section in
            section.sources.enumerated().compactMap { index, name in
                guard seen.insert(name).inserted else { return nil }
                return (name, index < section.contents.count ? section.contents[index] : nil)
            }
        }
    }

    /// Returns the mappings of a source, in their order in the source.
    func mappings(ofSource name: String) -> [Mapping] {
        var found: [Mapping] = []
        for section in sections {
            let indices = section.sources.indices.filter { section.sources[$0] == name }
            guard !indices.isEmpty else { continue }
            for line in 0..<section.mapping.lineCount {
                for segment in section.mapping.segments(ofLine: line)
                where indices.contains(Int(segment.source)) {
                    found.append(
                        Mapping(
                            line: Int(segment.line),
                            column: Int(segment.originalColumn),
                            generatedLine: section.line + line,
                            generatedColumn: Int(segment.column) + (line == 0 ? section.column : 0)
                        )
                    )
                }
            }
        }
        return found.sorted(by: Mapping.precedes)
    }
}
