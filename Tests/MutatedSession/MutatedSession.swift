package import SessionSimulation

/// Runs a body with an explorer of a session machine that has one fault.
package func withFault<Result>(
    _ fault: Mutant?,
    _ body: (ScheduleExplorer) throws -> Result
) rethrows -> Result {
    try Mutant.$active.withValue(fault) { try body(ScheduleExplorer { MachineUnderTest($0) }) }
}
