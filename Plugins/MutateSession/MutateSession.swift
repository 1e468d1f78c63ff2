import Foundation
import PackagePlugin

/// A plugin that generates the sources of the target MutatedSession: the shipped session machine with faults that a test
/// switches on one at a time.
///
/// The shipped machine therefore has no trace of them.
@main
struct MutateSession: BuildToolPlugin {
    func createBuildCommands(context: PluginContext, target: any Target) throws -> [Command] {
        let root = context.package.directoryURL
        let folders = ["Sources/BridgeProtocol"]
        var inputs = try folders.flatMap { try sources(in: root.appending(path: $0)) }
        // The comparison of names and ids in the machine.
        inputs.append(root.appending(path: "Sources/BridgeValues/ByteEqualString.swift"))
        inputs.append(root.appending(path: "Tests/SessionSimulation/Session/MachineUnderTest.swift"))
        let output = context.pluginWorkDirectoryURL
        let outputs = inputs.map { output.appending(path: $0.lastPathComponent) }
        return [
            .buildCommand(
                displayName: "Plant faults into a copy of the session machine",
                executable: try context.tool(named: "MutantGenerator").url,
                arguments: [output.path] + inputs.map(\.path),
                inputFiles: inputs,
                outputFiles: outputs + [output.appending(path: "Mutant.swift")]
            )
        ]
    }

    private func sources(in folder: URL) throws -> [URL] {
        let files = FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil)
        let all = files?.compactMap { $0 as? URL }.filter { $0.pathExtension == "swift" } ?? []
        return all.sorted { $0.path < $1.path }
    }
}
