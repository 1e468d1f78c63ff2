import Foundation

@testable import BridgeCommands

/// The scripts of `Tests/Conformance/peers`, and reports of them.
enum CheckFixtures {
    static let folder = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        .appendingPathComponent("Conformance/peers")

    static func peer(_ name: String) throws -> String {
        try String(contentsOf: folder.appendingPathComponent(name + ".js"), encoding: .utf8)
    }

    /// The output of `--json`.
    struct Report: Decodable {
        struct Score: Decodable {
            var passed: Int
            var total: Int
        }
        struct Vector: Decodable {
            var name: String
            var mark: String
            var assertions: [String]
            var outcome: String
            var step: Int?
            var reason: String?
        }
        var version: String
        var script: String
        var dialect: String
        var conforms: Bool
        var problem: String?
        var score: [String: Score]
        var failedAssertions: [String: [String]]
        var vectors: [Vector]

        /// All numbers of vectors that did not pass.
        var failed: Set<String> { Set(failedAssertions.values.joined()) }
        var brokenNames: [String] { vectors.filter { $0.outcome != "passed" }.map(\.name) }
    }

    /// Runs `check --json` on a script.
    static func report(
        on script: String,
        _ arguments: String...
    ) async throws -> (status: Int32, report: Report, errorOutput: String) {
        try await report(on: script, arguments)
    }

    /// Runs `check --json` on a script.
    static func report(
        on script: String,
        _ arguments: [String]
    ) async throws -> (status: Int32, report: Report, errorOutput: String) {
        // Without an explicit limit there is none, because sanitizers take twenty times as long.
        let limit = arguments.contains("--time-limit") ? [] : ["--time-limit", "100"]
        let result = try await Workplace().run(
            ["check", "--json", "-"] + limit + arguments,
            input: [UInt8](script.utf8)
        )
        let report = try JSONDecoder().decode(Report.self, from: Data(result.output.utf8))
        return (result.status, report, result.errorOutput)
    }
}
