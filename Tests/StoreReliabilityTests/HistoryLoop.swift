import Foundation
import Stores
import StoresSQLite

/// A loop that repeats an operation on a store with a history, each time with another failing call, until no call
/// fails.
struct HistoryLoop {
    let folder: TemporaryFolder
    let operation: HistoryOperation
    private let start: String
    private(set) var points = 0
    /// The number of faults after which missed history was reported that is complete without a fault.
    private(set) var missed = 0
    private(set) var failures: [String] = []

    init(_ operation: HistoryOperation, start: String, in folder: TemporaryFolder) {
        self.folder = folder
        self.operation = operation
        self.start = start
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
        let scene = try HistoryScene(
            path: folder.copy(start, as: "fault.db"),
            changeLimit: operation.changeLimit
        )
        for suffix in ["", "-wal", "-shm"] {
            try? FileManager.default.removeItem(atPath: scene.path + ".new" + suffix)
        }
        try operation.prepare(scene)
        let (error, isReached) = point.run { try operation.body(scene) }
        if isReached {
            points += 1
            if let error, !(error is StoreError) {
                fail(point, "threw an error other than StoreError: \(error)")
            }
        } else if let error {
            fail(point, "failed without a fault: \(error)")
        }
        do {
            try check(scene, point, isReached: isReached)
        } catch {
            fail(point, "the store does not work afterwards: \(error)")
        }
        return isReached
    }

    private mutating func check(_ scene: HistoryScene, _ point: FaultPoint, isReached: Bool) throws {
        if operation.closes { try scene.reopen() }
        var isMissed = false
        // After the failure all changes must be reported, or the gap must be.
        for round in 0..<2 {
            try scene.store.mergeRemoteChanges()
            let report = try scene.follower.catchUp(scene.store)
            for problem in report.problems { fail(point, "\(problem), round \(round)") }
            if let reason = report.missed, !operation.missesFor.contains(reason) || round > 0 {
                isMissed = true
            }
            // Later commits must be reported exactly, by either store.
            try scene.commit(Int64(900 + round), by: round == 0 ? scene.other : nil)
        }
        if isMissed { missed += 1 }
        if isMissed, !isReached { fail(point, "missed history was reported without a fault") }
        try scene.readHistory()
        let unexpected = scene.missed.filter { !operation.missesFor.contains($0) }
        if !unexpected.isEmpty, !isMissed || !isReached {
            fail(point, "unexpected missed history: \(unexpected)")
        }
        try checkCommits(scene, point)
        try scene.reopen()
        try scene.readHistory()
        try scene.commit(950)
        let report = try scene.follower.catchUp(scene.store)
        for problem in report.problems { fail(point, "\(problem), after reopening") }
        if report.missed != nil { fail(point, "missed history was reported after reopening") }
        try scene.close()
        if case let found = try PlainDatabase(path: scene.path).integrity(), found != "ok" {
            fail(point, "SQLite finds \(found)")
        }
    }

    /// Checks that acknowledged commits are in the store, and refused ones are not.
    private mutating func checkCommits(_ scene: HistoryScene, _ point: FaultPoint) throws {
        var halves: [Int64: Int] = [:]
        for values in try HistoryScene.content(of: scene.path).values {
            guard case .string(let name) = values[0], name.hasPrefix("commit "),
                case .integer(let number) = values[1]
            else { continue }
            halves[number, default: 0] += 1
        }
        for number in scene.acknowledged where halves[number] != 2 {
            fail(
                point,
                "commit \(number) was acknowledged, and \(halves[number] ?? 0) of its 2 rows are there"
            )
        }
        for number in scene.refused where halves[number] != nil {
            fail(point, "commit \(number) was refused, and \(halves[number] ?? 0) of its 2 rows are there")
        }
    }

    private mutating func fail(_ point: FaultPoint, _ what: String) {
        failures.append("\(operation.name), \(point): \(what)")
    }
}
