/// The questions to a terminal before the first frame: the widths of four clusters.
///
/// A terminal answers in the order of the questions, and every terminal answers the last one. What has no answer by
/// then has none. A terminal that does not answer at all delays the first frame by ``timeLimit``.
struct TerminalProbe {
    static let timeLimit = Duration.milliseconds(100)

    private var columns: [Int] = []

    /// The bytes of the questions.
    ///
    /// The samples are printed and erased at the top left corner.
    static let questions: [UInt8] = {
        let samples = ClusterWidths.samples.map { "\u{1B}[H\($0)\u{1B}[6n" }.joined()
        return Array((samples + "\u{1B}[H\u{1B}[K\u{1B}[c").utf8)
    }()

    /// Takes an answer, and returns the widths when the last one has arrived.
    mutating func receive(_ reply: TerminalReply) -> ClusterWidths? {
        switch reply {
        case .cursor(_, let column):
            columns.append(column)
            return nil
        case .deviceAttributes: return ClusterWidths(measured: columns)
        }
    }
}
