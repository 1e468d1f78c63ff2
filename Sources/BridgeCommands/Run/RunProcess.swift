internal import Foundation
internal import JavaScriptBridge

extension ScriptProcess {
    /// Creates the process of a run.
    init(_ options: RunOptions, _ system: CommandSystem, _ output: CommandOutput, _ ending: RunEnding) {
        self.init(arguments: options.arguments)
        environment = system.environment
        // A script from standard input has read all of it.
        if options.script != .standardInput { read = { Data(try system.readNextInput()) } }
        write = { stream, bytes in
            guard !ending.isOver else { return }
            do throws(OutputError) {
                try output.write([UInt8](bytes), toErrorOutput: stream == .errorOutput)
            } catch {
                // As console.log does: a program in a pipe ends when its reader has gone.
                if stream == .output { ending.end { ExitStatus.after(error, output) } }
                throw BridgeError("process.outputFailed", "the output cannot be written")
            }
        }
        exit = { status in ending.end { status } }
        setExitCode = { ending.setStatusOfSuccess($0) }
    }
}
