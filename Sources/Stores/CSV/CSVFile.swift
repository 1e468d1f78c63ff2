internal import Foundation

/// A file that is read from start to end.
final class CSVFile {
    let size: Int?
    private let path: String
    private let file: UnsafeMutablePointer<FILE>

    init(path: String) throws {
        guard let file = fopen(path, "rbe") else { throw Self.error(path, errno) }
        self.path = path
        self.file = file
        var status = stat()
        let isFile = fstat(fileno(file), &status) == 0 && status.st_mode & S_IFMT == S_IFREG
        size = isFile ? Int(status.st_size) : nil
    }

    deinit { fclose(file) }

    /// Reads some bytes; none at the end.
    func read(into bytes: UnsafeMutableRawBufferPointer) throws -> Int {
        let count = fread(bytes.baseAddress, 1, bytes.count, file)
        if count == 0, ferror(file) != 0 { throw Self.error(path, errno) }
        return count
    }

    private static func error(_ path: String, _ number: Int32) -> StoreError {
        StoreError(.cannotOpen, "\(path) cannot be read: \(String(cString: strerror(number)))")
    }
}
