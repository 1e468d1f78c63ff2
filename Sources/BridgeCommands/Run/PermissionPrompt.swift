internal import BridgeValues
internal import Dispatch
internal import Foundation
internal import JavaScriptBridge

/// The question to the user of a terminal whether a script may use a file or read an environment variable, or the
/// refusal with the option to give.
struct PermissionPrompt: Sendable {
    private static let maximumAttempts = 3
    private static let queue = DispatchQueue(label: "jsbridge.questions")

    let script: String
    let output: CommandOutput
    let ask: (@Sendable (String) -> String?)?

    /// Returns the user's decision.
    ///
    /// The question is asked on a thread of its own: a person may take long, and tasks share few threads.
    func decide(about request: ScriptPermissions.Request) async -> ScriptPermissions.Decision {
        guard let ask else { return .deny(hint: "run with \(Self.option(for: request))") }
        return await withCheckedContinuation { continuation in
            Self.queue.async { continuation.resume(returning: answer(to: request, ask)) }
        }
    }

    private func answer(
        to request: ScriptPermissions.Request,
        _ ask: (String) -> String?
    ) -> ScriptPermissions.Decision {
        let decision = output.withSilence { () -> ScriptPermissions.Decision? in
            for _ in 0..<Self.maximumAttempts {
                guard let answer = ask(question(about: request)) else { return nil }
                switch answer {
                case "y": return .allowOnce
                case "a": return .allow
                case "n": return .deny(hint: "it was denied at the terminal")
                default: continue
                }
            }
            return nil
        }
        return decision ?? .deny(hint: "there was no answer at the terminal")
    }

    /// Returns the question, which fits a small terminal.
    ///
    /// The paths are the script's choice, so that nothing in them may control the terminal or look like another question.
    private func question(about request: ScriptPermissions.Request) -> String {
        switch request {
        case .file(let access, let path, let requested):
            let links =
                requested.utf8.elementsEqual(path.utf8)
                ? "" : "\n  which it reaches by links as \(Printable.literal(requested, columns: 120))"
            return """
                jsbridge: \(name) asks to \(access.rawValue) \(Printable.literal(path, columns: 150))\(links)
                  y  allow it this time
                  a  allow it until the end of the run, for a folder also below it
                  n  deny it until the end of the run

                """
        case .environment(let variable):
            return """
                jsbridge: \(name) asks to read the environment variable \(Printable.literal(variable, columns: 120))
                  y  allow it this time
                  a  allow it until the end of the run
                  n  deny it until the end of the run

                """
        }
    }

    /// The name of the script, of which the end is shown if it is long.
    private var name: String {
        let name = Printable.text(script)
        return name.count > 60 ? "...\(name.suffix(57))" : name
    }

    private static func option(for request: ScriptPermissions.Request) -> String {
        switch request {
        case .file(let access, _, let requested):
            // Below the working directory as people write it. Without a slash it would be the name of data.
            let folder = FileManager.default.currentDirectoryPath + "/"
            let path = requested.hasPrefix(folder) ? "./" + requested.dropFirst(folder.count) : requested
            return "--allow-\(access.rawValue)=\(ShellText.quoted(path.replacing(",", with: ",,")))"
        case .environment(let variable):
            return "--allow-env=\(ShellText.quoted(variable.replacing(",", with: ",,")))"
        }
    }
}
