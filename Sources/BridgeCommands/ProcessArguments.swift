/// The command-line arguments of the process.
public enum ProcessArguments {
    /// The arguments after the program's name, as unchanged bytes.
    ///
    /// `CommandLine.arguments` repairs invalid UTF-8, which could turn a file name into that of another file.
    public static var bytes: [[UInt8]] {
        (1..<max(1, Int(CommandLine.argc))).compactMap { index in
            CommandLine.unsafeArgv[index].map { argument in
                [UInt8](
                    UnsafeBufferPointer(start: argument, count: length(of: argument)).lazy.map(
                        UInt8.init(bitPattern:)
                    )
                )
            }
        }
    }

    private static func length(of text: UnsafeMutablePointer<CChar>) -> Int {
        var length = 0
        while text[length] != 0 { length += 1 }
        return length
    }
}
