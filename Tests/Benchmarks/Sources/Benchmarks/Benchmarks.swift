import BenchmarkHarness
import Foundation
import JavaScriptEngine

/// The command: all cases in the order in which they run.
@main
enum Benchmarks {
    @MainActor
    static func main() async {
        // The first use sets the engine's options for the process: the plain work runs under the same.
        let capabilities = Capabilities.current
        let run = BenchmarkRun(
            numberCases + structCases + rowCases + textCases + dataCases + throwCases + contextCases
                + limitCases + awaitCases + bridgeCases + jsonCases + diffCases
                + logCases + fetchCases,
            heading: "JavaScriptCore \(capabilities.engineVersion), crossing by the \(capabilities.lane); "
                + "x is the time of the plain work divided by ours: more than 1 is faster",
            output: ProcessInfo.processInfo.environment["BENCH_OUTPUT"]
        )
        exit(await run.run(CommandLine.arguments.dropFirst()).rawValue)
    }
}
