internal import Dispatch
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
    func run() async -> Int32 {
        do {
            if options.isScript { return try await browseScript(options.file) }
            let source = try BrowsedFile(options, system).source()
            guard reasonWithoutTerminal == nil else { return try printRows(of: source) }
            try browse(source)
            return ExitStatus.success
        } catch {
            return ExitStatus.after(error, output)
        }
    }

    private func browse(_ source: any TableSource) throws {
        let waking = try TerminalWaking()
        let content = TableContent(source, waking: waking)
        content.marksChanges = !options.isStill && ColorCapability(environment: system.environment) != .none
        try browse(TerminalBrowser(view: content.view, content: content), waking)
    }

    /// Shows a browser until the user quits.
    func browse(
        _ browser: TerminalBrowser,
        _ waking: TerminalWaking,
        configure: (inout TerminalOptions) -> Void = { _ in }
    ) throws {
        let colors = ColorCapability(environment: system.environment)
        var settings = TerminalOptions(colors: colors, guardianArguments: [TerminalGuardianCommand.verb])
        settings.recordingPath = options.recording
        settings.clock = system.clock
        // A signal that ends the process leaves the screen first.
        let hooks = system.exitHooks
        var token: ExitHooks.Token?
        settings.willEnter = { leave in token = hooks.add(leave) }
        defer { if let token { hooks.run(token) } }
        configure(&settings)
        let file = try options.state.map { try StateFile($0) }
        if let state = file?.state { try settings.perform { _ = browser.restore(state) } }
        let end = BrowserEnd(waking)
        let endToken = hooks.add { end.request() }
        defer {
            end.reached()
            hooks.run(endToken)
        }
        do {
            try TerminalSession.run(browser, waking: waking, options: settings)
        } catch let error as RecordingError {
            throw CommandFailure(status: ExitStatus.cannotWrite, reason: error)
        }
        guard let file else { return }
        if browser.hasRefusedState { output.printError("jsbridge: \(file.refusal)") }
        try settings.perform { if let state = try browser.savedState() { try file.save(state) } }
    }

    // MARK: - Without a terminal

    /// The reason why no terminal can be used; `nil` if there is none.
    var reasonWithoutTerminal: String? {
        if output.terminalColumns == nil { return "standard output is not a terminal" }
        return system.environment["TERM"] == "dumb" ? "TERM is 'dumb'" : nil
    }

    /// Prints all rows with tabs between the fields, the first ones before all were found.
    private func printRows(of source: any TableSource) throws -> Int32 {
        let reason = reasonWithoutTerminal ?? ""
        output.printError("jsbridge: \(reason): the rows are printed; see 'jsbridge help browse'")
        let text = TerminalText()
        var lines = [Self.line(source.columns.map(\.name), text)]
        func flush() throws {
            try output.print(lines.joined(separator: "\n"))
            lines = []
        }
        var count = 0
        func printRows(to end: Int) throws {
            try source.scan(count..<max(count, end)) { _, fields in
                lines.append(Self.line((0..<fields.count).map(fields.string), text))
                if lines.count >= 512 { try flush() }
                return true
            }
            count = max(count, end)
            if !lines.isEmpty { try flush() }
        }
        try printRows(to: source.firstRowCount)
        var failure: (any Error)?
        var outputFailure: (any Error)?
        var notice: String?
        do {
            try source.load { load in
                notice = load.notice
                do { try printRows(to: load.rowCount) } catch { outputFailure = error }
                // A reader that closed the output wants no further rows.
                return outputFailure == nil
            }
        } catch {
            failure = error
        }
        if let outputFailure { throw outputFailure }
        if let notice { output.printError("jsbridge: \(source.name): \(notice)") }
        if let failure { throw CommandFailure(status: ExitStatus.noInput, reason: failure) }
        return ExitStatus.success
    }

    private static func line(_ fields: [String], _ text: TerminalText) -> String {
        fields.map(text.printable).joined(separator: "\t")
    }
}

/// The end of a browser that a signal requests, before the process ends.
private struct BrowserEnd: Sendable {
    private let waking: TerminalWaking
    private let isReached = DispatchSemaphore(value: 0)

    init(_ waking: TerminalWaking) { self.waking = waking }

    /// Ends the loop of the browser, and waits until its state is saved, but not forever for a script that computes.
    func request() {
        waking.requestEnd()
        _ = isReached.wait(timeout: .now() + 1)
    }

    /// Ends the wait of a request.
    func reached() { isReached.signal() }
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
