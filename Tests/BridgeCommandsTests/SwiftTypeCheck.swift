import Foundation

/// A check of programs by the compiler that built the tests, with the modules beside the tests; nothing runs.
enum SwiftTypeCheck {
    /// The root of the repository.
    static let root = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

    /// The compiler of the toolchain that the tests were built with, if it is installed.
    static var compiler: String? {
        let path = ProcessInfo.processInfo.environment["PATH"] ?? ""
        return path.split(separator: ":").map { "\($0)/swiftc" }.first {
            FileManager.default.isExecutableFile(atPath: $0)
        }
    }

    /// A diagnostic of the compiler.
    struct Diagnostic: CustomStringConvertible {
        var file: String
        var line: Int
        var text: String

        var description: String { "\(file):\(line): \(text)" }
    }

    /// Returns the errors and warnings of files that form one module.
    static func diagnostics(
        of files: [String],
        by compiler: String,
        in workplace: Workplace
    ) async throws -> [Diagnostic] {
        let products = Bundle.main.bundlePath
        let maps =
            ["CJavaScriptCore", "CSQLite", "CWebSockets"].map {
                "\(root.path)/Sources/\($0)/module.modulemap"
            }
            + [
                "CBridgeScript", "CConformance", "CFileAccess", "CJavaScriptCoreSPI", "CPageFiles",
                "CServerSockets",
                "CStackFrames", "CTerminal",
            ].map { "\(products)/\($0).build/module.modulemap" }
        let arguments =
            ["-typecheck", "-wmo", "-swift-version", "6", "-I", "\(products)/Modules"]
            + ["-diagnostic-style", "llvm"]
            + (maps + (try headers())).flatMap {
                ["-Xcc", $0.hasPrefix("-") ? $0 : "-fmodule-map-file=\($0)"]
            }
        let ending = try await RunningProcess(compiler, arguments + files, in: workplace).end()
        let missing = ending.errorOutput.firstMatch(of: #/missing required module[^\n]*/#)
        if let missing { throw SetUpError(description: String(missing.0)) }
        return ending.errorOutput.matches(of: #/([^/\n]+\.swift):(\d+):\d+: (?:error|warning): ([^\n]*)/#).map
        {
            Diagnostic(file: String($0.1), line: Int($0.2) ?? 0, text: String($0.3))
        }
    }

    struct SetUpError: Error, CustomStringConvertible { var description: String }

    /// Returns the options with which the compiler finds the headers of the engine.
    private static func headers() throws -> [String] {
        let process = Process()
        let output = Pipe()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/pkg-config")
        process.arguments = ["--cflags-only-I", "javascriptcoregtk-4.1"]
        process.standardOutput = output
        try process.run()
        let flags = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        return flags.split(whereSeparator: \.isWhitespace).map(String.init)
    }
}
