internal import Foundation
internal import JavaScriptEngine
internal import Stores
internal import StoresSQLite

/// Where a run keeps its store.
struct StorePlace: Sendable {
    let description: StoreDescription
    private let directory: String?

    /// Chooses the place; for a temporary one it makes a directory that only this user can read.
    ///
    /// - Throws: ``StoreError`` that says where no directory could be made and why.
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
                throw StoreError(.cannotOpen, "no temporary store can be made in \(parent): \(reason)")
            }
            let made = String(decoding: template.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
            directory = made
            description = StoreDescription(kind: .temporary, path: "\(made)/store.db")
        }
    }

    /// The description that scripts of a tier get: without the path, unless they are trusted.
    func description(for tier: ExecutionTier) -> StoreDescription {
        StoreDescription(kind: description.kind, path: tier == .trusted ? description.path : nil)
    }

    /// The place as the store wants it.
    var location: SQLiteStore.Location { description.path.map { .file($0) } ?? .memory }

    /// Removes what was made for this run.
    ///
    /// Harmless when done twice, and while the store is open.
    func remove() {
        guard let directory else { return }
        try? FileManager.default.removeItem(atPath: directory)
    }
}
