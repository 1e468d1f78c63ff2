internal import BridgeValues
internal import Stores

/// The options that permit files and environment variables.
struct PermissionArguments {
    /// The topic of the command.
    var topic = HelpTopic.run
    private(set) var permissions = ScriptPermissions()

    /// Reads `--allow-env`, whose value is joined, because without one all variables are allowed.
    ///
    /// - Returns: Whether the option is this one.
    mutating func readEnvironment(
        _ option: String,
        _ reader: inout ArgumentReader
    ) throws(UsageError) -> Bool {
        guard option == "--allow-env" else { return false }
        if let value = try reader.joinedValue(of: option, about: topic) {
            permissions.allowEnvironment(Set(try names(value, of: option)))
        } else {
            permissions.allowsWholeEnvironment = true
        }
        return true
    }

    /// Reads the value of an option of files, or of variables that are denied.
    ///
    /// - Returns: Whether it is one: a value of `--allow-read` or `--deny-read` may be data.
    mutating func read(_ option: String, _ value: String) throws(UsageError) -> Bool {
        switch option {
        case "--allow-write":
            for path in try names(value, of: option) { permissions.allowWriting(path) }
        case "--allow-read" where Self.isPath(value) || topic != .run:
            for path in try names(value, of: option) { permissions.allowReading(path) }
        case "--deny-write":
            for path in try names(value, of: option) { permissions.denyWriting(path) }
        case "--deny-read" where Self.isPath(value) || topic != .run:
            for path in try names(value, of: option) { permissions.denyReading(path) }
        case "--deny-env": permissions.denyEnvironment(Set(try names(value, of: option)))
        default: return false
        }
        return true
    }

    /// Returns whether a value of `--allow-read` is a path: data has no slash in the name of its entity.
    private static func isPath(_ value: String) -> Bool {
        let name = value.prefix { $0 != "(" && $0 != "?" }
        return name.utf8.contains(UInt8(ascii: "/")) || name == "." || name == ".."
    }

    /// Returns the names of a list; two commas are one comma of a name.
    private func names(_ value: String, of option: String) throws(UsageError) -> [String] {
        var names = [""]
        var rest = value.unicodeScalars[...]
        while let scalar = rest.popFirst() {
            if scalar != "," {
                names[names.count - 1].unicodeScalars.append(scalar)
            } else if rest.first == "," {
                rest.removeFirst()
                names[names.count - 1].unicodeScalars.append(scalar)
            } else {
                names.append("")
            }
        }
        guard !names.contains("") else {
            throw UsageError("'\(option)' has an empty name in \(MessageText.quoted(value))", about: topic)
        }
        return names
    }
}
