/// The layout of `console` output.
///
/// The layout is that of Node's `util.inspect`: lines of up to 80 columns, three levels deep. The settings here depend
/// on the destination of the output.
public struct ConsoleStyle: Sendable, Hashable {
    /// The levels whose values are shown in the colors of a terminal; none by default.
    public var coloredLevels: Set<ConsoleMessage.Level>
    /// The maximum number of columns in a line of `console.table`; `nil` for any number.
    ///
    /// The widest cells of wider tables are cut.
    public var columns: Int?

    /// Creates a style.
    public init(coloredLevels: Set<ConsoleMessage.Level> = [], columns: Int? = nil) {
        self.coloredLevels = coloredLevels
        self.columns = columns
    }
}
