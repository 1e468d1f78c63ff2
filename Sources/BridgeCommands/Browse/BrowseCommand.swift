internal import Foundation
internal import Stores
internal import StoresSQLite
internal import TerminalViews

/// The command `jsbridge browse`, which shows a table in the terminal.
@MainActor
struct BrowseCommand {
    let options: BrowseOptions
    let system: CommandSystem
    let output: CommandOutput

    /// Browses the table, or prints it if standard output is not a terminal.
    ///
    /// - Returns: The exit status.
    func run() -> Int32 {
        do {
            let source = try CommandFailure.with(ExitStatus.noInput) { try BrowsedFile(options).source() }
            guard output.terminalColumns != nil, system.environment["TERM"] != "dumb" else {
                return try printRows(of: source)
            }
            try browse(source)
            return ExitStatus.success
        } catch {
            return ExitStatus.after(error, output)
        }
    }

    private func browse(_ source: any TableSource) throws {
        let waking = try TerminalWaking()
        let content = TableContent(source, waking: waking)
        let colors = ColorCapability(environment: system.environment)
        content.marksChanges = !options.isStill && colors != .none
        var settings = TerminalOptions(colors: colors, guardianArguments: [TerminalGuardianCommand.verb])
        settings.recordingPath = options.recording
        settings.clock = system.clock
        // A signal that ends the process leaves the screen first.
        let hooks = system.exitHooks
        var token: ExitHooks.Token?
        settings.willEnter = { leave in token = hooks.add(leave) }
        defer { if let token { hooks.run(token) } }
        let browser = TerminalBrowser(view: content.view, content: content)
        try TerminalSession.run(browser, waking: waking, options: settings)
    }

    // MARK: - Without a terminal

    /// Prints all rows with tabs between the fields.
    private func printRows(of source: any TableSource) throws -> Int32 {
        output.printError(
            "jsbridge: standard output is not a terminal: the rows are printed; see 'jsbridge help browse'"
        )
        let text = TerminalText()
        var lines = [Self.line(source.columns.map(\.name), text)]
        func flush() throws {
            try output.print(lines.joined(separator: "\n"))
            lines = []
        }
        var failure: (any Error)?
        var count = source.firstRowCount
        do {
            try source.load {
                count = $0.rowCount
                return true
            }
        } catch {
            failure = error
        }
        try source.scan(0..<count) { _, fields in
            lines.append(Self.line((0..<fields.count).map(fields.string), text))
            if lines.count >= 512 { try flush() }
            return true
        }
        if !lines.isEmpty { try flush() }
        if let failure { throw CommandFailure(status: ExitStatus.noInput, reason: failure) }
        return ExitStatus.success
    }

    private static func line(_ fields: [String], _ text: TerminalText) -> String {
        fields.map(text.printable).joined(separator: "\t")
    }
}

/// The hidden command that restores the terminal when `jsbridge browse` has ended without doing so.
public enum TerminalGuardianCommand {
    /// The argument that selects it.
    static let verb = "terminal-guardian"

    /// Runs it, and does not return, if the arguments select it.
    ///
    /// Call it before the process handles signals.
    public static func runIfSelected(_ arguments: [[UInt8]]) {
        if arguments == [Array(verb.utf8)] { TerminalGuardian.run() }
    }
}
