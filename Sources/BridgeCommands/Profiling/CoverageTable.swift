internal import BridgeInspector
internal import Foundation

/// The summary of coverage for a person.
struct CoverageTable {
    /// The name of the file in the folder of coverage, which editors and services look for.
    static let fileName = "lcov.info"

    private let coverage: Coverage

    // A person looks at the first ones; the file has all.
    private static let rangeCount = 6

    init(_ coverage: Coverage) { self.coverage = coverage }

    /// The lines of the table.
    var lines: [String] {
        guard !coverage.files.isEmpty else { return ["coverage: no file of a script was loaded"] }
        var table = TextTable([.left, .right, .right, .left])
        table.add("file", "lines", "functions", "lines not run")
        for file in coverage.files {
            table.add(
                Self.shown(file.path),
                FigureText.percent(file.coveredLineCount, of: file.lines.count),
                FigureText.percent(file.calledFunctionCount, of: file.functions.count),
                Self.ranges(file.uncoveredLines)
            )
        }
        let files = coverage.files
        table.add(
            "all files",
            FigureText.percent(files.sum(\.coveredLineCount), of: files.sum(\.lines.count)),
            FigureText.percent(files.sum(\.calledFunctionCount), of: files.sum(\.functions.count)),
            ""
        )
        return table.lines
    }

    private static func ranges(_ ranges: [ClosedRange<Int>]) -> String {
        let texts = ranges.prefix(rangeCount).map { range in
            range.count == 1 ? "\(range.lowerBound)" : "\(range.lowerBound)-\(range.upperBound)"
        }
        return texts.joined(separator: ",") + (ranges.count > rangeCount ? ",..." : "")
    }

    /// Returns a path relative to the current folder, if it is below that.
    private static func shown(_ path: String) -> String {
        let folder = FileManager.default.currentDirectoryPath + "/"
        return path.hasPrefix(folder) ? String(path.dropFirst(folder.count)) : path
    }
}

extension [Coverage.File] {
    fileprivate func sum(_ figure: (Coverage.File) -> Int) -> Int { reduce(0) { $0 + figure($1) } }
}
