/// An error whose message for scripts omits details: names of files, SQL, or content that the script may not see.
public protocol ErrorForScripts: Error {
    /// The message without the details that only the program may see.
    var messageForScripts: String { get }
}
