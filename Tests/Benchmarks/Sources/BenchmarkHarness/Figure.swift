/// The kind of a case's number.
public enum Figure: Sendable, Hashable {
    /// The time of the plain work divided by ours: higher is better.
    case ratio
    /// The time of one operation of ours in microseconds: lower is better.
    case microseconds
    /// A number that the work itself returns as ``Outcome/amount``, with its unit: lower is better.
    case amount(String)
}

extension Figure {
    /// A Boolean value that indicates whether the number is computed from times.
    var isTime: Bool {
        if case .amount = self { false } else { true }
    }

    /// The direction in which the number of a case without plain work improves.
    public enum Better: String, Sendable, Hashable, Codable {
        /// Smaller numbers are better, as for times and sizes.
        case lower
        /// Larger numbers are better, as for rates.
        case higher
    }
}
