internal import BridgeViews
internal import CollectionViews
internal import DataSources
internal import Foundation
internal import JavaScriptBridge
internal import TerminalViews

extension BrowseCommand {
    /// Runs a script, and browses its view.
    ///
    /// The view stays in the turns of the script's engine; each step of the terminal is one of them.
    func browseScript(_ path: String) async throws -> Int32 {
        let waking = try TerminalWaking()
        let program = try ScriptViewProgram(
            path: path,
            in: system,
            storePath: options.store,
            timeLimit: options.timeLimit,
            unit: .cell
        ) {
            waking.wake()
        }
        // After the terminal was restored, and before the error that ends the command.
        defer {
            for line in program.close() { output.printError(line) }
            for chart in program.charts {
                output.printError(chart.text(width: nil, on: output, isColored: colorsCharts))
            }
        }
        let name = try await program.load(view: options.view)
        if let reason = reasonWithoutTerminal {
            output.printError("jsbridge: \(reason): the rows are printed; see 'jsbridge help browse'")
            try await printRows(of: name, program)
            // The reason was printed as an uncaught error.
            if try await program.hasFailed(name) {
                throw CommandError("the rows are not those of the script: see the errors above")
            }
        } else {
            try browse(name, of: program, waking)
        }
        return ExitStatus.success
    }

    private var colorsCharts: Bool {
        output.consoleStyle(environment: system.environment).coloredLevels.contains(.error)
    }

    private func browse(_ name: String, of program: ScriptViewProgram, _ waking: TerminalWaking) throws {
        let runtime = program.bridge.runtime
        let browser = try runtime.withContextAndWait { context in
            let owner = try context.collectionView(named: name)
            return InTurns(TerminalBrowser(view: owner.view, content: ScriptContent(owner, of: program)))
        }
        // The browser belongs to the turns of the engine, also its end.
        defer { try? runtime.withContextAndWait { _ in browser.release() } }
        guard let value = browser.value else { return }
        try browse(value, waking) { settings in
            settings.perform = { body in
                try withoutActuallyEscaping(body) { body in
                    let body = InTurns(body)
                    do {
                        try runtime.withContextAndWait { _ in
                            try body.value?()
                            program.note(browser.value?.frameError)
                        }
                    } catch let error as JSException where error.isTermination {
                        // A function of the script was stopped, whose error the frame shows; the step was completed.
                    }
                }
            }
        }
    }

    /// Prints the rows of a script's view with tabs between text and secondary text.
    private func printRows(of name: String, _ program: ScriptViewProgram) async throws {
        let text = TerminalText()
        var section = 0
        var item = 0
        while true {
            let (start, from) = (section, item)
            let lines = try await program.bridge.withCollectionView(name) { owner -> [[String]]? in
                guard start < owner.view.numberOfSections else { return nil }
                let count = owner.view.numberOfItems(inSection: start)
                return (from..<max(from, min(count, from + 512))).map { item in
                    owner.content(at: IndexPath(item: item, section: start))?.texts ?? []
                }
            }
            guard let lines else { return }
            if lines.isEmpty {
                section += 1
                item = 0
            } else {
                item += lines.count
                try output.print(
                    lines.map { $0.map(text.printable).joined(separator: "\t") }.joined(separator: "\n")
                )
            }
        }
    }
}
