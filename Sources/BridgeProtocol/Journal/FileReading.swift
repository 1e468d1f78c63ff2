package import Foundation

/// Reads files of all kinds: also pipes and devices, which `Data(contentsOf:)` says it may not read.
package enum FileReading {
    /// Why a file cannot be read, in some words.
    package struct Problem: Error {
        package let reason: String
    }

    /// All bytes up to the end of a file.
    package static func bytes(of path: String) throws(Problem) -> Data {
        var isDirectory: ObjCBool = false
        guard FileManager.default.fileExists(atPath: path, isDirectory: &isDirectory) else {
            throw Problem(reason: "there is no such file")
        }
        guard !isDirectory.boolValue else { throw Problem(reason: "this is a directory") }
        guard let file = FileHandle(forReadingAtPath: path) else {
            throw Problem(reason: "the file cannot be read (\(String(cString: strerror(errno))))")
        }
        defer { try? file.close() }
        do {
            return try file.readToEnd() ?? Data()
        } catch {
            throw Problem(reason: "the file cannot be read (\((error as NSError).localizedDescription))")
        }
    }
}
