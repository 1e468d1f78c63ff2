/// The packed identities of one state's sections and rows, the input of the differ.
public struct SectionedKeys: Sendable, Hashable {
    /// The identity of each section.
    public var sectionKeys: [Int64]
    /// The number of rows of each section.
    public var rowCounts: [Int]
    /// The identities of all rows, section after section.
    public var rowKeys: [Int64]

    /// Creates the keys of a state.
    ///
    /// The row counts must add up to the number of row keys.
    public init(sectionKeys: [Int64], rowCounts: [Int], rowKeys: [Int64]) {
        precondition(
            sectionKeys.count == rowCounts.count && rowCounts.reduce(0, +) == rowKeys.count,
            "\(sectionKeys.count) section keys, \(rowCounts.count) row counts and \(rowKeys.count) row keys disagree"
        )
        precondition(rowKeys.count < Int32.max, "a differ takes fewer than 2^31 rows")
        self.sectionKeys = sectionKeys
        self.rowCounts = rowCounts
        self.rowKeys = rowKeys
    }

    /// Creates the keys of one section.
    public init(_ rowKeys: [Int64]) {
        self.init(sectionKeys: [0], rowCounts: [rowKeys.count], rowKeys: rowKeys)
    }
}
