/// The modules that the scripts of a context can import.
public struct ModuleConfiguration: Sendable {
    /// The resolver of specifiers.
    public var resolver: any ModuleResolver
    /// The loader of sources.
    public var loader: any ModuleLoader
    /// Built-in modules by URL, such as `bridge:core`.
    ///
    /// A key that ends with a slash or a colon represents all URLs that begin with it. The URLs are specifiers, which the resolver
    /// does not see.
    public var builtIns: [String: BuiltInModule]
    /// A Boolean value that indicates whether ``JSContext/reloadModules(_:)`` replaces modules, which then have
    /// `import.meta.hot`.
    public var isReloadable = false
    /// The number of modules that a context may load; more may exhaust memory.
    public var maximumModuleCount = 10_000
    /// The number of bytes that all modules of a context may have; more may exhaust memory.
    public var maximumTotalBytes = 256 * 1024 * 1024

    /// Creates a configuration.
    public init(
        loader: any ModuleLoader,
        resolver: any ModuleResolver = URLModuleResolver(),
        builtIns: [String: BuiltInModule] = [:]
    ) {
        self.loader = loader
        self.resolver = resolver
        self.builtIns = builtIns
    }

    /// Returns the built-in module of a URL.
    func builtIn(_ url: String) -> BuiltInModule? {
        if let module = builtIns[url] { return module }
        let prefixes = builtIns.keys.filter { ($0.hasSuffix("/") || $0.hasSuffix(":")) && url.hasPrefix($0) }
        return prefixes.max { $0.utf8.count < $1.utf8.count }.flatMap { builtIns[$0] }
    }
}

/// A function that returns the object of a built-in module, whose own properties at the first import are the exports.
///
/// It receives the context and the URL of the import, and runs inside a turn.
public typealias BuiltInModule = @Sendable (_ context: JSContext, _ url: String) throws -> JSValue
