import Testing

/// Prints the lines of a process that has ended which begin with a prefix: the figures of a loop that ran there.
func show(_ result: ExitTest.Result?, linesOf prefix: String) {
    let lines = String(decoding: result?.standardOutputContent ?? [], as: UTF8.self).split(separator: "\n")
    for line in lines where line.hasPrefix(prefix) { print(line) }
}
