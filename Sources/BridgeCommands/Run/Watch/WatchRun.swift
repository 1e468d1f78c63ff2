internal import BridgeProtocol
internal import BridgeValues
internal import Foundation
internal import JavaScriptBridge

/// A run that loads the changed files of its script again, until a signal ends it.
@MainActor
final class WatchRun {
    private let run: ScriptRun
    private let modules: WatchedModules
    private let system: CommandSystem
    private let scriptURL: String
    private var schedule: ReloadSchedule?
    private var script: LoadableScript
    private var isModule = false
    /// A Boolean value that indicates whether the only version that has run has failed.
    private var hasFailed = false
    private var main = Main()
    private var hasCalledMain = false
    /// The number of the last load, whose end is shown.
    private var number = 0
    /// The changes since the last reload has begun.
    private var changed: Set<String> = []
    /// The changes that the last reload applies, with those of reloads that have failed before it.
    private var applied: Set<String> = []

    /// The call of the script's `main`.
    private struct Main {
        var isRunning = false
        var isCalled = false
        /// A Boolean value that indicates whether a later version has another `main`.
        var isReplaced = false
        var isWaitShown = false
    }

    init(_ run: ScriptRun, _ modules: WatchedModules, scriptURL: String, system: CommandSystem) {
        self.run = run
        self.modules = modules
        self.scriptURL = scriptURL
        self.system = system
        script = run.script
    }

    /// Loads the script, and loads it again after each change; never returns.
    func start() async {
        // An unstructured task for each load: a top-level await may be pending when the next change comes.
        Task { await load() }
        let schedule = ReloadSchedule(system.clock) { [weak self] in self?.apply(since: $0) }
        self.schedule = schedule
        for await _ in modules.files.events {
            let urls = modules.takeChangedURLs()
            guard !urls.isEmpty else { continue }
            changed.formUnion(urls)
            schedule.noteChange()
        }
    }

    /// Applies the changes until now.
    private func apply(since start: Duration) {
        applied.formUnion(changed)
        changed = []
        let changes = applied
        let own = nextNumber()
        Task {
            isModule
                ? await reloadModules(changes, own, since: start) : await reloadScript(own, since: start)
        }
    }

    // MARK: - Loads

    private func load() async {
        let own = nextNumber()
        let isLoaded = await attempt(own) { [self] in
            try await loadScript(own)
            return true
        }
        if isLoaded == nil, own == number { hasFailed = true }
        if !hasCalledMain { await callMain() }
    }

    private func loadScript(_ own: Int) async throws {
        try await script.load(on: run.bridge) { [weak self] _ in
            // The load itself ends after each top-level await.
            Task { @MainActor in
                self?.isModule = true
                self?.reloadEnded(own)
            }
        }
    }

    private func reloadModules(_ changed: Set<String>, _ own: Int, since start: Duration) async {
        let replaced = await attempt(own) { [self] in
            // A reload that waits for a top-level await is ended by the next one, which does not wait for it.
            try await run.bridge.runtime.reloadModules(changed) { [weak self] in
                Task { @MainActor in self?.reloadEnded(own) }
            }
        }
        defer { reloadEnded(own) }
        guard let replaced else {
            if own == number, !hasFailed { showKept(changed) }
            return
        }
        guard !replaced.isEmpty else { return }
        hasFailed = false
        applied = []
        show(changed.intersection(replaced), replaced.count, since: start)
        if replaced.contains(scriptURL) { callMainLater() }
    }

    /// Runs a script that is not a module again, in a new context.
    private func reloadScript(_ own: Int, since start: Duration) async {
        var isReplaced = false
        let isLoaded = await attempt(own) { [self] in
            let script = try run.script(from: system)
            try await run.bridge.reload()
            (isReplaced, self.script) = (true, script)
            try await loadScript(own)
            return true
        }
        defer { reloadEnded(own) }
        guard isLoaded == true else {
            if own == number, !isReplaced, !hasFailed { showKept([scriptURL]) }
            hasFailed = hasFailed || isReplaced
            return
        }
        (hasFailed, applied) = (false, [])
        show([scriptURL], 1, since: start)
        callMainLater()
    }

    /// Lets the next reload begin, if no later one has begun.
    private func reloadEnded(_ own: Int) {
        if own == number { schedule?.end() }
    }

    private func nextNumber() -> Int {
        number += 1
        return number
    }

    /// Returns the result of a load, and shows its error; `nil` after an error, or if a later one has begun.
    private func attempt<Result: Sendable>(
        _ own: Int,
        _ load: () async throws -> Result
    ) async -> Result? {
        defer { if let problem = modules.files.takeProblem() { show("\(problem)") } }
        do {
            let result = try await load()
            return own == number ? result : nil
        } catch let error as JSException {
            if own == number { run.output.printError(ErrorText.uncaught(error, in: run.options.script)) }
        } catch {
            if own == number { show(ErrorText.plain(error)) }
        }
        return nil
    }

    // MARK: - The handler main

    /// Calls the `main` of a new version, when a call that is running has ended.
    private func callMainLater() {
        guard main.isRunning else {
            Task { await callMain() }
            return
        }
        main.isReplaced = true
        // A script in a new context has ended the call.
        guard isModule, main.isCalled, !main.isWaitShown else { return }
        main.isWaitShown = true
        show("the new '\(ScriptRun.mainName)' waits for the end of the one that is running")
    }

    /// Calls the script's `main`, and that of each version that has replaced it meanwhile.
    private func callMain() async {
        guard !main.isRunning else { return }
        hasCalledMain = true
        defer { main = Main() }
        repeat {
            main = Main(isRunning: true)
            guard (try? await run.hasMain()) == true else { continue }
            main.isCalled = true
            let own = number
            let result = await run.callMain()
            guard case .failure(let error) = result, own == number || error.code != .disconnected else {
                continue
            }
            run.output.printError(await run.text(of: error))
        } while main.isReplaced
    }

    // MARK: - Messages

    private func show(_ message: String) { run.output.printError("jsbridge: \(message)") }

    private func show(_ changed: Set<String>, _ count: Int, since start: Duration) {
        let names = Self.names(of: changed)
        let shown = names.count > 3 ? "\(names.count) files" : names.joined(separator: ", ")
        let others = count - names.count
        let rest = others == 0 ? "" : " and \(others) dependant\(others == 1 ? "" : "s")"
        let milliseconds = Int(((system.clock.now - start) / .milliseconds(1)).rounded())
        show("reloaded \(shown)\(rest) in \(milliseconds) ms")
    }

    private func showKept(_ changed: Set<String>) {
        let names = Self.names(of: changed)
        let shown = names.count > 3 ? "\(names.count) files" : names.joined(separator: ", ")
        let end =
            names.count == 1 ? "keeps running in its last version" : "keep running in their last versions"
        show("not reloaded: \(shown) \(end)")
    }

    private static func names(of urls: Set<String>) -> [String] {
        urls.map { Printable.text($0.split(separator: "/").last.map(String.init) ?? $0) }.sorted()
    }
}
