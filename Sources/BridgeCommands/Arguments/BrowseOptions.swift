internal import Foundation

/// The options of `jsbridge browse`.
struct BrowseOptions: Hashable {
    /// The file, with `:ENTITY` after the name of a store.
    var file: String
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
    /// The maximum processor time of one turn of the script; `nil` for none.
    var timeLimit: Duration? = .seconds(30)
    /// The name of the script's view; `nil` for the first one.
    var view: String?

    /// A Boolean value that indicates whether the file is a script, whose view is shown.
    var isScript: Bool { file.hasSuffix(".js") }

    /// The path of the file, and the entity after the last colon; no entity if a file has the whole name.
    var location: (path: String, entity: String?) {
        let manager = FileManager.default
        guard !manager.fileExists(atPath: file), let colon = file.lastIndex(of: ":") else {
            return (file, nil)
        }
        let path = String(file[..<colon])
        return manager.fileExists(atPath: path)
            ? (path, String(file[file.index(after: colon)...])) : (file, nil)
    }

    /// Checks that a table has no options of scripts, and a script none of tables.
    ///
    /// - Throws: ``UsageError`` with the options and the file.
    func refuseOthersOptions(about topic: HelpTopic) throws(UsageError) {
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

    /// Checks that the recording does not overwrite the file that is shown.
    ///
    /// - Throws: ``UsageError`` with the option and the file.
    func refuseSharedFiles() throws(UsageError) {
        guard let recording else { return }
        let files = FileUse.store("the table", location.path)
        try (files + [FileUse("--record", recording, isWritten: true)]).refuseOverwriting(about: .browse)
    }
}

extension Invocation {
    private static let browseOptions = [
        "--delimiter", "--follow", "--help", "--record", "--still", "--store", "--time-limit", "--view",
    ]

    /// Parses the arguments of `browse`.
    static func browse(_ reader: inout ArgumentReader) throws(UsageError) -> Invocation {
        var file: String?
        var options = BrowseOptions(file: "")
        while let argument = try reader.next(about: .browse) {
            switch argument {
            case .option("--help"), .option("-h"):
                try reader.refuseValue(about: .browse)
                return .help(.browse)
            case .option("--delimiter"):
                options.delimiter = try delimiter(&reader, about: .browse)
            case .option("--record"):
                options.recording = try reader.value(of: "--record", named: "FILE", about: .browse)
            case .option("--store"):
                options.store = try reader.value(of: "--store", named: "FILE", about: .browse)
            case .option("--time-limit"):
                options.timeLimit = try timeLimit(
                    reader.value(of: "--time-limit", named: "SECONDS", about: .browse),
                    about: .browse
                )
            case .option("--view"):
                options.view = try reader.value(of: "--view", named: "NAME", about: .browse)
            case .option("--still"): options.isStill = true
            case .option("--follow"): options.follows = true
            case .option(let option): throw unknown(option, among: browseOptions, about: .browse)
            case .operand(let operand):
                guard file == nil else {
                    throw UsageError("one file at a time, not also '\(operand)'", about: .browse)
                }
                guard !operand.isEmpty else {
                    throw UsageError("the name of the file is empty", about: .browse)
                }
                file = operand
            }
        }
        guard let file else { throw UsageError("a file is missing", about: .browse) }
        guard file != "-" else {
            throw UsageError("'browse' reads a regular file, not standard input", about: .browse)
        }
        options.file = file
        try options.refuseOthersOptions(about: .browse)
        return .browse(options)
    }

    /// Reads the value of `--delimiter`.
    static func delimiter(
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
        return delimiter
    }
}
