import Foundation
import Stores
import StoresSQLite
import Synchronization

/// A loop that repeats an operation, each time with another failing call, until no call fails.
struct FaultLoop {
    let folder: TemporaryFolder
    let operation: StoreOperation
    private let start: String
    /// The content of the store at the start, after each commit, and at the end.
    private let states: [[String]]
    private(set) var points = 0
    private(set) var failures: [String] = []

    init(_ operation: StoreOperation, start: String, in folder: TemporaryFolder) throws {
        self.folder = folder
        self.operation = operation
        self.start = start
        let scene = try StoreScene(path: folder.copy(start, as: "whole.db"), keepsOrder: operation.keepsOrder)
        let database = PlainDatabase(path: scene.path)
        let states = Mutex([try database.content()])
        let observation = scene.store.observe { _ in
            if let content = try? database.content() { states.withLock { $0.append(content) } }
        }
        try operation.body(scene)
        observation.cancel()
        try scene.store.close()
        self.states = try states.withLock { $0 } + [database.content()]
    }

    /// Runs the operation with every `stride`th call failing, starting at one of the first calls.
    ///
    /// The calls that fail permanently are others than those that fail once: with a stride of 2 each call fails in one
    /// of the ways.
    mutating func run(_ fault: Fault, isForGood: Bool, stride: Int) throws {
        var call = 1 + (operation.name.utf8.count + (isForGood ? stride / 2 : 0)) % stride
        while true {
            let point = FaultPoint(fault: fault, call: call, isForGood: isForGood)
            guard try run(point) else { return }
            call += stride
        }
    }

    /// Runs the operation with one failing call.
    ///
    /// - Returns: Whether the call was reached.
    private mutating func run(_ point: FaultPoint) throws -> Bool {
        let scene = try StoreScene(path: folder.copy(start, as: "fault.db"), keepsOrder: operation.keepsOrder)
        try? FileManager.default.removeItem(atPath: scene.path + ".new")
        let (error, isReached) = point.run { try operation.body(scene) }
        guard isReached else {
            if let error { fail(point, "failed without a fault: \(error)") }
            return false
        }
        points += 1
        if let error, !(error is StoreError) { fail(point, "threw an error other than StoreError: \(error)") }
        do {
            try check(scene, point, hasThrown: error != nil)
        } catch {
            fail(point, "the store does not work afterwards: \(error)")
        }
        return true
    }

    private mutating func check(_ scene: StoreScene, _ point: FaultPoint, hasThrown: Bool) throws {
        let database = PlainDatabase(path: scene.path)
        let content = try database.content()
        if content != states.last && !(hasThrown && states.contains(content)) {
            fail(point, "the store has neither its former nor its new content")
        }
        // After the failure the same store must read and write, unless the operation closes it.
        if !operation.closes {
            try scene.store.write { try $0.insert(into: "person", StoreOperation.values(9_999)) }
            if try !scene.heal() { fail(point, "the fetched results are not those of a fresh fetch") }
        }
        try scene.reopen()
        if try !scene.heal() { fail(point, "the reopened store shows something else") }
        if case let found = try database.integrity(), found != "ok" { fail(point, "SQLite finds \(found)") }
        try scene.store.close()
    }

    private mutating func fail(_ point: FaultPoint, _ what: String) {
        failures.append("\(operation.name), \(point): \(what)")
    }
}
