/// How a store uses its database: for tests and for the store's own defaults.
package struct SQLiteConfiguration: Sendable {
    /// How long to wait for another process that holds the database.
    package var busyTimeoutMilliseconds = 5_000
    /// How many pages of 4 KiB the database may have; `nil` leaves it to the disk.
    package var maximumPages: Int?
    /// How many readers are kept open between reads; more are opened when more threads read at once.
    package var idleReaders = 4
    /// How many pages the log may have before they are moved into the database file.
    package var checkpointPages = 1_000
    /// Called before each step of a migration with its number: for tests, which throw there.
    package var beforeMigrationStep: (@Sendable (Int) throws -> Void)?

    /// Makes the default configuration.
    package init() {}
}
