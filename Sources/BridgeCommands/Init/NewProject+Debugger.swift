/// The files with which VS Code debugs a new plugin.
extension NewProject {
    /// The configuration of the editor, whose type the extension names.
    static let launch = """
        {
            "version": "0.2.0",
            "configurations": [
                {
                    "type": "javascript-bridge",
                    "request": "attach",
                    "name": "Attach to jsbridge run --inspect-brk plugin.js",
                    "debugServer": 9229,
                    "token": "${input:token}"
                }
            ],
            "inputs": [
                {
                    "id": "token",
                    "type": "promptString",
                    "description": "The token that jsbridge has printed",
                    "password": true
                }
            ]
        }

        """

    /// An extension that VS Code offers to install from the folder: it accepts only types that an extension names.
    static let debugExtension = """
        {
          "name": "javascript-bridge-debug",
          "publisher": "local",
          "version": "0.0.1",
          "engines": { "vscode": "^1.80.0" },
          "contributes": {
            "breakpoints": [{ "language": "javascript" }],
            "debuggers": [{ "type": "javascript-bridge", "label": "JavaScriptBridge", "languages": ["javascript"] }]
          }
        }

        """
}
