import Foundation
import Testing

/// The lists of functions in the page about the architecture.
@Suite struct ArchitectureTests {
    private static let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()

    /// A step of a flow: a number, a function, and the file that has it.
    private struct Step: CustomStringConvertible {
        let number: Int
        let function: String
        let path: String

        var description: String { "\(number). \(function) in \(path)" }
    }

    private static func flows() throws -> [[Step]] {
        let page = root.appending(path: "Documentation/Architecture.md")
        var flows: [[Step]] = []
        for line in try String(contentsOf: page, encoding: .utf8).split(separator: "\n") {
            guard let match = line.wholeMatch(of: /(\d+)\. `(\w+)` \(\[[^\]]+\]\(([^)]+)\)\).*/),
                let number = Int(match.1)
            else { continue }
            if number == 1 { flows.append([]) }
            flows[flows.count - 1].append(
                Step(number: number, function: String(match.2), path: String(match.3))
            )
        }
        return flows
    }

    @Test("each step of a flow is a function of the file that it names, and a flow has at most 15 steps")
    func steps() throws {
        let flows = try Self.flows()
        #expect(flows.count == 3)
        for flow in flows {
            #expect((5...15).contains(flow.count))
            #expect(flow.map(\.number) == Array(1...flow.count))
            for step in flow {
                let file = Self.root.appending(path: "Documentation").appending(path: step.path).standardized
                let text = try String(contentsOf: file, encoding: .utf8)
                // In Swift, a function of scripts, or a method.
                let declaration = try Regex("(func |function |^    )\\Q\(step.function)\\E *(<[^(]*>)?\\(")
                    .anchorsMatchLineEndings()
                #expect(text.contains(declaration), "\(step)")
            }
        }
    }
}
