internal import BridgeValues
internal import Foundation

/// The command `jsbridge init`, which writes the files of a new plugin, and of a Swift program that loads it.
@MainActor
struct InitCommand {
    let options: InitOptions
    let output: CommandOutput

    /// Writes the files, and prints their names and what to do next.
    ///
    /// It replaces no file: if one of them exists, or cannot be written, none is left behind.
    ///
    /// - Returns: The exit status.
    func run() -> Int32 {
        do {
            let folder = URL(fileURLWithPath: options.folder, isDirectory: true)
            let project = try NewProject(named: folder.standardizedFileURL.lastPathComponent)
            let files = try project.files(package: options.package)
            var isFolder: ObjCBool = true
            if FileManager.default.fileExists(atPath: folder.path, isDirectory: &isFolder),
                !isFolder.boolValue
            {
                throw CommandError("\(shownFolder) is not a folder")
            }
            let existing = files.map(\.path).filter { exists(folder.appendingPathComponent($0)) }
            guard existing.isEmpty else {
                let names = existing.map { "'\($0)'" }.joined(separator: ", ")
                throw CommandError("nothing was written, because \(shownFolder) has \(names) already")
            }
            try write(files, in: folder)
            try output.print(report(of: files, project))
            return ExitStatus.success
        } catch {
            return ExitStatus.after(error, output)
        }
    }

    // A link whose target is missing is there too, and writing would create its target.
    private func exists(_ url: URL) -> Bool {
        (try? FileManager.default.attributesOfItem(atPath: url.path)) != nil
    }

    private var shownFolder: String { "'\(Printable.text(options.folder))'" }

    /// Writes all files; if one fails, those before it are removed, with the folders that were created for them.
    private func write(_ files: [NewProject.File], in folder: URL) throws(CommandFailure) {
        var created: [URL] = []
        do throws(CommandFailure) {
            for file in files {
                created += missingFolders(of: folder.appendingPathComponent(file.path))
                try write(file, in: folder)
                created.append(folder.appendingPathComponent(file.path))
            }
        } catch {
            // A folder that another program has used meanwhile is not empty, and stays.
            for url in created.reversed() { _ = remove(url.path) }
            throw error
        }
    }

    /// Returns the folders above a file that do not exist, the outermost first.
    private func missingFolders(of file: URL) -> [URL] {
        var missing: [URL] = []
        var url = file.deletingLastPathComponent()
        while url.path != "/", !exists(url) {
            missing.insert(url, at: 0)
            url = url.deletingLastPathComponent()
        }
        return missing
    }

    private func write(_ file: NewProject.File, in folder: URL) throws(CommandFailure) {
        let url = folder.appendingPathComponent(file.path)
        do {
            try FileManager.default.createDirectory(
                at: url.deletingLastPathComponent(),
                withIntermediateDirectories: true
            )
            try Data(file.text.utf8).write(to: url, options: .withoutOverwriting)
        } catch {
            throw CommandFailure(
                status: ExitStatus.cannotWrite,
                reason: CommandError(
                    "nothing was written, because '\(Printable.text(url.path))' cannot be: \(ErrorText.plain(error))"
                )
            )
        }
    }

    private func report(of files: [NewProject.File], _ project: NewProject) -> String {
        let list = files.map { "  \($0.path)\n" }.joined()
        let commands = project.commands(folder: options.folder, isSwift: options.package != nil)
        return "New files in \(shownFolder):\n\(list)\nNext:\n"
            + commands.map { "  \($0)\n" }.joined().dropLast()
    }
}
