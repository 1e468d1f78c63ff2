internal import BridgeValues
internal import Foundation

/// A watch of the files of tests and of the modules that the tests have imported.
///
/// Other files do not count, because tests may write them. The system's notifications are those of ``FileWatch``, as in
/// `run --watch`; this decides which of them count.
@MainActor
final class TestWatch {
    private static let maximumFolders = 1_000
    /// The files, to which the loaders of the tests add the modules.
    let files: WatchedFiles
    private let paths: [String]

    /// Begins to watch the folders below some paths, and those of files.
    ///
    /// - Throws: ``CommandError`` for a folder that cannot be watched; ``CommandFailure`` if the system has no more
    ///   notifications.
    init(_ paths: [String]) throws {
        files = try WatchedFiles()
        self.paths = paths.map { URL(fileURLWithPath: $0).resolvingSymlinksInPath().path }
        var count = 0
        for path in self.paths {
            guard Self.isFolder(path) else {
                files.add(path, as: path)
                continue
            }
            let folders = TestFiles.folders(below: path)
            count += folders.count
            guard count <= Self.maximumFolders else {
                throw CommandError("too many folders to watch (\(count), limit \(Self.maximumFolders))")
            }
            for folder in folders { files.add(folder: folder) }
        }
        if let problem = files.takeProblem() { throw CommandError("\(problem)") }
    }

    /// Calls a function after each burst of changes; never returns.
    func run(_ clock: any MonotonicClock, _ body: @escaping () -> Void) async {
        var schedule: ReloadSchedule?
        let changes = ReloadSchedule(clock) { _ in
            body()
            schedule?.end()
        }
        schedule = changes
        for await _ in files.events where hasChanged() { changes.noteChange() }
    }

    private func hasChanged() -> Bool {
        !files.takeChanged { path in
            guard Self.isFolder(path) else { return TestFiles.isTest(path) && isBelow(path) }
            guard isBelow(path) else { return false }
            let folders = TestFiles.folders(below: path)
            for folder in folders { files.add(folder: folder) }
            return (try? TestFiles.find([path])) != nil
        }.isEmpty
    }

    /// Returns whether a path is below one of a folder of tests.
    private func isBelow(_ path: String) -> Bool {
        paths.contains { path.hasPrefix($0 == "/" ? $0 : $0 + "/") }
    }

    private static func isFolder(_ path: String) -> Bool {
        var isFolder: ObjCBool = false
        return FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) && isFolder.boolValue
    }
}
