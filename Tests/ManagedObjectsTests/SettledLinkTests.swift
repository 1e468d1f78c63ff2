import ManagedObjects
import StoreTestSupport
import Stores
import StoresSQLite
import Testing

@Suite("Links after a policy has resolved conflicts")
struct SettledLinkTests {
    let container: PersistentContainer
    let (first, second): (ManagedObjectContext, ManagedObjectContext)

    static let settling: [MergePolicy] = [
        .mergeByPropertyStoreTrump, .mergeByPropertyObjectTrump, .overwrite, .rollback,
    ]

    init() throws {
        container = try Library.container()
        (first, second) = (container.newContext(), container.newContext())
        first.automaticallyMergesChanges = false
    }

    private func mirror(_ object: ManagedObject) throws -> ManagedObject {
        try #require(try second.existingObject(with: object.objectID))
    }

    /// Returns the passport holders as a new context and the first one see them; both ends of each link must agree.
    private func holders() throws -> [String] {
        let views = try [container.newContext(), first].map { (context: ManagedObjectContext) -> [String] in
            context.automaticallyMergesChanges = true
            var found: [String] = []
            for author in try context.all("author", by: "name") {
                guard let passport = try author.related("passport") else { continue }
                #expect(try passport.related("owner") == author)
                found.append("\(author["name"] ?? .null) \(passport["number"] ?? .null)")
            }
            for passport in try context.all("passport") {
                guard let owner = try passport.related("owner") else { continue }
                #expect(try owner.related("passport") == passport)
            }
            return found
        }
        #expect(views[0] == views[1])
        return views[0]
    }

    private func authors(_ names: String...) throws -> [ManagedObject] {
        try names.map { try first.insert("author", ["name": .string($0)]) }
    }

    private func passports(_ numbers: Int64...) throws -> [ManagedObject] {
        try numbers.map { try first.insert("passport", ["number": .integer($0)]) }
    }

    @Test(
        "one end of a one-to-one link that others changed agrees with the other end",
        arguments: settling
    )
    func taken(_ policy: MergePolicy) throws {
        let (authors, passports) = (try authors("a", "b"), try passports(1))
        try first.save()
        try authors[0].setRelated(passports[0], forKey: "passport")
        try mirror(authors[1]).setRelated(mirror(passports[0]), forKey: "passport")
        try second.save()
        first.mergePolicy = policy
        #expect(try !first.save().settledConflicts.isEmpty)
        let isOurs = policy == .mergeByPropertyObjectTrump || policy == .overwrite
        #expect(try holders() == [isOurs ? "a 1" : "b 1"])
    }

    @Test("links that both sides exchanged differently agree at both ends", arguments: settling)
    func exchanged(_ policy: MergePolicy) throws {
        let (authors, passports) = (try authors("a", "b", "c"), try passports(1, 2, 3))
        for (author, passport) in zip(authors, passports) {
            try author.setRelated(passport, forKey: "passport")
        }
        try first.save()
        // Here `a` gets the passport of `b`; there `b` gets that of `c`, and `a` the former one of `b`.
        try authors[0].setRelated(passports[1], forKey: "passport")
        try mirror(authors[0]).setRelated(mirror(passports[2]), forKey: "passport")
        try mirror(authors[2]).setRelated(mirror(passports[1]), forKey: "passport")
        try second.save()
        first.mergePolicy = policy
        try first.save()
        let isOurs = policy == .mergeByPropertyObjectTrump || policy == .overwrite
        #expect(try holders() == (isOurs ? ["a 2"] : ["a 3", "c 2"]))
    }

    @Test(
        "a new object's end of a link agrees with the other end after the policy was applied",
        arguments: settling
    )
    func inserted(_ policy: MergePolicy) throws {
        let (authors, passports) = (try authors("b"), try passports(1))
        try first.save()
        let new = try first.insert("author", ["name": .string("a")])
        try new.setRelated(passports[0], forKey: "passport")
        try mirror(authors[0]).setRelated(mirror(passports[0]), forKey: "passport")
        try second.save()
        first.mergePolicy = policy
        try first.save()
        let isOurs = policy == .mergeByPropertyObjectTrump || policy == .overwrite
        #expect(try holders() == [isOurs ? "a 1" : "b 1"])
    }

    @Test(
        "undoing a one-to-one link that others changed meanwhile makes both ends agree",
        arguments: [false, true]
    )
    func undone(isMoved: Bool) throws {
        let (authors, passports) = (try authors("a", "b", "d"), try passports(1, 2))
        if isMoved { try authors[0].setRelated(passports[1], forKey: "passport") }
        try first.save()
        first.undoHistory = UndoHistory()
        try authors[0].setRelated(passports[0], forKey: "passport")
        try first.save()
        let other = try mirror(authors[isMoved ? 2 : 1])
        try other.setRelated(mirror(passports[isMoved ? 1 : 0]), forKey: "passport")
        try second.save()
        try first.mergeChanges()
        try first.undoHistory?.undo()
        try first.save()
        #expect(try holders() == (isMoved ? ["a 2"] : []))
        try first.undoHistory?.redo()
        try first.save()
        // Redo restores the earlier state, including the changes by others.
        #expect(try holders() == (isMoved ? ["a 1", "d 2"] : ["b 1"]))
    }

    @Test(
        "a deletion that the policy reverts keeps references to the object, and its cascaded objects",
        arguments: [MergePolicy.mergeByPropertyStoreTrump, .rollback],
        [false, true]
    )
    func droppedDeletion(_ policy: MergePolicy, hasHistory: Bool) throws {
        let (authors, passports) = (try authors("a", "b"), try passports(1))
        let book = try first.insert("book", ["title": .string("t")])
        let tag = try first.insert("tag", ["word": .string("w")])
        try book.setRelated(authors[0], forKey: "author")
        try book.addRelated(tag, toKey: "tags")
        try authors[0].addRelated(authors[1], toKey: "friends")
        try authors[0].setRelated(passports[0], forKey: "passport")
        try first.save()
        if hasHistory { first.undoHistory = UndoHistory() }
        let new = try first.insert("book", ["title": .string("new")])
        try new.setRelated(authors[0], forKey: "author")
        try first.delete(authors[0])
        try mirror(authors[0]).setValue(.integer(5), forKey: "born")
        try second.save()
        first.mergePolicy = policy
        let saved = try first.save()
        #expect(saved.settledConflicts.map(\.kind) == [.deletedHere] && saved.deleted.isEmpty)
        #expect(!first.hasChanges && !authors[0].isDeleted && authors[0]["born"] == .integer(5))
        #expect(try holders() == ["a 1"])
        for context in [container.newContext(), first] {
            let author = try #require(try context.all("author", by: "name").first)
            #expect(try author.relatedObjects("books").map { $0["title"]?.description } == ["t", "new"])
            #expect(try author.relatedObjects("friends").count == 1)
            #expect(try context.all("tag").first?.relatedCount("books") == 1)
        }
        guard let history = first.undoHistory else { return }
        // A deletion that was not saved must not be undone into a second row.
        try history.undo()
        try first.save()
        #expect(try container.newContext().all("author").count == 2)
    }

    @Test("a failed save keeps a deletion that its policy was about to revert")
    func failedSave() throws {
        let authors = try authors("a", "b")
        let book = try first.insert("book", ["title": .string("t")])
        try book.setRelated(authors[0], forKey: "author")
        try first.save()
        try first.delete(authors[0])
        try first.insert("author", ["name": .string("b")])
        try mirror(authors[0]).setValue(.integer(5), forKey: "born")
        try second.save()
        first.mergePolicy = .mergeByPropertyStoreTrump
        #expect(throws: StoreError.self) { try first.save() }
        #expect(authors[0].isDeleted && book.isDeleted && first.deletedObjects.count == 2)
    }

    @Test(
        "delete rules apply to pairs that others added to an object that is deleted here",
        arguments: [false, true]
    )
    func pairsOfOthers(isRequired: Bool) throws {
        let model = try ManagedObjectModel(entities: [
            EntityDescription(
                name: "tag",
                attributes: [.init("word", .string)],
                relationships: [
                    .toMany("books", "book", inverse: "tags", deleteRule: isRequired ? .nullify : .deny)
                ]
            ),
            EntityDescription(
                name: "book",
                attributes: [.init("title", .string)],
                relationships: [.toMany("tags", "tag", inverse: "books", isOptional: !isRequired)]
            ),
        ])
        let container = try PersistentContainer(model: model, store: SQLiteStore(location: .memory))
        let (first, second) = (container.newContext(), container.newContext())
        let tag = try first.insert("tag", ["word": .string("t")])
        try first.save()
        try first.delete(tag)
        let book = try second.insert("book", ["title": .string("b")])
        try book.addRelated(try #require(try second.existingObject(with: tag.objectID)), toKey: "tags")
        try second.save()
        first.mergePolicy = .overwrite
        if isRequired {
            let error = #expect(throws: ValidationError.self) { try first.save() }
            #expect(error?.description == "\(book.objectID).tags must refer to at least one object")
        } else {
            let error = storeError { try first.save() }
            #expect(error?.message == "\(tag.objectID) cannot be deleted: \(book.objectID) refers to it")
        }
        #expect(try book.relatedCount("tags") == 1)
    }

    @Test("a deletion that is undone and redone is denied by pairs as before")
    func deniedAgain() throws {
        let container = try LinkConflictTests.containerOfDenyingPairs()
        let context = container.newContext()
        context.undoHistory = UndoHistory()
        let tag = try context.insert("tag", ["word": .string("t")])
        try tag.setRelatedObjects([context.insert("book")], forKey: "books")
        try context.save()
        try context.delete(tag)
        try context.undoHistory?.undo()
        try context.undoHistory?.redo()
        #expect(storeError { try context.save() }?.code == .denied)
    }
}
