internal import Foundation
internal import Stores

/// The options of `jsbridge browse`.
struct BrowseOptions: Hashable {
    /// The kind of a file.
    enum Format: String, Hashable, CaseIterable {
        case table, script
    }

    /// The file, with `:ENTITY` after the name of a store; `-` is standard input.
    var file: String
    /// The kind of the file; `nil` for that of its name.
    var format: Format?
    /// The separator of a CSV file's fields; `nil` chooses the most frequent one.
    var delimiter: Character?
    /// The file to record the session to; `nil` for none.
    var recording: String?
    /// A Boolean value that indicates whether changed rows are not marked.
    var isStill = false
    /// A Boolean value that indicates whether changes of other processes are followed, for which the store records a
    /// history.
    var follows = false

    /// The file of a script's store; `nil` for one in memory.
    var store: String?
    /// The file of the position, marks and order between two runs; `nil` for none.
    var state: String?
    /// The maximum processor time of one turn if none is given: less than that of other scripts, because the keys of a
    /// user wait for a turn.
    static let defaultTimeLimit = Duration.seconds(5)
    /// The maximum processor time of one turn of the script; `nil` for none.
    var timeLimit: Duration? = BrowseOptions.defaultTimeLimit
    /// The name of the script's view; `nil` for the first one.
    var view: String?

    /// A Boolean value that indicates whether the file is a script, whose view is shown.
    var isScript: Bool {
        format.map { $0 == .script } ?? [".js", ".mjs", ".ts", ".mts"].contains(where: file.hasSuffix)
    }

    /// A Boolean value that indicates whether the file is standard input.
    var isStandardInput: Bool { file == "-" }

    /// The path of the file, and the entity after the last colon before which there is one; no entity if a file has the
    /// whole name.
    var location: (path: String, entity: String?) {
        let manager = FileManager.default
        guard !manager.fileExists(atPath: file) else { return (file, nil) }
        for colon in file.indices.reversed() where file[colon] == ":" {
            let path = String(file[..<colon])
            if manager.fileExists(atPath: path) { return (path, String(file[file.index(after: colon)...])) }
        }
        return (file, nil)
    }

    /// Checks that a table has no options of scripts, and a script none of tables.
    ///
    /// - Throws: ``UsageError`` with the options and the file.
    private func refuseOthersOptions(about topic: HelpTopic) throws(UsageError) {
        if !isScript, store != nil || view != nil {
            throw UsageError(
                "'--store' and '--view' are for a script, and '\(file)' is not one",
                about: topic
            )
        }
        if isScript, delimiter != nil || follows {
            throw UsageError(
                "'--delimiter' and '--follow' are for tables, and '\(file)' is a script",
                about: topic
            )
        }
    }

    /// Checks that neither the recording nor the state overwrites the file that is shown, its store, or the other one.
    ///
    /// - Throws: ``UsageError`` with the option and the file.
    func refuseSharedFiles(about topic: HelpTopic) throws(UsageError) {
        let path = isStandardInput ? FileUse.standardInput : location.path
        var files = FileUse.store(isScript ? "the script" : "the table", path)
        if let store { files += FileUse.store("--store", store) }
        if let recording { files.append(FileUse("--record", recording, isWritten: true)) }
        if let state { files.append(FileUse("--state", state, isWritten: true)) }
        try files.refuseOverwriting(about: topic)
    }
}

extension Invocation {
    private static let browseOptions = BrowseOptions.shared + ["--help", "--record", "--still"]

    /// Parses the arguments of `browse`.
    static func browse(_ reader: inout ArgumentReader) throws(UsageError) -> Invocation {
        var options = BrowseOptions(file: "")
        while let argument = try reader.next(about: .browse) {
            switch argument {
            case .option("--help"), .option("-h"):
                try reader.refuseValue(about: .browse)
                return .help(.browse)
            case .option("--record"):
                options.recording = try reader.value(of: "--record", named: "FILE", about: .browse)
            case .option("--still"): options.isStill = true
            case .option(let option):
                guard try options.take(option, from: &reader, about: .browse) else {
                    throw unknown(option, among: browseOptions, about: .browse)
                }
            case .operand(let operand): try options.take(file: operand, about: .browse)
            }
        }
        try options.finish(about: .browse)
        return .browse(options)
    }
}

/// The arguments that `browse` and `serve` have in common.
extension BrowseOptions {
    /// The names of the options.
    static let shared = [
        "--delimiter", "--follow", "--format", "--state", "--store", "--time-limit", "--view",
    ]

    /// Takes an option with its value; returns `false` for an option that is not shared.
    mutating func take(
        _ option: String,
        from reader: inout ArgumentReader,
        about topic: HelpTopic
    ) throws(UsageError) -> Bool {
        switch option {
        case "--delimiter": delimiter = try Self.delimiter(&reader, about: topic)
        case "--follow": follows = true
        case "--format":
            let value = try reader.value(of: option, named: "FORMAT", about: topic)
            format = Format(rawValue: value)
            guard format != nil else {
                throw UsageError(
                    "'--format' takes 'table' or 'script', not \(MessageText.quoted(value))",
                    about: topic
                )
            }
        case "--state": state = try reader.value(of: option, named: "FILE", about: topic)
        case "--store": store = try reader.value(of: option, named: "FILE", about: topic)
        case "--time-limit":
            let value = try reader.value(of: option, named: "SECONDS", about: topic)
            timeLimit = try Invocation.timeLimit(value, about: topic)
        case "--view": view = try reader.value(of: option, named: "NAME", about: topic)
        default: return false
        }
        return true
    }

    /// Takes the name of the file, once.
    mutating func take(file operand: String, about topic: HelpTopic) throws(UsageError) {
        guard file.isEmpty else {
            throw UsageError("one file at a time, not also '\(operand)'", about: topic)
        }
        guard !operand.isEmpty else { throw UsageError("the name of the file is empty", about: topic) }
        file = operand
    }

    /// Checks that there is a file, and that its options are those of its kind.
    func finish(about topic: HelpTopic) throws(UsageError) {
        guard !file.isEmpty else { throw UsageError("a file is missing", about: topic) }
        try refuseOthersOptions(about: topic)
    }

    /// Reads the value of `--delimiter`.
    private static func delimiter(
        _ reader: inout ArgumentReader,
        about topic: HelpTopic
    ) throws(UsageError) -> Character {
        let value = try reader.value(of: "--delimiter", named: "CHARACTER", about: topic)
        let character = value == "\\t" ? "\t" : value
        guard character.utf8.count == 1, let delimiter = character.first, delimiter.isASCII else {
            throw UsageError(
                "'--delimiter' takes one ASCII character, or \\t; not '\(value)'",
                about: topic
            )
        }
        guard delimiter != "\"", !delimiter.isNewline else {
            throw UsageError("'--delimiter' takes neither a quote nor a line end", about: topic)
        }
        return delimiter
    }
}
