import CSQLite
import CStoreFaults
import Stores

/// The kinds of SQLite's calls that can fail.
enum Fault: Int32, CaseIterable, CustomStringConvertible {
    case memory = 1
    case files = 2

    var description: String { self == .memory ? "memory" : "files" }

    /// Installs the faults in SQLite; called once per process, before SQLite's first use.
    static func install() throws {
        guard store_faults_install() == SQLITE_OK else {
            throw StoreError(.failed, "SQLite was in use already: the faults cannot be installed")
        }
    }
}

/// One failing call.
struct FaultPoint: CustomStringConvertible {
    let fault: Fault
    /// The number of the call, from 1.
    let call: Int
    /// A Boolean value that indicates whether all later calls fail too.
    let isForGood: Bool

    var description: String { "\(fault) call \(call) \(isForGood ? "and all after it" : "once")" }

    /// Runs a body with this fault.
    ///
    /// - Returns: The error of the body, and whether the call was reached.
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
