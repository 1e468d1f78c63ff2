/// The configuration of a store's database, for tests and for the store's own defaults.
package struct SQLiteConfiguration: Sendable {
    /// The maximum time to wait for another process that locks the database.
    package var busyTimeoutMilliseconds = 5_000
    /// The maximum number of 4 KiB pages of the database; `nil` means no limit but the disk.
    package var maximumPages: Int?
    /// The number of readers kept open between reads; more are opened if more threads read simultaneously.
    package var idleReaders = 4
    /// The number of pages in the log from which they are moved into the database file.
    package var checkpointPages = 1_000
    /// A Boolean value that indicates whether commits survive a loss of power.
    ///
    /// `false` waits for no disk: for a store that is deleted when its program ends.
    package var isDurable = true
    /// The access to the file.
    package var access = Access.write
    /// A hook that is called before each step of a migration with its number; tests throw there.
    package var beforeMigrationStep: (@Sendable (Int) throws -> Void)?

    /// The access of a store to its file.
    package enum Access: Sendable {
        /// Reads and writes; a file that does not exist is created.
        case write
        /// Reads, beside other processes that may write. SQLite may create the log and its index beside the file.
        case read
        /// Reads a file that no process writes meanwhile, without creating any file.
        case readImmutable
    }

    /// Creates the default configuration.
    package init() {}
}
