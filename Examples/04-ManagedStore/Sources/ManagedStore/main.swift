import ManagedObjects
import Stores
import StoresSQLite

final class Book: ManagedObject {
    @Managed("title", default: "") var title: String
    @Managed("year", default: nil) var year: Int?
}

let model = try ManagedObjectModel(
    entities: [
        EntityDescription(
            name: "author",
            attributes: [.init("name", .string, isOptional: false, isUnique: true)],
            relationships: [.toMany("books", "book", inverse: "author", deleteRule: .cascade)]
        ),
        EntityDescription(
            name: "book",
            attributes: [
                .init("title", .string, isOptional: false),
                .init("year", .integer, validation: AttributeValidation(minimum: .integer(1450))),
            ],
            relationships: [.toOne("author", "author", inverse: "books")]
        ),
    ],
    classes: ["book": Book.self]
)
let container = try PersistentContainer(model: model, store: SQLiteStore(location: .memory))
let context = container.newContext()
context.undoHistory = UndoHistory()

// Objects with relationships; setting one end updates the other.
let lem = try context.insert("author")
lem["name"] = .string("Stanisław Lem")
for (title, year) in [("Solaris", 1961), ("Eden", 1958), ("Fiasco", 1986)] {
    let book = try context.insert(Book.self)
    (book.title, book.year) = (title, year)
    try book.setRelated(lem, forKey: "author")
}
try context.save()
print("saved \(lem.objectID.entityName) with \(try lem.relatedCount("books")) books")

// Predicates and sort keys can use key paths through relationships.
let request = FetchRequest(
    entityName: "book",
    predicate: .and([
        .compare("author.name", .beginsWith, .string("Stan")), .compare("year", .greaterThan, .integer(1960)),
    ]),
    sortDescriptors: [.init("year")]
)
for book in try context.fetch(Book.self, request) { print(book.year ?? 0, book.title) }

// A failed save reports all validation failures and loses no changes.
let solaris = try context.fetch(Book.self, request)[0]
solaris.year = 61
do { try context.save() } catch let error as ValidationError { print(error.failures[0].problem) }
try context.undoHistory?.undo()
print("again \(solaris.year ?? 0)")

// Two contexts change the same attribute: the second save throws an error with the attribute and both values.
let other = container.newContext()
try other.existingObject(with: solaris.objectID)?.setValue(.string("Solyaris"), forKey: "title")
try other.save()
solaris.title = "SOLARIS"
do {
    try context.save()
} catch let error as MergeConflictError {
    let conflict = error.conflicts[0]
    print("\(conflict.attribute ?? ""): \(conflict.ours) here, \(conflict.theirs) in the store")
}
context.mergePolicy = .mergeByPropertyStoreTrump
try context.save()
print(solaris.title)

// A deletion applies the delete rules, and can be undone even after the save.
try context.delete(lem)
try context.save()
print("\(try context.count(for: request)) books left")
try context.undoHistory?.undo()
try context.save()
print("\(try context.count(for: request)) books are back")
