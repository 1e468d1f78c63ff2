/// A mark of a row that has changed a moment ago.
public enum ViewChangeMark: String, Sendable, Hashable {
    /// The row is new.
    case inserted
    /// The row has other values.
    case updated
}

/// A title that leads to a section.
public struct ViewIndexTitle: Sendable, Hashable {
    /// The title, of which a terminal shows the first character.
    public let title: String
    /// The section.
    public let section: Int

    /// Creates a title.
    public init(_ title: String, section: Int) {
        self.title = title
        self.section = section
    }
}

/// The order of rows by a column.
public struct ViewSort: Sendable, Hashable {
    /// The column.
    public var column: Int
    /// A Boolean value that indicates whether the highest value is first.
    public var isDescending: Bool

    /// Creates an order.
    public init(column: Int, isDescending: Bool = false) {
        self.column = column
        self.isDescending = isDescending
    }
}

/// The number of rows that match a search.
public struct ViewMatches: Sendable, Hashable {
    /// The number of matches that were found.
    public var count: Int
    /// A Boolean value that indicates whether all rows were searched.
    public var isComplete: Bool

    /// Creates a number of matches.
    public init(count: Int, isComplete: Bool) {
        self.count = count
        self.isComplete = isComplete
    }
}

/// An action on a row, as an item of a menu.
public struct ViewMenuItem: Sendable, Hashable {
    /// The identifier by which the action is performed.
    public var id: String
    /// The title.
    public var title: String
    /// A Boolean value that indicates whether the action cannot be undone.
    public var isDestructive: Bool
    /// A Boolean value that indicates whether the action is not possible at present.
    public var isDisabled: Bool

    /// Creates an item.
    public init(id: String, title: String, isDestructive: Bool = false, isDisabled: Bool = false) {
        self.id = id
        self.title = title
        self.isDestructive = isDestructive
        self.isDisabled = isDisabled
    }
}
