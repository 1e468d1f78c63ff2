import BenchmarkHarness
import Foundation
import JavaScriptEngine

/// The command: all cases in the order in which they run.
@main
enum Benchmarks {
    @MainActor
    static func main() async {
        if CommandLine.arguments.dropFirst().first == "--soak" {
            do {
                exit(try await MemorySoak.run() ? 0 : 1)
            } catch {
                print(MemorySoak.name, "failed: \(error)")
                exit(2)
            }
        }
        if CommandLine.arguments.dropFirst().first == ProcessWriter.option {
            exit(ProcessWriter.run(CommandLine.arguments.dropFirst(2)))
        }
        // The first use sets the engine's options for the process, so that they also apply to the plain work.
        let capabilities = Capabilities.current
        let run = BenchmarkRun(
            numberCases + structCases + rowCases + codecCases + textCases + dataCases + throwCases
                + contextCases + startCases + urlCases + moduleCases + inspectorCases + limitCases
                + awaitCases
                + bridgeCases
                + messageCases + waitingCases
                + observedCases + formCases + eventCases + costCases + wireCases + scaleCases
                + jsonCases
                + diffCases
                + logCases + fetchCases + processCases + restorationCases + viewCases + managedCases
                + scriptDataCases + serveCases + pageCases
                + slowPageCases + pageFrameCases + terminalCases,
            heading: "JavaScriptCore \(capabilities.engineVersion), \(capabilities.callPath) path; "
                + "x is the time of the plain work divided by ours: more than 1 is faster",
            output: ProcessInfo.processInfo.environment["BENCH_OUTPUT"]
        )
        exit(await run.run(CommandLine.arguments.dropFirst()).rawValue)
    }
}
