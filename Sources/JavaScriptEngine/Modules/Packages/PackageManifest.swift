internal import BridgeJSON
internal import BridgeValues

/// The members of a `package.json` by which modules are found.
struct PackageManifest: Sendable {
    /// The format of files that end with `.js`.
    enum FileType: Sendable { case module, commonJS, unknown }

    let name: String?
    let type: FileType
    let main: String?
    let module: String?
    /// The table of subpaths; `nil` if every file of the package can be imported.
    let exports: ValueObject?
    let imports: ValueObject

    /// Reads a manifest.
    ///
    /// - Throws: An error if the text is not a JSON object, or `exports` mixes subpaths and conditions.
    init(json text: String) throws {
        guard case .object(let members) = try JSONTextDecoder().decode(Value.self, from: text) else {
            throw ModuleError("it is not an object")
        }
        name = members["name"]?.stringValue
        type =
            switch members["type"]?.stringValue {
            case "module": .module
            case "commonjs": .commonJS
            default: .unknown
            }
        main = members["main"]?.stringValue
        module = members["module"]?.stringValue
        exports = try members["exports"].flatMap(Self.subpaths)
        imports = if case .object(let table) = members["imports"] { table } else { ValueObject() }
    }

    /// Returns a value of `exports` as a table of subpaths.
    private static func subpaths(of exports: Value) throws -> ValueObject? {
        switch exports {
        case .null, .undefined: return nil
        case .object(let table):
            let count = table.keys.filter { $0.utf8.first == UInt8(ascii: ".") }.count
            if count == table.keys.count, count > 0 { return table }
            guard count == 0 else { throw ModuleError("\"exports\" mixes subpaths and conditions") }
        default: break
        }
        return ValueObject([(".", exports)])
    }
}
