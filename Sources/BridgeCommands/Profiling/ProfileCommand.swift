internal import BridgeInspector
internal import BridgeProtocol
internal import BridgeValues
internal import Foundation
internal import Stores

/// The options of `jsbridge profile`.
struct ProfileOptions: Hashable {
    var file = ""
    /// The file for a flame graph; `nil` for none.
    var flameGraph: String?
    /// The title of the flame graph; by default the name of the file.
    var title: String?
    /// The number of functions that are shown.
    var limit = 20

    /// Checks that the picture does not overwrite the profile.
    func refuseSharedFiles() throws(UsageError) {
        guard let flameGraph else { return }
        let files = [
            FileUse("the profile", file == "-" ? FileUse.standardInput : file),
            FileUse("--flame-graph", flameGraph, isWritten: true),
        ]
        try files.refuseOverwriting(about: .profile)
    }
}

extension Invocation {
    /// Parses the arguments of `profile`.
    static func profile(_ reader: inout ArgumentReader) throws(UsageError) -> Invocation {
        var options = ProfileOptions()
        while let argument = try reader.next(about: .profile) {
            switch argument {
            case .option("--help"), .option("-h"):
                try reader.refuseValue(about: .profile)
                return .help(.profile)
            case .option("--flame-graph"):
                options.flameGraph = try reader.value(of: "--flame-graph", named: "OUT", about: .profile)
            case .option("--title"):
                options.title = try reader.value(of: "--title", named: "TEXT", about: .profile)
            case .option("--limit"):
                options.limit = try limit(
                    reader.value(of: "--limit", named: "N", about: .profile),
                    about: .profile
                )
            case .option(let option):
                throw unknown(
                    option,
                    among: ["--flame-graph", "--help", "--limit", "--title"],
                    about: .profile
                )
            case .operand(let operand):
                guard options.file.isEmpty, !operand.isEmpty else {
                    throw UsageError("one profile at a time, not also '\(operand)'", about: .profile)
                }
                options.file = operand
            }
        }
        guard !options.file.isEmpty else { throw UsageError("a profile is missing", about: .profile) }
        return .profile(options)
    }

    /// Parses the number of `--limit`.
    static func limit(_ text: String, about topic: HelpTopic) throws(UsageError) -> Int {
        guard let limit = Int(text), (1...1_000_000).contains(limit) else {
            throw UsageError(
                "'--limit' takes a number from 1 to 1000000, not \(MessageText.quoted(text))",
                about: topic
            )
        }
        return limit
    }
}

/// The command `jsbridge profile`: the functions of a CPU profile, and its flame graph.
struct ProfileCommand {
    let options: ProfileOptions
    let output: CommandOutput

    /// Shows the profile.
    ///
    /// - Returns: The exit status.
    func run() -> Int32 {
        do {
            let profile = try RecordedInput.read(options.file) { bytes throws(ProfilerError) in
                try CPUProfile(contentsOf: bytes)
            }
            if let path = options.flameGraph {
                let name = options.file.split(separator: "/").last.map(String.init) ?? options.file
                let picture = profile.flameGraph(title: options.title ?? name)
                try RecordingFile("--flame-graph", path).write { try $0(Array(picture.utf8)) }
            }
            for line in lines(of: profile) { try output.print(line) }
            return ExitStatus.success
        } catch {
            return ExitStatus.after(error, output)
        }
    }

    private func lines(of profile: CPUProfile) -> [String] {
        let (total, count) = (profile.runningTime, profile.runningSampleCount)
        guard count > 0 else { return ["no samples: no script ran for a millisecond"] }
        let each = DecimalText.of(Double(total) / Double(count) / 1000)
        let idle = profile.endTime - profile.startTime - total
        var table = TextTable([.right, .right, .right, .right, .left])
        table.add("self", "", "total", "", "function")
        let functions = profile.functions
        for function in functions.prefix(options.limit) {
            let place = function.callFrame.place.map { "  \($0)" } ?? ""
            table.add(
                DecimalText.milliseconds(function.selfTime),
                FigureText.percent(function.selfTime, of: total),
                DecimalText.milliseconds(function.totalTime),
                FigureText.percent(function.totalTime, of: total),
                function.callFrame.displayName + place
            )
        }
        let rest = functions.count - options.limit
        return [
            "\(DecimalText.milliseconds(total)) in \(FigureText.count(count, "sample")) of \(each) ms, "
                + "\(DecimalText.milliseconds(max(0, idle))) idle", "",
        ] + table.lines + (rest > 0 ? ["(\(FigureText.count(rest, "more function", "more functions")))"] : [])
    }
}

/// An input file of a command that shows a recording.
enum RecordedInput {
    /// Reads and decodes a file; `-` is standard input.
    ///
    /// - Throws: ``CommandFailure`` with the status of an input that cannot be read.
    static func read<Content>(
        _ path: String,
        _ decode: ([UInt8]) throws(ProfilerError) -> Content
    ) throws(CommandFailure) -> Content {
        do {
            return try decode(try bytes(of: path))
        } catch {
            let reason = CommandError("\(Printable.text(path)): \(ErrorText.plain(error))")
            throw CommandFailure(status: ExitStatus.noInput, reason: reason)
        }
    }

    private static func bytes(of path: String) throws(CommandError) -> [UInt8] {
        let descriptor = path == "-" ? dup(STDIN_FILENO) : open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw CommandError(String(cString: strerror(errno))) }
        defer { close(descriptor) }
        var bytes: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 1 << 20)
        while true {
            let count = Foundation.read(descriptor, &chunk, chunk.count)
            guard count >= 0 || errno == EINTR else { throw CommandError(String(cString: strerror(errno))) }
            guard count != 0 else { return bytes }
            bytes += chunk.prefix(max(0, count))
        }
    }
}
