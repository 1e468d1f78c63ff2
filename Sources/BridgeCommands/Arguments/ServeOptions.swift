internal import Stores

/// The options of `jsbridge serve`.
struct ServeOptions: Hashable {
    /// The place where pages connect.
    enum Address: Hashable {
        /// A port of the loopback interface; 0 for any.
        case port(UInt16)
        /// A Unix socket.
        case socket(String)
    }

    /// The file, with the options that `browse` has for it too.
    var table: BrowseOptions
    var address = Address.port(0)
    /// The name of the column to group by; `nil` for none.
    var group: String?
    /// A Boolean value that indicates whether the page is opened in the user's browser.
    var opensBrowser = false
}

extension Invocation {
    private static let serveOptions =
        BrowseOptions.shared + ["--group", "--help", "--open", "--port", "--socket"]

    /// Parses the arguments of `serve`.
    static func serve(_ reader: inout ArgumentReader) throws(UsageError) -> Invocation {
        var options = ServeOptions(table: BrowseOptions(file: ""))
        var socket: String?
        var port: UInt16?
        while let argument = try reader.next(about: .serve) {
            switch argument {
            case .option("--help"), .option("-h"):
                try reader.refuseValue(about: .serve)
                return .help(.serve)
            case .option("--group"):
                options.group = try reader.value(of: "--group", named: "COLUMN", about: .serve)
            case .option("--open"): options.opensBrowser = true
            case .option("--port"):
                let value = try reader.value(of: "--port", named: "NUMBER", about: .serve)
                guard value.utf8.allSatisfy({ $0 >= 0x30 && $0 <= 0x39 }), let number = UInt16(value) else {
                    throw UsageError(
                        "'--port' takes a number from 0 to 65535, not \(MessageText.quoted(value))",
                        about: .serve
                    )
                }
                port = number
            case .option("--socket"):
                socket = try reader.value(of: "--socket", named: "PATH", about: .serve)
            case .option(let option):
                guard try options.table.take(option, from: &reader, about: .serve) else {
                    throw unknown(option, among: serveOptions, about: .serve)
                }
            case .operand(let operand): try options.table.take(file: operand, about: .serve)
            }
        }
        try options.table.finish(about: .serve)
        if options.table.isScript, options.group != nil {
            throw UsageError(
                "'--group' is for tables, and '\(options.table.file)' is a script",
                about: .serve
            )
        }
        if let socket {
            guard port == nil else {
                throw UsageError("'--port' and '--socket' exclude each other", about: .serve)
            }
            guard !options.opensBrowser else {
                throw UsageError(
                    "'--open' needs a port: a browser cannot open a Unix socket",
                    about: .serve
                )
            }
            options.address = .socket(socket)
        } else {
            options.address = .port(port ?? 0)
        }
        return .serve(options)
    }
}
