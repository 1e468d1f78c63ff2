import BridgeTesting
import BridgeViews
import CollectionViews
import JavaScriptBridge
import Testing

@testable import BridgeCommands
@testable import TerminalViews

/// The messages of actions of a script's view in the terminal.
@Suite("actions in scripts' views")
struct ScriptActionTests {
    /// A browser that is used in the turns of one engine only.
    private final class Shown: @unchecked Sendable {
        var browser: TerminalBrowser?
    }

    @Test(
        "the terminal shows the message of an action when its promise settles, and the error of a rejection",
        arguments: [
            ("a1", "sent a"), ("a2", "the action failed: no a"), ("a3", "done now"), ("\r", "opened a"),
        ]
    )
    func later(keys: String, message: String) async throws {
        let workplace = try Workplace()
        let script = """
            globalThis.gate = Promise.withResolvers();
            bridge.collectionView({
                source: ["a", "b"],
                onPrimaryAction: async item => { await gate.promise; return "opened " + item; },
                menu: item => [
                    { title: "Send", action: () => gate.promise.then(() => "sent " + item) },
                    { title: "Fail", action: async () => { await gate.promise; throw new Error("no " + item); } },
                    { title: "Do", action: () => "done now" },
                ],
            });
            """
        let path = try workplace.write(script, to: "view.js")
        let changes = Recorder<Bool>()
        let program = try ScriptViewProgram(path: path, storePath: nil, unit: .cell) { changes.add(true) }
        let name = try await program.load(view: nil)
        let shown = Shown()
        try await program.bridge.withContext { context in
            let owner = try context.collectionView(named: name)
            let browser = TerminalBrowser(view: owner.view, content: ScriptContent(owner, of: program))
            browser.setSize(TerminalSize(columns: 40, rows: 10))
            for key in keys { browser.handle(.key(KeyPress(key == "\r" ? .enter : .character(key)))) }
            #expect(browser.message == (message == "done now" ? message : ""))
            shown.browser = browser
        }
        let count = changes.elements.count
        try await program.bridge.withContext { _ = try $0.evaluate("gate.resolve()") }
        try await program.bridge.withContext { _ in
            #expect(shown.browser?.message == message)
            shown.browser = nil
        }
        // The terminal is woken for another screen.
        if message != "done now" { #expect(changes.elements.count > count) }
        _ = program.close()
    }
}
