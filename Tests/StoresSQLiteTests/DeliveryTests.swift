import Foundation
import StoreTestSupport
import Stores
import StoresSQLite
import Synchronization
import Testing

@Suite("Delivery of changes")
struct DeliveryTests {
    let directory: TemporaryDirectory

    init() throws { directory = try TemporaryDirectory() }

    @Test("versions arrive in the order of commits from four writing threads", arguments: StoreKind.allCases)
    func order(_ kind: StoreKind) throws {
        let store = try kind.open(in: directory)
        let log = DeliveryLog()
        let threads = Mutex<[Int: ObjectIdentifier]>([:])
        let observation = store.observe { changes in
            log.add(changes)
            threads.withLock { $0[changes.version] = ObjectIdentifier(Thread.current) }
        }
        defer { observation.cancel() }
        let mistakes = Mutex<[String]>([])
        let commits = 100
        inParallel(4) { thread in
            for step in 0..<commits {
                do {
                    let name = "\(thread)-\(step)"
                    try store.write { _ = try $0.insert(into: "person", ["name": .string(name)]) }
                    // It was delivered on this thread before the write returned.
                    let mine = log.all.first { $0.changes["person"]?[0].new?[0] == .string(name) }
                    let here = ObjectIdentifier(Thread.current)
                    if mine == nil || threads.withLock({ $0[mine?.version ?? 0] }) != here {
                        mistakes.withLock { $0.append("\(name) came late or elsewhere") }
                    }
                    let (version, count) = try store.read { ($0.version, try $0.names().count) }
                    if version != count {
                        mistakes.withLock { $0.append("version \(version), \(count) rows") }
                    }
                } catch { mistakes.withLock { $0.append("\(error)") } }
            }
        }
        #expect(log.versions == Array(1...(4 * commits)))
        #expect(mistakes.withLock { $0 } == [])
        // Identities are also assigned in the order of commits.
        #expect(log.all.map { $0.changes["person"]?[0].id ?? 0 } == (1...RowID(4 * commits)).map { $0 })
    }

    @Test(
        "a write inside an observer commits immediately and is delivered next, never recursively",
        arguments: StoreKind.allCases
    )
    func reentrant(_ kind: StoreKind) throws {
        let store = try kind.open(in: directory)
        let events = Mutex<[String]>([])
        let depth = Mutex(0)
        let first = store.observe { changes in
            depth.withLock { $0 += 1 }
            #expect(depth.withLock { $0 } == 1)
            events.withLock { $0.append("first \(changes.version)") }
            if changes.version < 3 {
                do {
                    try store.write { transaction in
                        #expect(transaction.version == changes.version)
                        try transaction.insert(into: "person", ["name": .string("\(changes.version)")])
                    }
                    #expect(try store.read { $0.version } == changes.version + 1)
                } catch { Issue.record(error) }
            }
            events.withLock { $0.append("end \(changes.version)") }
            depth.withLock { $0 -= 1 }
        }
        let second = store.observe { changes in events.withLock { $0.append("second \(changes.version)") } }
        try store.write { try $0.insert(into: "person", ["name": .string("start")]) }
        #expect(
            events.withLock { $0 } == [
                "first 1", "end 1", "second 1", "first 2", "end 2", "second 2", "first 3", "end 3",
                "second 3",
            ]
        )
        first.cancel()
        second.cancel()
    }

    @Test("observers that write on four threads neither block each other nor lose the order")
    func reentrantThreads() throws {
        let store = try StoreKind.file.open(in: directory)
        let log = DeliveryLog()
        let observation = store.observe { changes in
            log.add(changes)
            guard case .string(let name)? = changes.changes["person"]?[0].new?[0], !name.hasSuffix("+") else {
                return
            }
            do {
                try store.write { _ = try $0.insert(into: "person", ["name": .string(name + "+")]) }
            } catch { Issue.record(error) }
        }
        defer { observation.cancel() }
        inParallel(4) { thread in
            for step in 0..<50 {
                do {
                    try store.write {
                        _ = try $0.insert(into: "person", ["name": .string("\(thread)-\(step)")])
                    }
                } catch { Issue.record(error) }
            }
        }
        #expect(log.versions == Array(1...400))
    }

    @Test("an observer is notified of commits between its start and its end")
    func lifetime() throws {
        let store = try StoreKind.memory.open(in: directory)
        let log = DeliveryLog()
        func add(_ name: String) throws {
            try store.write { _ = try $0.insert(into: "person", ["name": .string(name)]) }
        }
        try add("A")
        var observation: StoreObservation? = store.observe(log.add)
        try add("B")
        #expect(log.versions == [2])
        observation = nil
        _ = observation
        try add("C")
        #expect(log.versions == [2])
        // An observer that cancels another one during a delivery.
        let later = Mutex<StoreObservation?>(nil)
        let ending = store.observe { _ in later.withLock { $0 }?.cancel() }
        later.withLock { $0 = store.observe(log.add) }
        try add("D")
        #expect(log.versions == [2])
        ending.cancel()
        ending.cancel()
    }

    @Test("readers on four threads always see whole commits with their versions")
    func readers() throws {
        let store = try StoreKind.file.open(in: directory)
        let mistakes = Mutex<[String]>([])
        let isDone = Atomic(false)
        inParallel(5) { thread in
            do {
                if thread == 0 {
                    // Every commit adds two rows and deletes one.
                    for step in 0..<150 {
                        try store.write { transaction in
                            for part in ["a", "b", "c"] {
                                try transaction.insert(into: "person", ["name": .string("\(step)\(part)")])
                            }
                            try transaction.delete(from: "person", id: RowID(3 * step + 2))
                        }
                    }
                    isDone.store(true, ordering: .releasing)
                } else {
                    while !isDone.load(ordering: .acquiring) {
                        try store.read { transaction in
                            let first = try transaction.count(FetchRequest(entityName: "person"))
                            let again = try transaction.names().count
                            if first != again || first != transaction.version * 2 {
                                mistakes.withLock {
                                    $0.append("\(first), \(again) at \(transaction.version)")
                                }
                            }
                        }
                    }
                }
            } catch { mistakes.withLock { $0.append("\(error)") } }
        }
        #expect(mistakes.withLock { $0 } == [])
    }

    private func inParallel(_ count: Int, _ body: @escaping @Sendable (Int) -> Void) {
        let group = DispatchGroup()
        for index in 0..<count {
            group.enter()
            Thread.detachNewThread {
                body(index)
                group.leave()
            }
        }
        group.wait()
    }
}
