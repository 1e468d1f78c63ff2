/// An error that says less to scripts than to the program: it has names of files, SQL or content that is not theirs.
public protocol ErrorForScripts: Error {
    /// The message without what only the program may see.
    var messageForScripts: String { get }
}
