import Foundation
import ManagedObjects
import Stores
import StoresSQLite
import Testing

final class Author: ManagedObject {
    @Managed("name", default: "") var name: String
    @Managed("born", default: nil) var born: Int?
}

/// A model with every kind of relationship.
enum Library {
    static func model(version: Int = 1) throws -> ManagedObjectModel {
        try ManagedObjectModel(
            version: version,
            entities: [author, book, tag, passport, shelf],
            classes: ["author": Author.self]
        )
    }

    static let author = EntityDescription(
        name: "author",
        attributes: [
            .init("name", .string, isOptional: false, isUnique: true, defaultValue: .string("")),
            .init("born", .integer, validation: AttributeValidation(minimum: .integer(-3_000))),
        ],
        relationships: [
            .toMany("books", "book", inverse: "author", deleteRule: .cascade),
            .toMany("friends", "author", inverse: "friends"),
            .toOne("passport", "passport", inverse: "owner", deleteRule: .cascade),
        ]
    )

    static let book = EntityDescription(
        name: "book",
        attributes: [
            .init("title", .string),
            .init("pages", .integer, defaultValue: .integer(100)),
        ],
        relationships: [
            .toOne("author", "author", inverse: "books"), .toMany("tags", "tag", inverse: "books"),
            .toOne("shelf", "shelf", inverse: "books"),
        ]
    )

    static let tag = EntityDescription(
        name: "tag",
        attributes: [.init("word", .string)],
        relationships: [.toMany("books", "book", inverse: "tags")]
    )

    static let passport = EntityDescription(
        name: "passport",
        attributes: [.init("number", .integer)],
        relationships: [.toOne("owner", "author", inverse: "passport")]
    )

    static let shelf = EntityDescription(
        name: "shelf",
        attributes: [.init("room", .string)],
        relationships: [
            .toMany("books", "book", inverse: "shelf", deleteRule: .deny), .toOne("next", "shelf"),
            .toMany("marks", "tag"),
        ]
    )

    static func container(_ location: SQLiteStore.Location = .memory) throws -> PersistentContainer {
        try PersistentContainer(model: model(), store: SQLiteStore(location: location))
    }
}

extension ManagedObjectContext {
    /// Inserts a new object with values.
    @discardableResult
    func insert(_ name: String, _ values: [String: AttributeValue]) throws -> ManagedObject {
        let object = try insert(name)
        for (key, value) in values { try object.setValue(value, forKey: key) }
        return object
    }

    func all(_ name: String, where predicate: FetchPredicate? = nil, by key: String? = nil) throws
        -> [ManagedObject]
    {
        try fetch(
            FetchRequest(
                entityName: name,
                predicate: predicate,
                sortDescriptors: key.map { [.init($0)] } ?? []
            )
        )
    }

    func texts(_ name: String, _ key: String, where predicate: FetchPredicate? = nil) throws -> [String] {
        try all(name, where: predicate, by: key).map { $0[key]?.description ?? "?" }
    }
}
