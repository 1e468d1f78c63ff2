public import Foundation

/// Modules by name, as in the import maps of HTML.
///
/// A name that ends with a slash maps all names that begin with it. A scope applies to the modules whose URL begins
/// with its name.
public struct ImportMap: Sendable, Hashable {
    /// The addresses by name; `nil` as an address refuses the name.
    public var imports: [String: String?]
    /// The addresses for the modules below a URL, which precede ``imports``.
    public var scopes: [String: [String: String?]]

    /// Creates a map.
    public init(imports: [String: String?] = [:], scopes: [String: [String: String?]] = [:]) {
        self.imports = imports
        self.scopes = scopes
    }

    /// Reads a map from JSON: `{ "imports": { "name": "./file.js" } }`.
    ///
    /// - Throws: ``ModuleError`` if it has another form.
    public init(json: Data) throws {
        struct Form: Decodable {
            var imports: [String: String?]?
            var scopes: [String: [String: String?]]?
        }
        do {
            let form = try JSONDecoder().decode(Form.self, from: json)
            self.init(imports: form.imports ?? [:], scopes: form.scopes ?? [:])
        } catch {
            throw ModuleError("the import map is not an object of names and addresses")
        }
    }

    /// Returns the address of a name; `nil` if the map does not have it.
    func address(of specifier: String, url: String?, from base: String) throws -> String? {
        guard !imports.isEmpty || !scopes.isEmpty else { return nil }
        let name = url ?? specifier
        for (scope, table) in scopes.sorted(by: { $0.key.utf8.count > $1.key.utf8.count })
        where base == scope || scope.hasSuffix("/") && base.hasPrefix(scope) {
            if let found = try Self.find(specifier, in: table) ?? Self.find(name, in: table) { return found }
        }
        return try Self.find(specifier, in: imports) ?? Self.find(name, in: imports)
    }

    private static func find(_ name: String, in table: [String: String?]) throws -> String? {
        let key =
            table[name] != nil
            ? name
            : table.keys.filter { $0.hasSuffix("/") && name.hasPrefix($0) }.max {
                $0.utf8.count < $1.utf8.count
            }
        guard let key, let entry = table[key] else { return nil }
        guard let address = entry else {
            throw ModuleError.unresolved(name, from: nil, "is refused by the import map")
        }
        guard key != name else { return address }
        let rest = name.dropFirst(key.count)
        guard address.hasSuffix("/"), !rest.split(separator: "/").contains("..") else {
            throw ModuleError.unresolved(name, from: nil, "leads out of \"\(address)\" in the import map")
        }
        return address + rest
    }
}
