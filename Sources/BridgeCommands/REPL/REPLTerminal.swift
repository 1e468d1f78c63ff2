internal import BridgeValues
internal import Foundation
internal import JavaScriptBridge
internal import Synchronization
internal import TerminalViews

/// The inputs of a session that come from a terminal.
@MainActor
struct REPLTerminal {
    let host: REPLHost
    let prompt: LinePrompt
    let file: REPLHistoryFile?
    let clock: any MonotonicClock

    /// Evaluates inputs until the user ends the session.
    ///
    /// - Returns: The exit status.
    func run() async throws -> Int32 {
        try await host.session.begin()
        prompt.begin()
        defer { prompt.close() }
        prompt.write("jsbridge \(ProductVersion.current): .help lists the commands\n")
        prompt.show()
        var canKeepHistory = true
        for await action in prompt.actions {
            switch action {
            case .end: return await host.end()
            case .complete(let text):
                let completion = await host.session.completion(of: text)
                prompt.complete(with: completion.names, replacing: completion.replacedCount)
            case .submit(let text):
                host.session.beginInput()
                guard await isComplete(text) else {
                    prompt.continueInput()
                    continue
                }
                if let input = prompt.accept(), canKeepHistory {
                    do {
                        try file?.append(input)
                    } catch {
                        canKeepHistory = false
                        host.output.printError("jsbridge: the history is not kept: \(ErrorText.plain(error))")
                    }
                }
                guard await evaluate(text) else { return await host.end() }
                prompt.show()
            }
        }
        return await host.end()
    }

    private func isComplete(_ text: String) async -> Bool {
        if REPLDotCommand(text) != nil { return true }
        return await host.session.isComplete(text)
    }

    /// Evaluates an input; returns `false` at the end of the session.
    private func evaluate(_ text: String) async -> Bool {
        guard !text.allSatisfy(\.isWhitespace) else { return true }
        let reply = await host.session.reply(to: text, isWhole: true, clock: clock)
        return host.print(reply, showsUndefined: true)
    }
}

/// The reaction to Ctrl-C, which is known before the session exists.
final class Interruption: Sendable {
    private let current = Mutex<REPLSession?>(nil)

    var session: REPLSession? {
        get { current.withLock { $0 } }
        set { current.withLock { $0 = newValue } }
    }

    func interrupt() { session?.interrupt() }
}

/// The inputs of a session that come from standard input, without an editor.
@MainActor
struct REPLInputLines {
    let host: REPLHost
    let system: CommandSystem
    /// A Boolean value that indicates whether a person types, in a terminal that cannot return to the begin of a line.
    let hasPrompt: Bool

    /// Evaluates inputs until standard input ends, and waits for the work that is left.
    ///
    /// - Returns: The exit status.
    func run() async throws -> Int32 {
        try await host.session.begin()
        var input = ""
        ask(after: input)
        for await line in InputLines.of(system.readNextInput) {
            input += input.isEmpty ? line : "\n" + line
            if !input.allSatisfy(\.isWhitespace) {
                let reply = await host.session.reply(to: input, clock: system.clock)
                if reply != .incomplete { input = "" }
                guard host.print(reply, showsUndefined: hasPrompt) else { return await host.end() }
            }
            ask(after: input)
        }
        if !input.allSatisfy(\.isWhitespace) {
            let reply = await host.session.reply(to: input, isWhole: true, clock: system.clock)
            guard host.print(reply, showsUndefined: hasPrompt) else { return await host.end() }
        }
        await host.bridge.waitUntilIdle()
        return await host.end()
    }

    private func ask(after input: String) {
        if hasPrompt { try? system.output.write(input.isEmpty ? "> " : "... ") }
    }
}
