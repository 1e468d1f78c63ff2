/// What somebody may do with SQL of their own: read some entities, within limits.
///
/// Nobody has it who was not given it by name. There is no grant to write: what changes rows goes through
/// transactions, which check and tell it.
public struct RawSQLGrant: Sendable, Hashable {
    /// The entities that may be read.
    public var readableEntities: Set<String>
    /// How many rows a query may give.
    public var maximumRows = 10_000
    /// How many bytes one value may have, also on the way.
    public var maximumValueBytes = 1 << 20
    /// How many bytes a query's text may have.
    public var maximumSQLBytes = 10_000
    /// How long a query may run.
    public var timeLimit = Duration.seconds(1)

    /// Grants reading entities.
    public init(readableEntities: Set<String>) { self.readableEntities = readableEntities }
}
