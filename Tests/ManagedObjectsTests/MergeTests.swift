import Foundation
import ManagedObjects
import StoreTestSupport
import Stores
import StoresSQLite
import Synchronization
import Testing

@Suite("Several contexts on one store")
struct MergeTests {
    let container: PersistentContainer
    let (first, second): (ManagedObjectContext, ManagedObjectContext)
    let ours: ManagedObject
    let theirs: ManagedObject

    init() throws {
        container = try Library.container()
        (first, second) = (container.newContext(), container.newContext())
        ours = try first.insert("author", ["name": .string("a"), "born": .integer(1)])
        try first.save()
        theirs = try #require(try second.existingObject(with: ours.objectID))
    }

    @Test("saved changes become visible in the other context by merging, and its own changes stay")
    func merging() throws {
        theirs["born"] = .integer(2)
        try second.save()
        #expect(ours["born"] == .integer(1))
        #expect(try first.mergeChanges() == [ours.objectID])
        #expect(ours["born"] == .integer(2) && !first.hasChanges)
        ours["name"] = .string("mine")
        theirs["born"] = .integer(3)
        try second.save()
        #expect(try first.all("author") == [ours])
        #expect(ours["born"] == .integer(3) && ours["name"] == .string("mine"))
        try first.save()
        #expect(try second.texts("author", "name") == ["mine"])
        first.automaticallyMergesChanges = false
        theirs["born"] = .integer(4)
        try second.save()
        #expect(try first.all("author").first?["born"] == .integer(3))
        try second.delete(theirs)
        try second.save()
        try first.mergeChanges()
        #expect(ours.managedObjectContext == nil && ours["name"] == .string("mine"))
    }

    @Test(
        "changes of different attributes of one object are not a conflict, even without a merge between them"
    )
    func disjoint() throws {
        ours["name"] = .string("mine")
        theirs["born"] = .integer(2)
        try second.save()
        let saved = try first.save()
        #expect(saved.settledConflicts.isEmpty && ours["born"] == .integer(2))
        let row = try #require(try container.newContext().all("author").first)
        #expect(row["name"] == .string("mine") && row["born"] == .integer(2))
    }

    @Test(
        "an attribute changed by both is an error that names object, attribute and values",
        arguments: [false, true]
    )
    func conflict(merged: Bool) throws {
        ours["born"] = .integer(10)
        theirs["born"] = .integer(20)
        try second.save()
        if merged { try first.mergeChanges() }
        let error = #expect(throws: MergeConflictError.self) { try first.save() }
        #expect(
            error?.description
                == "\(ours.objectID).born was integer 1, is integer 10 here and integer 20 in the store"
        )
        #expect(error?.conflicts.first?.attribute == "born" && first.updatedObjects == [ours])
        ours["born"] = .integer(20)
        try first.save()
    }

    @Test("merge policies resolve conflicts", arguments: MergePolicy.allCases)
    func policies(_ policy: MergePolicy) throws {
        ours["born"] = .integer(10)
        ours["name"] = .string("mine")
        theirs["born"] = .integer(20)
        try second.save()
        first.mergePolicy = policy
        if policy == .error { return }
        let saved = try first.save()
        #expect(saved.settledConflicts.map(\.attribute) == ["born"])
        let row = try #require(try container.newContext().all("author").first)
        let isOurs = policy == .mergeByPropertyObjectTrump || policy == .overwrite
        #expect(row["born"] == .integer(isOurs ? 10 : 20))
        #expect(row["name"] == .string(policy == .rollback ? "a" : "mine"))
        #expect(ours["born"] == row["born"] && ours["name"] == row["name"] && !first.hasChanges)
    }

    @Test(
        "a row that one context deletes and the other changes is a conflict",
        arguments: MergePolicy.allCases
    )
    func deletions(_ policy: MergePolicy) throws {
        ours["born"] = .integer(10)
        try second.delete(theirs)
        try second.save()
        first.mergePolicy = policy
        let fresh = container.newContext()
        switch policy {
        case .error:
            let error = #expect(throws: MergeConflictError.self) { try first.save() }
            #expect(error?.conflicts.map(\.kind) == [.deletedInStore])
        case .mergeByPropertyObjectTrump, .overwrite:
            try first.save()
            #expect(try fresh.existingObject(with: ours.objectID)?["born"] == .integer(10))
        case .rollback, .mergeByPropertyStoreTrump:
            try first.save()
            #expect(try fresh.all("author").isEmpty && ours["born"] == nil)
        }
    }

    @Test(
        "a row that was changed since it was read is deleted only if the policy allows it",
        arguments: MergePolicy.allCases
    )
    func deletedHere(_ policy: MergePolicy) throws {
        try first.delete(ours)
        theirs["born"] = .integer(20)
        try second.save()
        first.mergePolicy = policy
        if policy == .error {
            let error = #expect(throws: MergeConflictError.self) { try first.save() }
            #expect(error?.conflicts.map(\.kind) == [.deletedHere] && ours.isDeleted)
            return
        }
        try first.save()
        let isDeleted = policy == .mergeByPropertyObjectTrump || policy == .overwrite
        #expect(try container.newContext().all("author").isEmpty == isDeleted)
        #expect(isDeleted || ours["born"] == .integer(20))
    }

    @Test("background work runs one body at a time, and identities can be returned")
    func background() async throws {
        let worker = container.newBackgroundContext()
        try await withThrowingTaskGroup(of: ManagedObjectID.self) { group in
            for number in 0..<20 {
                group.addTask {
                    try await worker.perform { context in
                        let author = try context.insert("author", ["name": .string("w\(number)")])
                        try context.save()
                        return author.objectID
                    }
                }
            }
            for try await id in group {
                #expect(try first.existingObject(with: id) != nil)
            }
        }
        let count = try worker.performAndWait { _ in
            try worker.performAndWait { try $0.count(for: FetchRequest(entityName: "author")) }
        }
        #expect(count == 21)
        let names = try await container.performBackgroundTask { try $0.texts("author", "name") }
        #expect(names.count == 21)
        #expect(try first.texts("author", "name") == names)
    }

    @Test("if the changes by others are unknown, all objects are compared and observers are notified")
    func missedHistory() throws {
        let store = DivertedStore(try SQLiteStore(location: .memory))
        let container = try PersistentContainer(model: Library.model(), store: store)
        let context = container.newContext()
        let names = ["clean", "changed", "gone", "same"]
        let authors = try names.map { try context.insert("author", ["name": .string($0)]) }
        try context.save()
        let clean = authors[0]
        let ids = authors.compactMap(\.objectID.rowID)
        authors[1]["name"] = .string("mine")
        let received = Mutex<[ObjectChanges]>([])
        let waits = Mutex(0)
        let observation = container.observe { changes in received.withLock { $0.append(changes) } }
        context.changesPending = { waits.withLock { $0 += 1 } }
        // Another process writes without a trace of its changes.
        try store.silently {
            try store.write { transaction in
                for id in [ids[0], ids[1]] {
                    try transaction.update("author", id: id, ["born": .integer(5)])
                }
                try transaction.delete(from: "author", id: ids[2])
            }
        }
        #expect(try context.mergeChanges().isEmpty && clean["born"] == .null)
        store.tell(TransactionChanges(version: 9, changes: [:], missedHistory: .unloggedCommit))
        #expect(waits.withLock { $0 } == 1)
        #expect(received.withLock { $0.map(\.missedHistory) } == [.unloggedCommit])
        #expect(received.withLock { $0.map(\.version) } == [9])
        #expect(try Set(context.mergeChanges()).isSuperset(of: authors[..<3].map(\.objectID)))
        #expect(clean["born"] == .integer(5))
        #expect(authors[1]["born"] == .integer(5) && authors[1]["name"] == .string("mine"))
        #expect(authors[2].managedObjectContext == nil)
        #expect(try context.mergeChanges().isEmpty)
        try context.save()
        #expect(try container.newContext().texts("author", "name") == ["clean", "mine", "same"])
        observation.cancel()
    }

    @Test("changes that could not be read during a merge are merged next time", arguments: 0..<3)
    func failedMerge(reads: Int) throws {
        let store = DivertedStore(try SQLiteStore(location: .memory))
        let container = try PersistentContainer(model: Library.model(), store: store)
        let (context, other) = (container.newContext(), container.newContext())
        let author = try context.insert("author", ["name": .string("old")])
        let book = try context.insert("book", ["title": .string("old")])
        let tag = try context.insert("tag", ["word": .string("old")])
        try context.save()
        author["born"] = .integer(3)
        let theirs = try [author, book, tag].map {
            try #require(try other.existingObject(with: $0.objectID))
        }
        for (object, key) in zip(theirs, ["name", "title", "word"]) { object[key] = .string("new") }
        try other.save()
        store.failRead(after: reads)
        #expect(throws: Stop.self) { try context.mergeChanges() }
        #expect(try context.mergeChanges() == [author, book, tag][reads...].map(\.objectID))
        #expect(try context.mergeChanges().isEmpty)
        let texts = [author["name"], book["title"], tag["word"]]
        #expect(texts.map { $0?.description } == ["new", "new", "new"])
        #expect(author["born"] == .integer(3))
    }

    @Test("a handler for pending changes is called once until they are merged")
    func pending() throws {
        let log = DeliveryLog()
        first.changesPending = { log.add(TransactionChanges(version: 0, changes: [:])) }
        for year in 2...4 {
            theirs["born"] = .integer(Int64(year))
            try second.save()
        }
        #expect(log.all.count == 1)
        try first.mergeChanges()
        // A context is not notified of its own saves.
        ours["born"] = .integer(9)
        try first.save()
        #expect(log.all.count == 1)
        try second.mergeChanges()
        theirs["born"] = .integer(5)
        try second.save()
        #expect(log.all.count == 2)
    }
}
