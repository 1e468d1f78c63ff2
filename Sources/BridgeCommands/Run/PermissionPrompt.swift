internal import BridgeValues
internal import Dispatch
internal import JavaScriptBridge

/// The question to the user of a terminal whether a script may use a file, or the refusal with the option to give.
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

    /// Returns the question; the path and the name are the script's, so that nothing of them may control the terminal.
    private func question(about request: ScriptPermissions.Request) -> String {
        switch request {
        case .file(let access, let path):
            """
            jsbridge: \(Printable.text(script)) asks to \(access.rawValue) "\(Printable.text(path))"
              y  allow it this time
              a  allow it until the end of the run, for a folder also below it
              n  deny it until the end of the run

            """
        }
    }

    private static func option(for request: ScriptPermissions.Request) -> String {
        switch request {
        case .file(let access, let path):
            // Without a slash it would be the name of data.
            let path = path.contains("/") ? path : "./" + path
            return "--allow-\(access.rawValue)=\(ShellText.quoted(path))"
        }
    }
}
