/// The counts of what scripts have run: statements by line, and functions.
///
/// ```swift
/// let coverage = try await profiler.coverage()
/// try coverage.lcov.write(toFile: "lcov.info", atomically: true, encoding: .utf8)
/// ```
public struct Coverage: Sendable, Hashable {
    /// A function.
    public struct Function: Sendable, Hashable {
        /// The name; that of an anonymous function is `(anonymous)`.
        public var name: String
        /// The line on which it begins, from 1.
        public var line: Int
        /// The number of calls.
        public var count: Int
    }

    /// A source file.
    public struct File: Sendable, Hashable {
        /// The absolute path, or the name in a source map that has no file.
        public var path: String
        /// The number of executions by line, from 1, of the lines on which a statement begins.
        public var lines: [Int: Int] = [:]
        /// The functions in the order of their lines.
        ///
        /// Functions inside one that was never called are not known.
        public var functions: [Function] = []

        /// The number of lines that have run.
        public var coveredLineCount: Int { lines.values.count { $0 > 0 } }
        /// The number of functions that were called.
        public var calledFunctionCount: Int { functions.count { $0.count > 0 } }
        /// The lines that have not run, as ranges without lines that have.
        public var uncoveredLines: [ClosedRange<Int>] {
            var ranges: [ClosedRange<Int>] = []
            var isOpen = false
            for (line, count) in lines.sorted(by: { $0.key < $1.key }) {
                if count > 0 {
                    isOpen = false
                } else if isOpen, let last = ranges.popLast() {
                    ranges.append(last.lowerBound...line)
                } else {
                    ranges.append(line...line)
                    isOpen = true
                }
            }
            return ranges
        }
    }

    /// The files, sorted by their paths.
    public private(set) var files: [File] = []

    /// Creates coverage without a file.
    public init() {}

    /// Adds the counts of other coverage, as of another test.
    public mutating func merge(_ other: Coverage) {
        for file in other.files { add(file) }
    }

    /// Adds the counts of a file.
    mutating func add(_ file: File) {
        guard let index = files.firstIndex(where: { $0.path == file.path }) else {
            files.append(file)
            files.sort { $0.path.utf8.lexicographicallyPrecedes($1.path.utf8) }
            return
        }
        files[index].lines.merge(file.lines) { Self.sum($0, $1) }
        var functions: [FunctionKey: Function] = [:]
        for function in files[index].functions + file.functions {
            let key = FunctionKey(name: function.name, line: function.line)
            let count = Self.sum(functions[key]?.count ?? 0, function.count)
            functions[key] = Function(name: function.name, line: function.line, count: count)
        }
        files[index].functions = functions.values.sorted { ($0.line, $0.name) < ($1.line, $1.name) }
    }

    /// Removes the files that do not fulfill a condition.
    public mutating func removeFiles(unless isIncluded: (File) -> Bool) {
        files.removeAll { !isIncluded($0) }
    }

    private struct FunctionKey: Hashable {
        let name: String
        let line: Int
    }

    static func sum(_ first: Int, _ second: Int) -> Int {
        let (sum, overflows) = first.addingReportingOverflow(second)
        return overflows ? .max : sum
    }
}
