/// A column of a table.
public struct TableColumn: Sendable, Hashable {
    /// The name.
    public var name: String

    /// Creates a column.
    public init(_ name: String) { self.name = name }
}

/// Rows of strings that a browser shows, whose number may not be known yet.
///
/// A row keeps its number, from 0, for as long as the source exists: later rows get higher numbers, and numbers of
/// deleted rows are not used again. All members may be called on any thread at the same time.
public protocol TableSource: AnyObject, Sendable {
    /// The name for people.
    var name: String { get }
    /// The columns.
    var columns: [TableColumn] { get }
    /// The number of rows that can be read immediately, before ``load(_:)`` has begun.
    var firstRowCount: Int { get }

    /// Finds all rows, on the calling thread.
    ///
    /// - Parameter report: Receives what was found from time to time, and at the end; it returns `false` to stop.
    /// - Throws: Any error; the rows reported so far can be read.
    func load(_ report: (TableLoad) -> Bool) throws

    /// Returns the fields of a row, or an empty array for a deleted one.
    func row(_ number: Int) throws -> [String]

    /// Calls a closure for the rows of a range in ascending order, until it returns false; deleted rows are left out.
    func scan(_ range: Range<Int>, _ body: (Int, any TableFields) throws -> Bool) throws

    /// Returns the identity by which a row is found again after a restart, or `nil` for a deleted row.
    func identifier(ofRow number: Int) -> String?

    /// Returns the number of the row with an identity, or `nil` if there is none.
    func row(withIdentifier identifier: String) -> Int?

    /// Calls a closure for each change after all rows were found, until the returned object is released.
    func observe(_ handler: @escaping @Sendable (TableChange) -> Void) -> AnyObject?
}

extension TableSource {
    /// Returns the number of the row, for a table whose rows have no other identity.
    public func identifier(ofRow number: Int) -> String? { String(number) }
    /// Returns the identity as a number.
    public func row(withIdentifier identifier: String) -> Int? { Int(identifier) }
    /// Returns `nil`, for a table that does not change.
    public func observe(_ handler: @escaping @Sendable (TableChange) -> Void) -> AnyObject? { nil }
}

/// The rows that a source has found so far.
public struct TableLoad: Sendable, Hashable {
    /// The number of rows.
    public var rowCount: Int
    /// The part that was read, from 0 to 1; `nil` if it is not known.
    public var progress: Double?
    /// A sentence about what was read, such as the number of malformed records; `nil` for none.
    public var notice: String?

    /// Creates a report.
    public init(rowCount: Int, progress: Double? = nil, notice: String? = nil) {
        self.rowCount = rowCount
        self.progress = progress
        self.notice = notice
    }

    /// Returns the number of rows at which the next report is due.
    ///
    /// The distance between reports grows with the rows, from 4,096 to 131,072.
    static func nextReport(after count: Int) -> Int { count + max(4_096, min(count, 131_072)) }
}

/// A change of a table.
public struct TableChange: Sendable, Hashable {
    /// The number of rows so far, new ones included.
    public var rowCount: Int
    /// The numbers of new rows, of rows with other values, and of deleted rows.
    public var inserted: [Int], updated: [Int], deleted: [Int]

    /// Creates a change.
    public init(rowCount: Int, inserted: [Int] = [], updated: [Int] = [], deleted: [Int] = []) {
        self.rowCount = rowCount
        self.inserted = inserted
        self.updated = updated
        self.deleted = deleted
    }
}

/// The fields of one row during a scan.
public protocol TableFields {
    /// The number of fields.
    var count: Int { get }
    /// Returns a field.
    func string(_ index: Int) -> String
    /// Calls a closure with the UTF-8 bytes of a field, and returns its result.
    func withBytes(_ index: Int, _ body: (UnsafeBufferPointer<UInt8>) -> Bool) -> Bool
}

/// Fields that are strings already.
struct StringFields: TableFields {
    let strings: [String]
    var count: Int { strings.count }
    func string(_ index: Int) -> String { strings[index] }
    func withBytes(_ index: Int, _ body: (UnsafeBufferPointer<UInt8>) -> Bool) -> Bool {
        var string = strings[index]
        return string.withUTF8(body)
    }
}
