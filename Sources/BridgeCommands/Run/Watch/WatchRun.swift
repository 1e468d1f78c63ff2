internal import BridgeProtocol
internal import BridgeValues
internal import Foundation
internal import JavaScriptBridge

/// A run that loads the changed files of its script again, until a signal ends it.
@MainActor
final class WatchRun {
    /// The time in which changes are taken together, as an editor or a version control system writes several files.
    private static let pause = Duration.milliseconds(10)

    private let run: ScriptRun
    private let modules: WatchedModules
    private let system: CommandSystem
    private let scriptURL: String
    private var script: LoadableScript
    private var isModule = false
    private var isMainRunning = false
    /// The number of the last load, whose end is shown.
    private var number = 0
    /// The changes that no reload has applied.
    private var unapplied: Set<String> = []

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
        for await _ in modules.watch.events {
            let start = system.clock.now
            await withCheckedContinuation { continuation in
                _ = system.clock.schedule(at: start + Self.pause) { continuation.resume() }
            }
            let changed = modules.takeChangedURLs()
            guard !changed.isEmpty else { continue }
            unapplied.formUnion(changed)
            // Now, because the end of an earlier reload removes its changes, and may follow.
            let changes = unapplied
            Task { isModule ? await reloadModules(changes, since: start) : await reloadScript(since: start) }
        }
    }

    // MARK: - Loads

    private func load() async {
        await attempt { [self] in
            try await loadScript()
        }
        await callMain()
    }

    private func loadScript() async throws {
        try await script.load(on: run.bridge) { [weak self] _ in
            // The load itself ends after each top-level await.
            Task { @MainActor in self?.isModule = true }
        }
    }

    private func reloadModules(_ changed: Set<String>, since start: Duration) async {
        let replaced = await attempt { [self] in try await run.bridge.reloadModules(changed) }
        guard let replaced, !replaced.isEmpty else { return }
        unapplied.subtract(changed)
        show(changed.intersection(replaced), replaced.count, since: start)
        if replaced.contains(scriptURL) { await callMain() }
    }

    /// Runs a script that is not a module again, in a new context.
    private func reloadScript(since start: Duration) async {
        let isLoaded = await attempt { [self] in
            let script = try run.script(from: system)
            try await run.bridge.reload()
            self.script = script
            try await loadScript()
            return true
        }
        guard isLoaded == true else { return }
        unapplied = []
        show([scriptURL], 1, since: start)
        await callMain()
    }

    /// Returns the result of a load, and shows its error; `nil` after an error, or if a later one has begun.
    @discardableResult
    private func attempt<Result: Sendable>(_ load: () async throws -> Result) async -> Result? {
        number += 1
        let own = number
        defer { if let problem = modules.takeProblem() { show("\(problem)") } }
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

    /// Calls the script's `main`, unless a call of it is still running.
    private func callMain() async {
        guard !isMainRunning, (try? await run.hasMain()) == true else { return }
        isMainRunning = true
        let own = number
        let result = await run.callMain()
        isMainRunning = false
        guard case .failure(let error) = result, own == number || error.code != .disconnected else { return }
        run.output.printError(await run.text(of: error))
    }

    // MARK: - Messages

    private func show(_ message: String) { run.output.printError("jsbridge: \(message)") }

    private func show(_ changed: Set<String>, _ count: Int, since start: Duration) {
        let names = changed.map { Printable.text($0.split(separator: "/").last.map(String.init) ?? $0) }
            .sorted()
        let shown = names.count > 3 ? "\(names.count) files" : names.joined(separator: ", ")
        let others = count - names.count
        let rest = others == 0 ? "" : " and \(others) dependant\(others == 1 ? "" : "s")"
        let milliseconds = Int(((system.clock.now - start) / .milliseconds(1)).rounded())
        show("reloaded \(shown)\(rest) in \(milliseconds) ms")
    }
}
