import DataSources
import Foundation
import Stores
import StoresSQLite
import TestSupport
import Testing

/// Random operations with random faults, compared after each step with a model and with plain SQL: 20 seeds of 60
/// steps, or 500 seeds if `JSBRIDGE_STRESS` is set.
@Suite struct HealingTests {
    @Test(
        "R35 with faults in every third step only committed rows are shown, and each failure is recovered"
    )
    func heals() async {
        let result = await #expect(processExitsWith: .success, observing: [\.standardOutputContent]) {
            do { try Self.run() } catch { Issue.record(error) }
        }
        let lines = String(decoding: result?.standardOutputContent ?? [], as: UTF8.self).split(
            separator: "\n"
        )
        for line in lines where line.hasPrefix("store healing") { print(line) }
    }

    private static func run() throws {
        try Fault.install()
        let environment = ProcessInfo.processInfo.environment
        var seeds = SeededGenerator.fromEnvironment()
        let count = environment["JSBRIDGE_SEED"] != nil ? 1 : environment["JSBRIDGE_STRESS"] == nil ? 20 : 500
        var total = RandomWork.Figures()
        let folder = try TemporaryFolder()
        for index in 0..<count {
            let seed = environment["JSBRIDGE_SEED"] != nil ? seeds.seed : seeds.next()
            var work = try RandomWork(path: folder.file("\(index).db"), seed: seed)
            for _ in 0..<60 { try work.step() }
            #expect(work.failures.isEmpty, "\(work.failures.prefix(3).joined(separator: "\n"))")
            total += work.figures
        }
        print("store healing: \(total)")
        #expect(total.thrown > count && total.delivered > count)
    }
}

/// A store, its controller and a model of both.
private struct RandomWork {
    struct Figures: CustomStringConvertible {
        var (steps, thrown, delivered, fetchedAgain) = (0, 0, 0, 0)

        var description: String {
            "\(steps) steps, \(thrown) of them failed, \(delivered) deliveries, \(fetchedAgain) fetched again"
        }

        static func += (total: inout Figures, other: Figures) {
            total.steps += other.steps
            total.thrown += other.thrown
            total.delivered += other.delivered
            total.fetchedAgain += other.fetchedAgain
        }
    }

    private(set) var failures: [String] = []
    private(set) var figures = Figures()
    private let store: SQLiteStore
    private let database: PlainDatabase
    private let controller: FetchedResultsController
    private let received = Received()
    private var random: SeededGenerator
    /// The rows as strings, by identity.
    private var model: [Int64: [String]] = [:]

    /// The controller's notifications.
    private final class Received {
        var rows: [(id: RowID, new: [String]?)] = []
    }

    init(path: String, seed: UInt64) throws {
        random = SeededGenerator(seed: seed)
        store = try StoreScene.open(path)
        try store.createEntity(StoreOperation.person)
        database = PlainDatabase(path: path)
        controller = try FetchedResultsController(fetchRequest: StoreScene.request, store: store)
        let received = received
        controller.onChange = { changes in
            for id in changes.insertedIDs + changes.movedIDs + changes.updatedIDs {
                received.rows.append((id, changes.values(of: id)?.new?.map(\.description)))
            }
        }
        try controller.performFetch()
    }

    mutating func step() throws {
        figures.steps += 1
        let work = makeWork()
        let point = FaultPoint(
            fault: Bool.random(using: &random) ? .memory : .files,
            call: Int.random(in: 1...(Bool.random(using: &random) ? 12 : 120), using: &random),
            isForGood: Bool.random(using: &random)
        )
        let hasFault = Int.random(in: 0..<3, using: &random) == 0
        var changed = model
        let (store, controller) = (store, controller)
        let body = {
            try store.write { transaction in
                for edit in work { try edit(transaction, &changed) }
            }
            controller.processPendingChanges()
        }
        let error = hasFault ? point.run(body).error : Self.error(of: body)
        if error != nil { figures.thrown += 1 }
        try check(changed, error, hasFault ? "\(point)" : "no fault")
    }

    private static func error(of body: () throws -> Void) -> (any Error)? {
        do {
            try body()
            return nil
        } catch {
            return error
        }
    }

    private typealias Edit = (any WriteTransaction, inout [Int64: [String]]) throws -> Void

    private mutating func makeWork() -> [Edit] {
        (0..<Int.random(in: 1...6, using: &random)).map { _ in
            let (number, age) = (
                Int.random(in: 0..<60, using: &random), Int64.random(in: 0..<60, using: &random)
            )
            let city = "city \(Int.random(in: 0..<4, using: &random))"
            let name = "person \(number)"
            let values: [String: AttributeValue] = [
                "name": .string(name), "age": .integer(age), "city": .string(city),
            ]
            if Int.random(in: 0..<3, using: &random) == 0 {
                return { transaction, model in
                    guard let id = model.first(where: { $0.value[0] == name })?.key else { return }
                    try transaction.delete(from: "person", id: id)
                    model[id] = nil
                }
            }
            let isUndone = Int.random(in: 0..<8, using: &random) == 0
            return { transaction, model in
                if isUndone {
                    try? transaction.savepoint {
                        try transaction.upsert(into: "person", by: "name", values)
                        throw StoreError(.failed, "undone on purpose")
                    }
                } else {
                    model[try transaction.upsert(into: "person", by: "name", values)] = [
                        name, "\(age)", city,
                    ]
                }
            }
        }
    }

    private mutating func check(_ changed: [Int64: [String]], _ error: (any Error)?, _ fault: String) throws {
        if let error, !(error is StoreError) { fail("threw an error other than StoreError: \(error)", fault) }
        let found = try database.rows("SELECT \"$id\", name, age, city FROM person")
        let rows = Dictionary(uniqueKeysWithValues: found.map { (Int64($0[0]) ?? -1, Array($0.dropFirst())) })
        if rows == changed {
            model = changed
        } else if error == nil || rows != model {
            fail("the store has neither its former nor its new content", fault)
            model = rows
        }
        if controller.sections == nil {
            figures.fetchedAgain += 1
            try controller.performFetch()
        } else {
            controller.processPendingChanges()
        }
        for (id, new) in received.rows where new != nil && new != model[id] {
            fail("row \(id) was reported as \(new ?? []) and is \(model[id] ?? [])", fault)
        }
        if !received.rows.isEmpty { figures.delivered += 1 }
        received.rows = []
        let shown = try (0..<controller.numberOfSections).flatMap { section in
            try controller.window(section: section, 0..<controller.numberOfObjects(in: section)).map { row in
                row.map { "\($0.id) \($0.values.map(\.description))" } ?? "gone"
            }
        }
        let wanted = try database.rows(
            "SELECT \"$id\", name, age, city FROM person WHERE age > 20 ORDER BY city, name, \"$id\""
        ).map { "\($0[0]) \(Array($0.dropFirst()))" }
        if shown != wanted {
            fail(
                "\(shown.count) rows are shown, which differ from the \(wanted.count) rows of plain SQL",
                fault
            )
        }
    }

    private mutating func fail(_ what: String, _ fault: String) {
        failures.append("step \(figures.steps), \(fault): \(what); replay with JSBRIDGE_SEED=\(random.seed)")
    }
}
