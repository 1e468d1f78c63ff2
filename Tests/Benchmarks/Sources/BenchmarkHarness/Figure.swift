/// What the number of a case is.
public enum Figure: Sendable, Hashable {
    /// The time of the plain work divided by ours: higher is better.
    case ratio
    /// The time of one operation of ours in microseconds: lower is better.
    case microseconds
    /// A number that the work itself gives as ``Outcome/amount``, with its unit: lower is better.
    case amount(String)
}

extension Figure {
    /// Whether the number is made of times.
    var isTime: Bool {
        if case .amount = self { false } else { true }
    }

    /// Which of two numbers of a case without plain work is the better one.
    public enum Better: String, Sendable, Hashable, Codable {
        /// The smaller number, as of times and sizes.
        case lower
        /// The larger number, as of rates.
        case higher
    }
}
