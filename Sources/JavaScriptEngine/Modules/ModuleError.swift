internal import BridgeValues
public import Foundation

/// An error of finding or loading a module, which rejects the import.
public struct ModuleError: Error, Sendable, Hashable, CustomStringConvertible, LocalizedError {
    /// The sentence that describes the error.
    public let description: String
    /// The same sentence, for programs that log `localizedDescription`.
    public var errorDescription: String? { description }

    /// Creates an error.
    public init(_ description: String) { self.description = description }

    /// Returns the error for a module that does not exist.
    public static func notFound(_ request: ModuleRequest) -> ModuleError {
        ModuleError("module \(Printable.quoted(request.url)) not found" + importer(request.referrer))
    }

    static func importer(_ referrer: String?) -> String {
        referrer.map { " (imported from \(Printable.quoted($0)))" } ?? ""
    }
}

extension Printable {
    /// Returns a string in quotation marks, cut to 200 characters.
    package static func quoted(_ text: String) -> String {
        let shown = text.prefix(200)
        return "\"\(Printable.text(String(shown)))\(shown.endIndex < text.endIndex ? "..." : "")\""
    }
}

extension ModuleError {
    static func unresolved(_ specifier: String, from referrer: String?, _ reason: String) -> ModuleError {
        ModuleError("\(Printable.quoted(specifier)) \(reason)\(importer(referrer))")
    }

    static func wrongType(_ request: ModuleRequest, found: ModuleType) -> ModuleError {
        let wanted =
            request.type == .javaScript
            ? "without a type"
            : """
            with the type "\(request.type.rawValue)"
            """
        return ModuleError(
            """
            module \(Printable.quoted(request.url)) has the type "\(found.rawValue)" and was imported \
            \(wanted)\(importer(request.referrer))
            """
        )
    }
}
