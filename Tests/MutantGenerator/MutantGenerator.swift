import Foundation

/// A tool that copies the sources of the session state machine and adds the mutants of ``Fault/all`` to the copies.
///
/// usage: MutantGenerator OUTPUT SOURCE...
@main
enum MutantGenerator {
    static func main() throws {
        let arguments = CommandLine.arguments.dropFirst()
        guard let output = arguments.first.map({ URL(filePath: $0) }), arguments.count > 1 else {
            throw PlanterError("usage: MutantGenerator OUTPUT SOURCE...")
        }
        var lost: [String] = []
        var edits = Dictionary(grouping: Fault.all.flatMap { fault in fault.edits.map { (fault, $0) } }) {
            $0.1.file
        }
        for path in arguments.dropFirst() {
            let source = URL(filePath: path)
            var text = try String(contentsOf: source, encoding: .utf8)
            // The copy is a module of its own, which contains both the state machine and its adapter for the explorer.
            text = text.replacingOccurrences(
                of: "internal import BridgeProtocol\n",
                with: "package import SessionSimulation\n"
            )
            for (fault, edit) in edits.removeValue(forKey: source.lastPathComponent) ?? [] {
                let parts = text.components(separatedBy: edit.old)
                // A test reports a mutant without a place in the sources, instead of a failing build.
                guard parts.count == 2 else {
                    lost.append("\(fault.name): \(edit.file) has \(parts.count - 1) times: \(edit.old)")
                    continue
                }
                text = parts.joined(separator: edit.new)
            }
            try write(text, to: output.appending(path: source.lastPathComponent))
        }
        for (file, edits) in edits { lost += edits.map { "\($0.0.name): there is no \(file)" } }
        try write(list(lost: lost), to: output.appending(path: "Mutant.swift"))
    }

    private static func list(lost: [String]) -> String {
        let cases = Fault.all.map { fault in
            """
                /// \(fault.meaning)
                case \(fault.name)
            """
        }
        return """
            /// A mutant in this copy of the session state machine.
            package enum Mutant: String, CaseIterable, Sendable {
            \(cases.joined(separator: "\n"))

                /// The active mutant.
                @TaskLocal package static var active: Mutant?
                /// The mutants without a place in the sources.
                package static let lost: [String] = \(lost.sorted())
            }

            // Also for functions that other modules may specialize.
            package func isPlanted(_ fault: Mutant) -> Bool { Mutant.active == fault }

            """
    }

    private static func write(_ text: String, to file: URL) throws {
        // An unchanged file keeps its date, so that it is not compiled again.
        if let old = try? String(contentsOf: file, encoding: .utf8), old == text { return }
        try text.write(to: file, atomically: true, encoding: .utf8)
    }
}

struct PlanterError: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) { self.description = description }
}
