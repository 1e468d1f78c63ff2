/// How `console` lays its output out.
///
/// The layout is that of Node's `util.inspect`: lines of up to 80 columns, three levels deep. What is set here is what
/// depends on where the output goes.
public struct ConsoleStyle: Sendable, Hashable {
    /// The levels whose values are shown in the colors of a terminal; none by default.
    public var coloredLevels: Set<ConsoleMessage.Level>
    /// How many columns a line of `console.table` may have; `nil` for any number.
    ///
    /// Wider tables have their widest cells cut.
    public var columns: Int?

    /// Makes a style.
    public init(coloredLevels: Set<ConsoleMessage.Level> = [], columns: Int? = nil) {
        self.coloredLevels = coloredLevels
        self.columns = columns
    }
}
