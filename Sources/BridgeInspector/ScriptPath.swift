internal import Foundation
internal import JavaScriptEngine

/// The relation of files to the names under which their scripts are evaluated.
enum ScriptPath {
    /// Returns the absolute path of a script's file; `nil` if its name is not that of a file.
    ///
    /// - Parameters:
    ///   - name: A `file:` URL or a path, which may be relative.
    ///   - folder: The folder of relative paths.
    /// - Returns: The path without `.` and `..`.
    static func path(
        ofScript name: String,
        in folder: String = FileManager.default.currentDirectoryPath
    ) -> String? {
        if name.hasPrefix("file://") { return URL(string: name)?.path }
        if name.hasPrefix("/") { return URL(fileURLWithPath: name).standardizedFileURL.path }
        guard !name.isEmpty, ModuleURL.scheme(of: name) == nil else { return nil }
        let path = URL(fileURLWithPath: folder, isDirectory: true).appendingPathComponent(name)
            .standardizedFileURL.path
        return FileManager.default.fileExists(atPath: path) ? path : nil
    }

    /// Returns the absolute path of a script's file; `nil` if the file does not exist.
    static func existingPath(ofScript name: String) -> String? {
        path(ofScript: name).flatMap { FileManager.default.fileExists(atPath: $0) ? $0 : nil }
    }

    /// Returns the regular expression of all names under which a file may be evaluated.
    static func expression(
        of path: String,
        in folder: String = FileManager.default.currentDirectoryPath
    ) -> String {
        let plain = URL(fileURLWithPath: path).standardizedFileURL
        var names: [String] = []
        for file in [plain.path, plain.resolvingSymlinksInPath().path] {
            names.append(file)
            if let url = ModuleURL.ofFile(file) { names.append(url) }
            for folder in [folder, URL(fileURLWithPath: folder).resolvingSymlinksInPath().path]
            where file.hasPrefix(folder + "/") {
                let relative = String(file.dropFirst(folder.count + 1))
                names += [relative, "./" + relative]
            }
        }
        var seen: Set<String> = []
        let alternatives = names.filter { seen.insert($0).inserted }.map(escaped)
        return "^(?:\(alternatives.joined(separator: "|")))$"
    }

    private static func escaped(_ name: String) -> String {
        String(name.flatMap { #"\^$.|?*+()[]{}/"#.contains($0) ? ["\\", $0] : [$0] })
    }
}
