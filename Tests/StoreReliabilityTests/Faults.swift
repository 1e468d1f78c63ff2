import CSQLite
import CStoreFaults
import Stores

/// What SQLite asks for and may not get.
enum Fault: Int32, CaseIterable, CustomStringConvertible {
    case memory = 1
    case files = 2

    var description: String { self == .memory ? "memory" : "files" }

    /// Puts the faults under SQLite; once in a process, before its first use.
    static func install() throws {
        guard store_faults_install() == SQLITE_OK else {
            throw StoreError(.failed, "SQLite was in use already: the faults cannot be installed")
        }
    }
}

/// One call that fails.
struct FaultPoint: CustomStringConvertible {
    let fault: Fault
    /// Which call, counted from 1.
    let call: Int
    /// Whether all calls after it fail too.
    let isForGood: Bool

    var description: String { "\(fault) call \(call) \(isForGood ? "and all after it" : "once")" }

    /// Runs a body with this fault.
    ///
    /// - Returns: The error that the body threw, and whether the call was reached.
    func run(_ body: () throws -> Void) -> (error: (any Error)?, isReached: Bool) {
        store_faults_arm(fault.rawValue, call, isForGood ? 1 : 0)
        defer { store_faults_disarm() }
        do {
            try body()
            return (nil, store_faults_failed() > 0)
        } catch {
            return (error, store_faults_failed() > 0)
        }
    }
}
