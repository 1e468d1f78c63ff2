import JavaScriptEngine

/// The number of calls in one turn: a longer turn would keep more handles alive than programs do.
let callsPerTurn = 1000

extension JSContext {
    /// Runs operations in turns of ``callsPerTurn``, and adds up their results.
    func sumInTurns(_ operations: Int, _ body: (Int) throws -> Double) throws -> Double {
        var sum = 0.0
        for turn in 0..<operations / callsPerTurn {
            try withTurn {
                for index in turn * callsPerTurn..<(turn + 1) * callsPerTurn { sum += try body(index) }
            }
        }
        return sum
    }
}
