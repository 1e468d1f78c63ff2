import JavaScriptEngine

/// How many calls the work does in one turn: a turn of more would keep more handles alive than programs do.
let callsPerTurn = 1000

extension JSContext {
    /// Runs operations in turns of ``callsPerTurn``, and adds up what each gives.
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
