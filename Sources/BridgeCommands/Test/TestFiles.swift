internal import Foundation

/// The files of tests below the paths of a command.
enum TestFiles {
    private static let endings = [".test.js", ".test.mjs", ".test.ts", "_test.js", "_test.ts"]

    /// Returns the files, sorted within each path, and none twice.
    ///
    /// A file that is given is one whatever its name is. Hidden folders and `node_modules` are not searched.
    ///
    /// - Throws: ``CommandError`` for a path that does not exist, or a folder without such a file.
    static func find(_ paths: [String]) throws(CommandError) -> [String] {
        var files: [String] = []
        for path in paths {
            var isFolder: ObjCBool = false
            guard FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) else {
                throw CommandError("\(path): No such file or directory")
            }
            let found = isFolder.boolValue ? self.files(below: path) : [path]
            guard !found.isEmpty else {
                throw CommandError(
                    "\(path): no file is named *.test.js, *.test.mjs or *_test.js, nor so with .ts"
                )
            }
            files += found.filter { !files.contains($0) }
        }
        return files
    }

    /// Returns whether a name is that of a file of tests.
    static func isTest(_ name: String) -> Bool { endings.contains { name.hasSuffix($0) } }

    private static func files(below folder: String) -> [String] {
        folders(below: folder).flatMap { folder in
            names(in: folder).filter(isTest).map { join(folder, $0) }
        }.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
    }

    /// Returns a folder and those below it that are searched.
    ///
    /// Symbolic links are not followed.
    static func folders(below folder: String) -> [String] {
        var folders = [folder]
        var index = 0
        while index < folders.count {
            let parent = folders[index]
            index += 1
            for name in names(in: parent) where !name.hasPrefix(".") && name != "node_modules" {
                let attributes = try? FileManager.default.attributesOfItem(atPath: join(parent, name))
                if attributes?[.type] as? FileAttributeType == .typeDirectory {
                    folders.append(join(parent, name))
                }
            }
        }
        return folders
    }

    private static func names(in folder: String) -> [String] {
        (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    }

    private static func join(_ folder: String, _ name: String) -> String {
        folder.hasSuffix("/") ? folder + name : folder == "." ? name : "\(folder)/\(name)"
    }
}
