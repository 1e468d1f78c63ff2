import Foundation
import Stores
import StoresSQLite

/// A store in a file with many people, in the order in which they are fetched, and a copy of it for the plain
/// work.
///
/// A store of one size is created once for all cases. The files are removed with the process.
struct PeopleStore {
    let path: String
    let copy: String
    let count: Int

    @MainActor private static var made: [Int: PeopleStore] = [:]

    /// Returns the store with a number of people.
    @MainActor static func people(_ count: Int) throws -> PeopleStore {
        if let store = made[count] { return store }
        let store = try PeopleStore(count)
        made[count] = store
        return store
    }

    private static let folder: URL = {
        let folder = FileManager.default.temporaryDirectory
            .appendingPathComponent("Benchmarks-\(ProcessInfo.processInfo.processIdentifier)")
        atexit { try? FileManager.default.removeItem(at: PeopleStore.folder) }
        return folder
    }()

    private init(_ count: Int) throws {
        self.count = count
        try FileManager.default.createDirectory(at: Self.folder, withIntermediateDirectories: true)
        path = Self.folder.appendingPathComponent("people-\(count).db").path
        copy = Self.folder.appendingPathComponent("plain-\(count).db").path
        do {
            let store = try SQLiteStore(location: .file(path))
            try store.createEntity(Self.entity)
            try store.write { transaction in
                let names = Self.entity.attributes.map(\.name)
                let loader = try transaction.makeLoader(for: "person", attributes: names, key: nil)
                for number in 0..<count {
                    _ = try loader.put([
                        .string(Self.country(number)), .string(Self.name(number)),
                        .integer(Int64(number % 90)),
                        .string("A note on person \(number)"),
                    ])
                }
            }
            try store.close()
        }
        // The index that such a list would have: without it both sides would mostly sort.
        let plain = try PlainSQLite(path)
        try plain.execute(#"CREATE INDEX byName ON person (country, name); PRAGMA wal_checkpoint(TRUNCATE)"#)
        try FileManager.default.copyItem(atPath: path, toPath: copy)
    }

    static let entity = EntityDescription(
        name: "person",
        attributes: [
            AttributeDescription("country", .string), AttributeDescription("name", .string),
            AttributeDescription("age", .integer), AttributeDescription("note", .string),
        ]
    )

    static let request = FetchRequest(
        entityName: "person",
        sortDescriptors: [FetchRequest.SortDescriptor("country"), FetchRequest.SortDescriptor("name")],
        sectionKeys: ["country"]
    )

    /// Returns one of a hundred countries.
    static func country(_ number: Int) -> String {
        let hash = FixedGenerator.mix(UInt64(number))
        return "Country \(hash % 100)"
    }

    /// Returns a name of two words, with about 13 letters.
    static func name(_ number: Int) -> String {
        var hash = FixedGenerator.mix(UInt64(number) &+ 0x5EED)
        func syllable() -> String {
            defer { hash /= 60 }
            let consonants = Array("bdfgklmnprst")
            return "\(consonants[Int(hash % 12)])\(Array("aeiou")[Int(hash / 12 % 5)])"
        }
        return "\(syllable())\(syllable())\(syllable()) \(syllable())\(syllable())\(syllable())"
    }
}
