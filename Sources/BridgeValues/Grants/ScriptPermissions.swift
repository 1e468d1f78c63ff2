/// The files and environment variables that scripts may use through `bridge:fs` and `bridge:process`.
///
/// ```swift
/// var permissions = ScriptPermissions()
/// permissions.allowReading("/srv/reports")
/// permissions.allowWriting("/srv/reports/out")
/// permissions.allowEnvironment(["LANG"])
/// configuration.permissions = permissions
/// ```
///
/// Nothing is allowed by default, in any tier. A path that is allowed is a file, or a folder with all that is below it.
/// No path and no symbolic link leads out of the folder, whatever changes meanwhile: links below it are not followed.
/// Files that show the kernel, such as those of `/proc`, are refused.
public struct ScriptPermissions: Sendable, Hashable {
    /// The kinds of access to files.
    public enum FileAccess: String, Sendable, Hashable, Codable, CaseIterable {
        /// Reading files and their status, listing folders, and watching both.
        case read
        /// Creating, changing, renaming and removing files and folders.
        case write
    }

    /// A request for a permission that a script does not have.
    public enum Request: Sendable, Hashable {
        /// An access to a file or folder.
        ///
        /// `path` is absolute, with the symbolic links in its folders resolved: a decision is about this path. `requested`
        /// is the absolute path that the script requested, in which `.` and `..` are resolved by the names alone.
        case file(FileAccess, path: String, requested: String)
        /// A read of the environment variable with this name, which need not be set.
        case environment(String)
    }

    /// The decision about a request.
    public enum Decision: Sendable, Hashable {
        /// The request is allowed; the next one for the same is asked for again.
        case allowOnce
        /// The same request is allowed as long as the bridge exists, for a folder also below it.
        case allow
        /// The same request is denied as long as the bridge exists, with a hint for the script's author.
        case deny(hint: String?)
    }

    /// The paths that scripts may read.
    public private(set) var readablePaths: [String] = []
    /// The paths that scripts may write.
    public private(set) var writablePaths: [String] = []
    /// The names of the environment variables that scripts may read.
    public private(set) var environmentNames: Set<String> = []
    /// The paths that scripts may not read, even if they are in a folder that is allowed.
    public private(set) var deniedReadablePaths: [String] = []
    /// The paths that scripts may not write, even if they are in a folder that is allowed.
    public private(set) var deniedWritablePaths: [String] = []
    /// The names of the environment variables that scripts may not read, even if they are allowed.
    public private(set) var deniedEnvironmentNames: Set<String> = []
    /// A Boolean value that indicates whether scripts may read all environment variables.
    public var allowsWholeEnvironment = false
    /// The folder from which relative paths start; `nil` means the working directory of the process.
    public var baseFolder: String?
    /// The maximum number of bytes of a file that a script reads as a whole, and of one write.
    public var maximumFileBytes = 64 << 20
    /// The maximum number of bytes of a line that a script reads.
    public var maximumLineBytes = 1 << 20

    /// Creates permissions that allow nothing.
    public init() {}

    /// Allows reading a file, or a folder with all that is below it.
    ///
    /// - Parameter path: The path on the host. Symbolic links in it are followed when the first script imports
    ///   `bridge:fs`. A file need not exist, its folder must.
    public mutating func allowReading(_ path: String) { readablePaths.append(path) }

    /// Allows writing a file, or all that is below a folder.
    ///
    /// Writing does not include reading.
    ///
    /// - Parameter path: The path on the host, as of ``allowReading(_:)``.
    public mutating func allowWriting(_ path: String) { writablePaths.append(path) }

    /// Allows reading environment variables.
    public mutating func allowEnvironment(_ names: Set<String>) { environmentNames.formUnion(names) }

    /// Denies reading a file, or a folder with all that is below it, even if it is allowed.
    ///
    /// The host is not asked for it. A folder that contains a denied path cannot be renamed.
    ///
    /// - Parameter path: The path on the host, which need not exist. Symbolic links in it are followed at each access.
    public mutating func denyReading(_ path: String) { deniedReadablePaths.append(path) }

    /// Denies writing a file, or a folder with all that is below it, even if it is allowed.
    ///
    /// The host is not asked for it. A folder that contains a denied path can be neither renamed nor removed.
    ///
    /// - Parameter path: The path on the host, as of ``denyReading(_:)``.
    public mutating func denyWriting(_ path: String) { deniedWritablePaths.append(path) }

    /// Denies reading environment variables, even if they are allowed.
    ///
    /// The host is not asked for them.
    public mutating func denyEnvironment(_ names: Set<String>) { deniedEnvironmentNames.formUnion(names) }

    /// Returns the denied paths of one kind of access.
    package func deniedPaths(_ access: FileAccess) -> [String] {
        switch access {
        case .read: deniedReadablePaths
        case .write: deniedWritablePaths
        }
    }

    /// Returns the paths of one kind of access.
    package func paths(_ access: FileAccess) -> [String] {
        switch access {
        case .read: readablePaths
        case .write: writablePaths
        }
    }

    /// Returns whether an environment variable is allowed.
    package func allowsEnvironment(_ name: String) -> Bool {
        !deniesEnvironment(name) && (allowsWholeEnvironment || Self.contains(name, in: environmentNames))
    }

    /// Returns whether an environment variable is denied, even if it is allowed.
    package func deniesEnvironment(_ name: String) -> Bool { Self.contains(name, in: deniedEnvironmentNames) }

    private static func contains(_ name: String, in names: Set<String>) -> Bool {
        names.contains { $0.utf8.elementsEqual(name.utf8) }
    }
}
