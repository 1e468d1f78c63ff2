internal import Foundation
internal import JavaScriptEngine
internal import Stores
internal import StoresSQLite

/// The location of a run's store.
struct StoreLocation: Sendable {
    let description: StoreDescription
    private let directory: String?

    /// Chooses the location; for a temporary one, creates a directory that only this user can read.
    ///
    /// - Throws: ``StoreError`` with the parent folder and the reason why no directory could be created.
    init(_ store: RunOptions.Store, environment: [String: String]) throws {
        switch store {
        case .memory:
            description = StoreDescription(kind: .memory)
            directory = nil
        case .file(let path):
            description = StoreDescription(kind: .file, path: path)
            directory = nil
        case .temporary:
            let parent = environment["TMPDIR"].flatMap { $0.isEmpty ? nil : $0 } ?? "/tmp"
            var template = Array("\(parent)/jsbridge.XXXXXX".utf8CString)
            guard mkdtemp(&template) != nil else {
                let reason = String(cString: strerror(errno))
                throw StoreError(.cannotOpen, "cannot create a temporary store in \(parent): \(reason)")
            }
            let made = String(decoding: template.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
            directory = made
            description = StoreDescription(kind: .temporary, path: "\(made)/store.db")
        }
    }

    /// Returns the description for scripts of a tier: without the path, unless they are trusted.
    func description(for tier: ExecutionTier) -> StoreDescription {
        StoreDescription(kind: description.kind, path: tier == .trusted ? description.path : nil)
    }

    /// The location in the form of the store.
    var location: SQLiteStore.Location { description.path.map { .file($0) } ?? .memory }

    /// The configuration of the store: a temporary one does not wait for the disk.
    var configuration: SQLiteConfiguration {
        var configuration = SQLiteConfiguration()
        configuration.isDurable = directory == nil
        return configuration
    }

    /// Removes the files that were created for this run.
    ///
    /// It may be called twice, and while the store is open.
    func remove() {
        guard let directory else { return }
        try? FileManager.default.removeItem(atPath: directory)
    }
}
