import Foundation

/// A folder that is deleted when it is released.
final class TemporaryFolder {
    let path: String

    init() throws {
        path = "\(FileManager.default.temporaryDirectory.path)/StoreReliabilityTests-\(UUID().uuidString)"
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    func file(_ name: String) -> String { "\(path)/\(name)" }

    /// Copies a database with its accompanying files over an existing one.
    func copy(_ database: String, as name: String) throws -> String {
        let target = file(name)
        for suffix in ["", "-wal", "-shm", "-journal", "-caches"] {
            try? FileManager.default.removeItem(atPath: target + suffix)
            if FileManager.default.fileExists(atPath: database + suffix) {
                try FileManager.default.copyItem(atPath: database + suffix, toPath: target + suffix)
            }
        }
        return target
    }
}
