import Testing

/// Prints the lines with a prefix of an exit test's output: the figures of the loop that ran there.
func show(_ result: ExitTest.Result?, linesOf prefix: String) {
    let lines = String(decoding: result?.standardOutputContent ?? [], as: UTF8.self).split(separator: "\n")
    for line in lines where line.hasPrefix(prefix) { print(line) }
}
