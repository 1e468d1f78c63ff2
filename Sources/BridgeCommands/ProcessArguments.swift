/// What the process was given on its command line.
public enum ProcessArguments {
    /// What follows the program's name, byte by byte as it was given.
    ///
    /// `CommandLine.arguments` repairs what is no UTF-8: the name of another file would come of the name of one.
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
