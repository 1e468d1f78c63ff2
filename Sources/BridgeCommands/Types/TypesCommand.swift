internal import BridgeValues
internal import Foundation
internal import JavaScriptBridge

/// The options of `jsbridge types`.
enum TypesOptions: Hashable {
    /// All declarations that a script can use.
    case all
    /// The program's handlers only.
    case handlers
    /// The program's handlers as JSON Schema.
    case schema
}

/// The command `jsbridge types`, which prints the API of a script of `jsbridge run` for editors and type checkers.
@MainActor
struct TypesCommand {
    let options: TypesOptions
    let system: CommandSystem
    let output: CommandOutput

    /// Prints the declarations.
    ///
    /// - Returns: The exit status.
    func run() -> Int32 {
        let text: String
        do {
            text = try makeText()
        } catch {
            return ExitStatus.after(error, output)
        }
        do throws(OutputError) {
            try output.print(text)
            return ExitStatus.success
        } catch {
            return ExitStatus.after(error, output)
        }
    }

    private func makeText() throws -> String { try Self.declarations(options) }

    /// Returns the declarations of the script API of `jsbridge run`.
    static func declarations(_ options: TypesOptions = .all) throws -> String {
        let bridge = try Bridge()
        defer { bridge.close() }
        let run = RunOptions(script: .standardInput, store: .memory)
        let place = try StoreLocation(run.store, environment: [:])
        try ScriptEnvironment(options: run, place: place, variables: [:]).registerHandlers(on: bridge)
        switch options {
        case .all:
            return [
                Bridge.scriptDeclarations, ScriptChart.declarations,
                String(bridge.typeDeclarations.dropLast()),
            ]
            .joined(separator: "\n")
        case .handlers: return String(bridge.typeDeclarations.dropLast())
        case .schema:
            let encoder = JSONEncoder()
            encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
            return String(decoding: try encoder.encode(bridge.handlerSchemas), as: UTF8.self)
        }
    }
}

extension Invocation {
    /// Parses the arguments of `types`.
    static func types(_ reader: inout ArgumentReader) throws(UsageError) -> Invocation {
        var options = TypesOptions.all
        while let argument = try reader.next(about: .types) {
            switch argument {
            case .option("--help"), .option("-h"):
                try reader.refuseValue(about: .types)
                return .help(.types)
            case .option("--handlers"), .option("--schema"):
                let wanted = argument == .option("--handlers") ? TypesOptions.handlers : .schema
                guard options == .all || options == wanted else {
                    throw UsageError("'--handlers' and '--schema' exclude each other", about: .types)
                }
                options = wanted
            case .option(let option):
                throw unknown(option, among: ["--handlers", "--help", "--schema"], about: .types)
            case .operand(let operand):
                throw UsageError("'types' takes no file, not '\(operand)'", about: .types)
            }
        }
        return .types(options)
    }
}
