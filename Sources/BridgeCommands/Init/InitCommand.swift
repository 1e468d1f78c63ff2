internal import BridgeValues
internal import Foundation

/// The command `jsbridge init`, which writes the files of a new plugin, and of a Swift program that loads it.
@MainActor
struct InitCommand {
    let options: InitOptions
    let output: CommandOutput

    /// Writes the files, and prints their names and what to do next.
    ///
    /// It replaces no file: if one of them exists, nothing is written.
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
                throw CommandError("'\(options.folder)' is not a folder")
            }
            let existing = files.map(\.path).filter { exists(folder.appendingPathComponent($0)) }
            guard existing.isEmpty else {
                let names = existing.map { "'\($0)'" }.joined(separator: ", ")
                throw CommandError("nothing was written, because '\(options.folder)' has \(names) already")
            }
            for file in files { try write(file, in: folder) }
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
                reason: CommandError("'\(url.path)' cannot be written: \(error.localizedDescription)")
            )
        }
    }

    private func report(of files: [NewProject.File], _ project: NewProject) -> String {
        let list = files.map { "  \($0.path)\n" }.joined()
        let commands = project.commands(folder: options.folder, isSwift: options.package != nil)
        return "New files in '\(options.folder)':\n\(list)\nNext:\n"
            + commands.map { "  \($0)\n" }.joined().dropLast()
    }
}
