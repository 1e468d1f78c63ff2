/// The type of a module, as `with { type }` of an import requests it.
public enum ModuleType: String, Sendable, Hashable, CaseIterable {
    /// A JavaScript module, which an import without a type requests.
    case javaScript = "javascript"
    /// A JSON document, whose value is the default export.
    case json
    /// A string, which is the default export.
    case text
    /// Bytes, which are the default export as a `Uint8Array`.
    case bytes
}

/// A module that a script imports and that is not loaded yet.
public struct ModuleRequest: Sendable, Hashable {
    /// The URL, as the resolver has returned it.
    public let url: String
    /// The type that the import requests.
    public let type: ModuleType
    /// The URL of the script or module that imports it first; `nil` for an import by native code.
    public let referrer: String?
    /// A Boolean value that indicates whether `require` of a CommonJS module requests it.
    public let isRequired: Bool

    /// Creates a request.
    public init(
        url: String,
        type: ModuleType = .javaScript,
        referrer: String? = nil,
        isRequired: Bool = false
    ) {
        self.isRequired = isRequired
        self.url = url
        self.type = type
        self.referrer = referrer
    }
}

/// The format of a source whose type is ``ModuleType/javaScript``.
public enum ModuleFormat: Sendable, Hashable {
    /// An ES module.
    case module
    /// A CommonJS module, which has `require`, `module` and `exports`.
    case commonJS
    /// A CommonJS module if the source is valid as the body of a function, else an ES module.
    case detected
}

/// The source of a module.
public struct ModuleSource: Sendable, Hashable {
    /// The type of the source, which must be the requested one.
    public let type: ModuleType
    /// The format of a source whose type is ``ModuleType/javaScript``.
    public var format = ModuleFormat.module
    /// The content: text, or UTF-8 for every type but ``ModuleType/bytes``.
    let content: Content

    enum Content: Sendable, Hashable {
        case text(String)
        case bytes([UInt8])
    }

    /// Creates a source from a string.
    public init(_ text: String, type: ModuleType = .javaScript) {
        self.type = type
        content = .text(text)
    }

    /// Creates a source from bytes, which are UTF-8 for every type but ``ModuleType/bytes``.
    public init(bytes: [UInt8], type: ModuleType) {
        self.type = type
        content = .bytes(bytes)
    }
}

/// The response of a loader.
public enum ModuleLoadResponse: Sendable {
    /// The source is there.
    case sync(ModuleSource)
    /// The source is loaded in a task of its own, which is cancelled when the context is closed.
    case async(@Sendable () async throws -> ModuleSource)
}

/// A loader of the sources of modules, by their URLs.
///
/// A module is loaded once. If loading fails, the import is rejected with the error, and the next import tries again.
public protocol ModuleLoader: Sendable {
    /// Returns the source of a module, or a function that loads it.
    ///
    /// It runs inside a turn, on the thread of the context.
    func load(_ request: ModuleRequest) throws -> ModuleLoadResponse

    /// Returns the loader of a module's source map, if the map is not in the module's text; `nil` by default.
    ///
    /// It is used when the frames of an error of the module are first read, on the reading thread.
    ///
    /// - Parameter url: The URL of the module.
    /// - Returns: The loader.
    func sourceMaps(of url: String) -> SourceMapLoader?
}

extension ModuleLoader {
    /// Returns `nil`: only maps in the texts of modules are used.
    public func sourceMaps(of url: String) -> SourceMapLoader? { nil }
}

/// A loader of modules that are given as strings, by their URLs.
public struct StringModuleLoader: ModuleLoader {
    private let sources: [String: ModuleSource]

    /// Creates a loader of JavaScript modules, by their URLs.
    public init(_ sources: [String: String]) {
        self.sources = sources.mapValues { ModuleSource($0) }
    }

    /// Creates a loader of modules, by their URLs.
    public init(sources: [String: ModuleSource]) { self.sources = sources }

    /// Returns the source of a module.
    ///
    /// - Throws: ``ModuleError`` if there is none.
    public func load(_ request: ModuleRequest) throws -> ModuleLoadResponse {
        guard let source = sources[request.url] else { throw ModuleError.notFound(request) }
        return .sync(source)
    }
}
