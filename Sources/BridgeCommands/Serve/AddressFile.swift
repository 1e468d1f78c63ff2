internal import Foundation

/// A file that leads a browser to an address and that only its owner can read.
///
/// The arguments of a process can be read by every user of the machine, and the address has the secret of the pages.
struct AddressFile {
    /// The path of the file, in a folder of its own.
    let path: String
    private let folder: String

    /// Writes an address.
    ///
    /// - Parameters:
    ///   - address: The address.
    ///   - parent: The folder for temporary files.
    /// - Throws: An error of the file system.
    init(_ address: String, in parent: String) throws {
        var template = Array("\(parent)/jsbridge-XXXXXX".utf8CString)
        // The folder has mode 0700.
        guard let made = mkdtemp(&template) else { throw POSIXError(.init(rawValue: errno) ?? .EIO) }
        folder = String(cString: made)
        path = "\(folder)/open.html"
        let descriptor = Foundation.open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else {
            let error = POSIXError(.init(rawValue: errno) ?? .EIO)
            rmdir(folder)
            throw error
        }
        let file = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
        do {
            try file.write(contentsOf: Data(Self.markup(address).utf8))
        } catch {
            remove()
            throw error
        }
    }

    /// Removes the file and its folder.
    func remove() {
        unlink(path)
        rmdir(folder)
    }

    private static func markup(_ address: String) -> String {
        let escaped = address.replacingOccurrences(of: "&", with: "&amp;")
            .replacingOccurrences(of: "\"", with: "&quot;").replacingOccurrences(of: "<", with: "&lt;")
        return """
            <!doctype html>
            <meta charset="utf-8">
            <meta name="referrer" content="no-referrer">
            <meta http-equiv="refresh" content="0; url=\(escaped)">
            <title>jsbridge</title>
            <p><a href="\(escaped)">Open the page</a></p>

            """
    }
}
