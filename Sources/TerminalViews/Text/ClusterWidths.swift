/// The widths of the four classes of clusters on which terminals disagree.
///
/// A terminal is asked by printing the samples and requesting the cursor's position. Until then, and in a terminal
/// that does not answer, a cluster is as wide as the sum of its code points.
public struct ClusterWidths: Sendable, Hashable {
    /// A Boolean value that indicates whether emoji joined by U+200D take two cells together.
    public var joinsFamilies = false
    /// A Boolean value that indicates whether an emoji and its skin tone take two cells together.
    public var joinsSkinTones = false
    /// A Boolean value that indicates whether U+FE0F makes a character two cells wide.
    public var widensPresentation = false
    /// A Boolean value that indicates whether two regional indicators take two cells together.
    public var joinsFlags = true

    /// The clusters to print, in the order of the measured widths.
    static let samples = ["👩‍👩‍👧", "👍🏽", "❤\u{FE0F}", "🇩🇪"]

    /// Creates the widths of a terminal that was not asked.
    public init() {}

    /// Creates the widths from those measured of the samples.
    init(measured: [Int]) {
        guard measured.count == Self.samples.count else { return }
        joinsFamilies = measured[0] == 2
        joinsSkinTones = measured[1] == 2
        widensPresentation = measured[2] == 2
        joinsFlags = measured[3] == 2
    }
}
