internal import BridgeValues
internal import CJavaScriptCore

/// The native functions that the scripts need for CommonJS modules.
enum CommonJSFunctions {
    static func install(on functions: JSObjectRef, in context: JSContext) throws {
        try NativeFunctions.define("resolveRequired", on: functions, in: context) { context, arguments in
            let (specifier, referrer) = (arguments.text(at: 0), context.text(of: arguments.ref(at: 1)))
            let configuration = try context.modules.requireConfiguration()
            if configuration.builtIn(specifier) != nil { return context.makeString(specifier) }
            return context.makeString(
                try configuration.resolver.resolveRequired(specifier, from: referrer)
            )
        }
        try NativeFunctions.define("loadRequired", on: functions, in: context) { context, arguments in
            try context.loadRequired(arguments.text(at: 0), from: context.text(of: arguments.ref(at: 1)))
        }
        try NativeFunctions.define("isBuiltIn", on: functions, in: context) { context, arguments in
            let isBuiltIn = context.modules.configuration?.builtIn(arguments.text(at: 0)) != nil
            return JSValueMakeBoolean(context.ref, isBuiltIn)
        }
        try NativeFunctions.define("pathOfURL", on: functions, in: context) { context, arguments in
            context.makeString(ModuleURL.filePath(of: arguments.text(at: 0)))
        }
    }
}

extension JSContext {
    /// Returns the function of a CommonJS module, the text of a JSON document, or a built-in object.
    fileprivate func loadRequired(_ url: String, from referrer: String?) throws -> JSValueRef? {
        let type: ModuleType = PackagePath.hasSuffix(".json", url) ? .json : .javaScript
        let request = ModuleRequest(url: url, type: type, referrer: referrer, isRequired: true)
        let configuration = try modules.count(request)
        do {
            if let makeExports = configuration.builtIn(url) { return try ownRef(makeExports(self, url)) }
            guard case .sync(let source) = try configuration.loader.load(request) else {
                throw ModuleError("module \(Printable.quoted(url)) is loaded later and cannot be required")
            }
            guard source.type == type else { throw ModuleError.wrongType(request, found: source.type) }
            let text = try source.text(for: request)
            try modules.count(bytes: text.utf8.count)
            if type == .json { return makeString(text) }
            guard source.format != .module else {
                throw ModuleError(
                    "module \(Printable.quoted(url)) is an ES module: import it\(ModuleError.importer(referrer))"
                )
            }
            return try compileCommonJS(text, url: url)
        } catch {
            modules.uncount()
            throw error
        }
    }

    /// The text before that of a CommonJS module, in the same line: the engine's function for functions moves the lines.
    ///
    /// Packages read `global` and `process` before they ask where they run; other scripts do not have them. They are names
    /// of an outer function, because a module may declare its own.
    package static let commonJSPrefix =
        "(function (global, process) { return function (exports, require, module, __filename, __dirname) {"

    /// Returns a CommonJS module as a function that makes the function of its five names.
    ///
    /// - Throws: ``JSException`` with the syntax error.
    func compileCommonJS(_ text: String, url: String) throws -> JSValueRef {
        // A comment in the same place.
        let body = text.utf8.starts(with: "#!".utf8) ? "//" + text.dropFirst(2) : text
        var exception: JSValueRef?
        // Before the text is parsed, when a debugger needs its source map.
        let name = stacks.sources.noteModule(
            text,
            of: url,
            sourceMaps: modules.configuration?.loader.sourceMaps(of: url),
            prefixCount: Self.commonJSPrefix.utf8.count,
            keepsURL: hooks.inspector != nil
        )
        let function = EngineString.with(Self.commonJSPrefix + body + "\n} })") { script in
            EngineString.with(name) { JSEvaluateScript(ref, script, nil, $0, 1, &exception) }
        }
        guard let function else { throw self.exception(from: exception) }
        guard JSValueIsObject(ref, function) else {
            throw ModuleError("module \(Printable.quoted(url)) is not the body of a function")
        }
        return function
    }
}
