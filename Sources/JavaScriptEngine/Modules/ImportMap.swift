internal import BridgeValues
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

    /// Returns the URL that the map has for a specifier; `nil` if it has none.
    ///
    /// - Parameters:
    ///   - specifier: The specifier.
    ///   - url: The specifier's URL, if it is a URL or a path.
    ///   - referrer: The URL of the module that has the import.
    ///   - base: The URL that the addresses of the map are relative to.
    /// - Returns: The URL, or `nil`.
    /// - Throws: ``ModuleError`` for a specifier that the map refuses, and one that leads out of the address of its prefix.
    func url(of specifier: String, url: String?, from referrer: String, base: String) throws -> String? {
        guard !imports.isEmpty || !scopes.isEmpty else { return nil }
        let lookup = ImportMapLookup(specifier: specifier, url: url ?? specifier, base: base)
        let matching = scopes.filter {
            ByteEqualString($0.key) == ByteEqualString(referrer)
                || $0.key.utf8.last == UInt8(ascii: "/") && referrer.utf8.starts(with: $0.key.utf8)
        }
        for (_, table) in matching.sorted(by: { $0.key.utf8.count > $1.key.utf8.count }) {
            if let found = try lookup.find(in: table) { return found }
        }
        return try lookup.find(in: imports)
    }
}

/// A search for a specifier, and for its URL, in the tables of an import map.
private struct ImportMapLookup {
    let specifier: String
    let url: String
    let base: String

    func find(in table: [String: String?]) throws -> String? {
        try find(specifier, in: table) ?? (url == specifier ? nil : find(url, in: table))
    }

    private func find(_ name: String, in table: [String: String?]) throws -> String? {
        // The bytes count: Swift takes strings with other bytes for equal if they look the same.
        if let index = table.index(forKey: name), table[index].key.utf8.elementsEqual(name.utf8) {
            return try target(of: name, address: table[index].value, rest: nil)
        }
        let prefix = table.keys
            .filter { $0.utf8.last == UInt8(ascii: "/") && name.utf8.starts(with: $0.utf8) }
            .max { $0.utf8.count < $1.utf8.count }
        guard let prefix, let address = table[prefix] else { return nil }
        return try target(of: name, address: address, rest: Substring(name.utf8.dropFirst(prefix.utf8.count)))
    }

    private func target(of name: String, address: String?, rest: Substring?) throws -> String {
        guard let address else {
            throw ModuleError.unresolved(name, from: nil, "is refused by the import map")
        }
        guard let start = ModuleURL.resolve(address, against: base) else {
            throw ModuleError.unresolved(
                address,
                from: nil,
                "in the import map is neither a URL nor a path"
            )
        }
        guard let rest else { return start }
        let target = ModuleURL.resolve(address + rest, against: base) ?? ""
        guard start.utf8.last == UInt8(ascii: "/"), target.utf8.starts(with: start.utf8) else {
            throw ModuleError.unresolved(name, from: nil, "leads out of \"\(address)\" in the import map")
        }
        return target
    }
}
