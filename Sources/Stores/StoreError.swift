public import BridgeValues
public import Foundation

/// An error of a store, with a code for programs and a message for people.
///
/// Scripts get a different message if this one contains file names, SQL or the content of files
/// (``messageForScripts``).
public struct StoreError: ErrorForScripts, Sendable, Hashable, CustomStringConvertible {
    /// The kind of an error.
    public enum Code: String, Sendable, Hashable, CaseIterable {
        /// The file cannot be opened, read or written.
        case cannotOpen
        /// The file exists but is not a database, or is damaged.
        case notADatabase
        /// The disk is full, or the database has reached its own size limit.
        case full
        /// Another process or connection locked the store for too long.
        case busy
        /// An entity or attribute does not exist, or has a different schema.
        case schema
        /// A value does not have its attribute's type, or a required value is missing.
        case invalidValue
        /// Another row has the same unique value.
        case notUnique
        /// A line of an imported file is invalid.
        case importFailed
        /// A request is invalid.
        case invalidRequest
        /// The transaction has ended, or the store is closed.
        case closed
        /// The row does not exist any more.
        case notFound
        /// A relationship's delete rule, or a missing grant, does not allow the operation.
        case denied
        /// The store's model is newer than the program's.
        case newerModel
        /// The store's model is older and cannot be migrated to the program's.
        case migrationFailed
        /// The thread that holds the store waits for the calling thread, so both would wait forever.
        case wouldDeadlock
        /// The store's file, or a file next to it, was deleted or replaced while the store was open.
        ///
        /// Nothing more can be committed.
        case fileReplaced
        /// The work was terminated at a time limit (``Store/withTimeLimit(_:_:)``).
        case terminated
        /// A request or a file is larger than a documented limit.
        case limitExceeded
        /// The database reported another error.
        case failed
    }

    /// The kind of the error.
    public let code: Code
    /// The description of the error, including the entity, attribute, file or line.
    public let message: String
    /// The description for scripts, without host paths, SQL and content of files.
    public let messageForScripts: String

    /// Creates an error.
    ///
    /// - Parameters:
    ///   - code: The kind of the error.
    ///   - message: The description for the program.
    ///   - messageForScripts: The description for scripts. If `nil`, scripts get a general description for codes whose
    ///     messages may contain file names, and `message` for others.
    public init(_ code: Code, _ message: String, forScripts messageForScripts: String? = nil) {
        self.code = code
        self.message = message
        self.messageForScripts = messageForScripts ?? code.meaningForScripts ?? message
    }

    /// The error's message.
    public var description: String { message }
}

extension StoreError: LocalizedError {
    /// The error's message, for programs that log `localizedDescription`.
    public var errorDescription: String? { message }
}

extension StoreError {
    /// Returns whether code and message are equal; the message for scripts is not compared, because it follows from
    /// where the error was thrown.
    public static func == (first: StoreError, second: StoreError) -> Bool {
        first.code == second.code && first.message == second.message
    }

    /// Hashes code and message.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(code)
        hasher.combine(message)
    }
}

extension StoreError.Code {
    /// The general description for scripts; `nil` for codes whose messages contain only data that scripts may see.
    fileprivate var meaningForScripts: String? {
        switch self {
        case .schema, .invalidValue, .notUnique, .invalidRequest, .notFound, .denied, .wouldDeadlock,
            .terminated,
            .limitExceeded:
            nil
        case .fileReplaced: "the store's file was deleted or replaced"
        case .cannotOpen: "the store or the file cannot be opened, read or written"
        case .notADatabase: "the store's file is damaged or not a database"
        case .full: "the disk or the store's own size limit is full"
        case .busy: "another process held the store for too long"
        case .importFailed: "the imported text is wrong"
        case .closed: "the store is closed, or the transaction has ended"
        case .newerModel: "the store's model is newer than the program's"
        case .migrationFailed: "the store's model cannot be migrated to the program's"
        case .failed: "the store failed"
        }
    }
}
