/// The modules that the scripts of a context can import.
public struct ModuleConfiguration: Sendable {
    /// The resolver of specifiers.
    public var resolver: any ModuleResolver
    /// The loader of sources.
    public var loader: any ModuleLoader
    /// Built-in modules by URL, such as `bridge:core`: functions that return an object, whose own properties at the
    /// first import are the exports.
    ///
    /// Their URLs are specifiers, which the resolver does not see.
    public var builtIns: [String: @Sendable (JSContext) throws -> JSValue]
    /// The number of modules that a context may load; more may exhaust memory.
    public var maximumModuleCount = 10_000
    /// The number of bytes that all modules of a context may have; more may exhaust memory.
    public var maximumTotalBytes = 256 * 1024 * 1024

    /// Creates a configuration.
    public init(
        loader: any ModuleLoader,
        resolver: any ModuleResolver = URLModuleResolver(),
        builtIns: [String: @Sendable (JSContext) throws -> JSValue] = [:]
    ) {
        self.loader = loader
        self.resolver = resolver
        self.builtIns = builtIns
    }
}
