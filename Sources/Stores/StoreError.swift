public import BridgeValues
public import Foundation

/// What went wrong in a store: a code for programs and a sentence for people.
///
/// Scripts get another sentence where this one has names of files, SQL or what a file holds (``messageForScripts``).
public struct StoreError: ErrorForScripts, Sendable, Hashable, CustomStringConvertible {
    /// What kind of thing went wrong.
    public enum Code: String, Sendable, Hashable, CaseIterable {
        /// The file cannot be opened, read or written.
        case cannotOpen
        /// The file is there but is not a database, or is damaged.
        case notADatabase
        /// The disk or the database's own size limit is full.
        case full
        /// Another process or connection held the store for too long.
        case busy
        /// No entity or attribute has that name, or it has another shape.
        case schema
        /// A value is not of its attribute's type, or is missing where one must be.
        case invalidValue
        /// A row with that unique value is there already.
        case notUnique
        /// A line of imported text is wrong.
        case importFailed
        /// A request cannot be carried out as written.
        case invalidRequest
        /// The transaction has ended, or the store is closed.
        case closed
        /// The row is not there any more.
        case notFound
        /// A relationship's delete rule, or a missing grant, forbids it.
        case denied
        /// The store's model is of a newer version than the program's.
        case newerModel
        /// The store's model is of an older version and cannot be brought to the program's.
        case migrationFailed
        /// The thread that holds the store waits for the one that asks, so that neither would ever go on.
        case wouldDeadlock
        /// The store's file, or one of those beside it, was deleted or replaced while the store was open: nothing more
        /// can be committed.
        case fileReplaced
        /// The work was ended before it was done, at a time limit (``Store/withTimeLimit(_:_:)``).
        case terminated
        /// A request or a file is larger than a documented limit.
        case limitExceeded
        /// The database reported something else.
        case failed
    }

    /// What kind of thing went wrong.
    public let code: Code
    /// What went wrong, in a sentence: with the entity, attribute, file or line that it is about.
    public let message: String
    /// What went wrong, as scripts are told: without paths of the host, SQL, and content of files.
    public let messageForScripts: String

    /// Makes an error.
    ///
    /// - Parameters:
    ///   - code: What kind of thing went wrong.
    ///   - message: What went wrong, for the program.
    ///   - messageForScripts: What scripts are told. Without it they are told the message, or, of kinds whose messages have
    ///     names of files, what the kind means.
    public init(_ code: Code, _ message: String, forScripts messageForScripts: String? = nil) {
        self.code = code
        self.message = message
        self.messageForScripts = messageForScripts ?? code.meaningForScripts ?? message
    }

    /// The sentence.
    public var description: String { message }
}

extension StoreError: LocalizedError {
    /// The sentence, for programs that log `localizedDescription`.
    public var errorDescription: String? { message }
}

extension StoreError {
    /// Whether code and message are the same; what scripts are told follows from where an error was thrown.
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
    /// What scripts are told of errors of this kind; `nil` where messages have nothing that is not theirs.
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
        case .migrationFailed: "the store's model cannot be brought to the program's"
        case .failed: "the store failed"
        }
    }
}
