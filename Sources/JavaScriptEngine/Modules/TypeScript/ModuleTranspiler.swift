/// A translator of files in another language to JavaScript modules.
///
/// ``FolderModuleLoader/transpiler`` uses it for files with its endings.
public protocol ModuleTranspiler: Sendable {
    /// The endings of the files, with a dot and in lower case, and the ending of the JavaScript file that each replaces.
    ///
    /// An import of `a.js` finds `a.ts` with the endings `[".ts": ".js"]`, if there is no `a.js`.
    var fileExtensions: [String: String] { get }

    /// Returns the text of a module in JavaScript.
    ///
    /// A source map in its last comment is used for errors.
    ///
    /// - Parameters:
    ///   - text: The text of the file.
    ///   - url: The URL of the module.
    /// - Returns: The text of the module.
    /// - Throws: An error that rejects the import.
    func transpile(_ text: String, url: String) async throws -> String
}
