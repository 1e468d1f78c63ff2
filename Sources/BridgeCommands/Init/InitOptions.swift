/// The options of `jsbridge init`.
struct InitOptions: Hashable {
    /// The folder of the new files, which may exist.
    var folder: String
    /// The path of the package's repository, as the manifest of a Swift program names it; `nil` for a plugin alone.
    var package: String?
}

extension Invocation {
    /// Parses the arguments of `init`.
    static func `init`(_ reader: inout ArgumentReader) throws(UsageError) -> Invocation {
        var folder: String?
        var isSwift = false
        var package: String?
        while let argument = try reader.next(about: .initialize) {
            switch argument {
            case .option("--help"), .option("-h"):
                try reader.refuseValue(about: .initialize)
                return .help(.initialize)
            case .option("--swift"):
                try reader.refuseValue(about: .initialize)
                isSwift = true
            case .option("--package-path"):
                package = try reader.value(of: "--package-path", named: "PATH", about: .initialize)
            case .option(let option):
                throw unknown(option, among: ["--help", "--package-path", "--swift"], about: .initialize)
            case .operand(let operand):
                if let folder {
                    throw UsageError(
                        "'init' takes one folder, not '\(folder)' and '\(operand)'",
                        about: .initialize
                    )
                }
                folder = operand
            }
        }
        guard let folder, !folder.isEmpty else {
            throw UsageError(
                "'init' needs a folder, such as '.' for the current one",
                about: .initialize
            )
        }
        guard isSwift || package == nil else {
            throw UsageError("'--package-path' requires '--swift'", about: .initialize)
        }
        return .initialize(
            InitOptions(folder: folder, package: isSwift ? package ?? "../JavaScriptBridge" : nil)
        )
    }
}
