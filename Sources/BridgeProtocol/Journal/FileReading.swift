package import Foundation

/// Reads files of all kinds, including pipes and devices, which `Data(contentsOf:)` refuses.
package enum FileReading {
    /// The reason why a file cannot be read, in words.
    package struct Problem: Error {
        package let reason: String
    }

    /// Returns all bytes up to the end of a file.
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
