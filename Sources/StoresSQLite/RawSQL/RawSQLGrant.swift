/// A grant for external SQL: reading some entities, within limits.
///
/// External SQL is refused without an explicit grant. No grant allows writing, because changes must go through
/// transactions, which validate and report them.
public struct RawSQLGrant: Sendable, Hashable {
    /// The names of the entities that may be read.
    public var readableEntities: Set<String>
    /// The maximum number of rows of a query's result.
    public var maximumRows = 10_000
    /// The maximum number of bytes of one value, including intermediate values.
    public var maximumValueBytes = 1 << 20
    /// The maximum number of bytes of a query's SQL.
    public var maximumSQLBytes = 10_000
    /// The maximum duration of a query.
    public var timeLimit = Duration.seconds(1)

    /// Creates a grant for reading entities.
    public init(readableEntities: Set<String>) { self.readableEntities = readableEntities }
}
