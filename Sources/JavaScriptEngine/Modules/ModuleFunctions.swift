internal import BridgeValues
internal import CJavaScriptCore
internal import CJavaScriptCoreSPI
internal import Foundation

/// The native functions of the modules' scripts.
enum ModuleFunctions {
    static func install(on functions: JSObjectRef, in context: JSContext) throws {
        try NativeFunctions.define("resolve", on: functions, in: context) { context, arguments in
            let specifier = arguments.text(at: 0)
            return context.makeString(
                try context.resolveModule(specifier, from: context.text(of: arguments.ref(at: 1)))
            )
        }
        try CommonJSFunctions.install(on: functions, in: context)
        try NativeFunctions.define("load", on: functions, in: context) { context, arguments in
            let request = ModuleRequest(
                url: arguments.text(at: 1),
                type: ModuleType(rawValue: arguments.text(at: 2)) ?? .javaScript,
                referrer: context.text(of: arguments.ref(at: 3))
            )
            return try context.loadModule(request, number: arguments.integer(at: 0))
        }
        try NativeFunctions.define("provide", on: functions, in: context) { context, arguments in
            context.provideModule(
                arguments.text(at: 0),
                url: JSContext.internalSourceURL,
                kind: JSB_MODULE_JAVASCRIPT
            )
            return nil
        }
        try NativeFunctions.define("replaceType", on: functions, in: context) { context, arguments in
            let number = arguments.integer(at: 0)
            guard var replacement = context.modules.replacements[number],
                let text = replacement.next(after: arguments.text(at: 1))
            else { return nil }
            context.modules.replacements[number] = replacement
            context.provideModule(text, url: replacement.url, kind: JSB_MODULE_JAVASCRIPT)
            return JSValueMakeBoolean(context.ref, true)
        }
        try NativeFunctions.define("forgetTypes", on: functions, in: context) { context, arguments in
            context.modules.replacements[arguments.integer(at: 0)] = nil
            return nil
        }
        try NativeFunctions.define("requestedType", on: functions, in: context) { context, arguments in
            guard let parameters = arguments.ref(at: 0) else { return nil }
            let kind = jsb_requested_module_kind(parameters)
            guard kind == JSB_MODULE_JSON else { return context.makeString(ModuleType.javaScript.rawValue) }
            let replaced = context.modules.replacements[arguments.integer(at: 1)]?.types[
                arguments.text(at: 2)
            ]
            return context.makeString((replaced ?? .json).rawValue)
        }
        try NativeFunctions.define("columnOfError", on: functions, in: context) { context, arguments in
            let column = context.columnOfModuleError(
                url: arguments.text(at: 0),
                line: arguments.integer(at: 1),
                message: arguments.text(at: 2)
            )
            return column.map { JSValueMakeNumber(context.ref, Double($0)) }
        }
        // The line and, as a fraction of it, the column.
        try NativeFunctions.define("positionOfLinkError", on: functions, in: context) { context, arguments in
            context.encoded(
                context.positionOfLinkError(url: arguments.text(at: 0), message: arguments.text(at: 1))
            )
        }
        try NativeFunctions.define("sourceName", on: functions, in: context) { context, arguments in
            context.makeString(context.stacks.sources.latestName(of: arguments.text(at: 0)))
        }
        try NativeFunctions.define("positionOfImport", on: functions, in: context) { context, arguments in
            let text = context.noted(url: arguments.text(at: 0)) ?? ""
            return context.encoded(ImportSearch.position(of: arguments.text(at: 1), in: text))
        }
    }
}

extension JSContext {
    fileprivate func resolveModule(_ specifier: String, from referrer: String?) throws -> String {
        let configuration = try modules.requireConfiguration()
        if configuration.builtIn(specifier) != nil || modules.givenSources[specifier] != nil {
            return specifier
        }
        return try configuration.resolver.resolve(specifier, from: referrer)
    }

    /// Loads a module, and returns what the script's `finishLoad` takes; `nil` if the script is called later.
    fileprivate func loadModule(_ request: ModuleRequest, number: Int) throws -> JSValueRef? {
        let configuration = try modules.count(request)
        do {
            return try startLoading(request, number: number, configuration)
        } catch {
            modules.uncount()
            throw error
        }
    }

    private func startLoading(
        _ request: ModuleRequest,
        number: Int,
        _ configuration: ModuleConfiguration
    ) throws -> JSValueRef? {
        if request.type == .javaScript {
            if let source = modules.givenSources.removeValue(forKey: request.url) {
                return try deliver(ModuleSource(source), for: request, number: number)
            }
            if let makeExports = configuration.builtIn(request.url) {
                let exports = try makeExports(self, request.url)
                guard exports.isObject else {
                    throw ModuleError("the built-in module \(Printable.quoted(request.url)) is not an object")
                }
                return try ownRef(exports)
            }
        }
        switch try configuration.loader.load(request) {
        case .sync(let source): return try deliver(source, for: request, number: number)
        case .async(let body):
            try loadLater(request, number: number, body)
            return nil
        }
    }

    private func loadLater(
        _ request: ModuleRequest,
        number: Int,
        _ body: @escaping @Sendable () async throws -> ModuleSource
    ) throws {
        guard let enqueue = eventLoop.enqueue else {
            throw BridgeError(
                .unsupported,
                "An asynchronous loader needs a context that belongs to a JavaScriptRuntime."
            )
        }
        let limit = virtualMachine.limits.maximumPendingPromises
        guard modules.pendingCount < limit else {
            throw BridgeError(.limitExceeded, "too many modules are being loaded (limit \(limit))")
        }
        let task = Task {
            let result: Result<ModuleSource, any Error>
            do { result = .success(try await body()) } catch { result = .failure(error) }
            enqueue(
                RuntimeInbox.Job(
                    operation: .current,
                    body: { [result] context in context.finishLoading(request, number: number, with: result)
                    },
                    otherwise: { context in context.modules.setTask(nil, of: number) }
                )
            )
        }
        modules.setTask(task, of: number)
    }

    private func finishLoading(
        _ request: ModuleRequest,
        number: Int,
        with result: Result<ModuleSource, any Error>
    ) {
        guard modules.isLoading(number), let script = try? modules.prepared(in: self) else { return }
        modules.setTask(nil, of: number)
        do {
            let value = try deliver(result.get(), for: request, number: number)
            _ = try call(script.finishLoad, [JSValueMakeNumber(ref, Double(number)), value])
        } catch {
            modules.uncount()
            _ = try? call(script.failLoad, [JSValueMakeNumber(ref, Double(number)), thrownValue(for: error)])
        }
    }

    /// Creates the engine's source text of a module, or the module's value.
    private func deliver(_ source: ModuleSource, for request: ModuleRequest, number: Int) throws
        -> JSValueRef?
    {
        guard source.type == request.type else { throw ModuleError.wrongType(request, found: source.type) }
        if source.type == .bytes {
            let bytes =
                switch source.content {
                case .text(let text): Data(text.utf8)
                case .bytes(let bytes): Data(bytes)
                }
            try modules.count(bytes: bytes.count)
            return try ownRef(JSTypedArray(of: .uint8, data: bytes, in: self).value)
        }
        let text = try source.text(for: request)
        try modules.count(bytes: text.utf8.count)
        switch source.type {
        case .text: return makeString(text)
        case .json: provideModule(text, url: request.url, kind: JSB_MODULE_JSON)
        default:
            if source.format != .module {
                do {
                    return try compileCommonJS(text, url: request.url)
                } catch  where source.format == .detected {
                    // It has an import or an export, or the parser of modules says what is wrong.
                }
            }
            let sourceMaps = modules.configuration?.loader.sourceMaps(of: request.url)
            let isDebugged = hooks.inspector != nil
            let name =
                !isDebugged && modules.configuration?.isReloadable == true
                ? stacks.sources.noteVersion(text, of: request.url, sourceMaps: sourceMaps)
                : stacks.sources.noteModule(
                    text,
                    of: request.url,
                    sourceMaps: sourceMaps,
                    keepsURL: isDebugged
                )
            provideModule(text, url: request.url, name: name, kind: JSB_MODULE_JAVASCRIPT)
            if let replacement = TypeReplacement(text, url: request.url) {
                modules.replacements[number] = replacement
                return JSValueMakeNumber(ref, 2)
            }
        }
        return JSValueMakeNumber(ref, 1)
    }

    /// Hands a source text to the script.
    fileprivate func provideModule(_ text: String, url: String, name: String? = nil, kind: Int) {
        var text = text
        EngineString.with(url) { url in
            EngineString.with(name ?? "") { given in
                let shown = name == nil ? url : given
                text.withUTF8 { bytes in
                    if EngineString.isASCII(bytes) {
                        let start = bytes.baseAddress
                        return jsb_provide_module(ref, url, shown, start, bytes.count, true, Int32(kind))
                    }
                    withUnsafeTemporaryAllocation(of: UInt16.self, capacity: bytes.count) { units in
                        let count = EngineString.widen(bytes, isASCII: false, into: units)
                        jsb_provide_module(ref, url, shown, units.baseAddress, count, false, Int32(kind))
                    }
                }
            }
        }
    }

    /// Returns the column of a syntax error in a module that was loaded last.
    fileprivate func columnOfModuleError(url: String, line: Int, message: String) -> Int? {
        guard let text = noted(url: url), text.utf8.count <= Self.maximumSearchedBytes else { return nil }
        return columnOfSyntaxError(message, in: text, line: line, startingLine: 1, messageOf: problem)
    }

    /// Returns the position of an error of linking in a module that was loaded last.
    fileprivate func positionOfLinkError(url: String, message: String) -> (line: Int, column: Int)? {
        guard let search = LinkErrorSearch(message: message), let text = noted(url: url) else { return nil }
        return search.position(in: text, messageOf: problem)
    }

    /// The largest source in which the column of an error is searched: each step parses it.
    private static let maximumSearchedBytes = 1 << 20

    fileprivate func encoded(_ position: (line: Int, column: Int)?) -> JSValueRef? {
        guard let position, position.column < 1 << 20 else { return nil }
        return JSValueMakeNumber(ref, Double(position.line) + Double(position.column) / Double(1 << 20))
    }

    fileprivate func noted(url: String) -> String? { stacks.sources.latest(of: url)?.text }

    private func problem(in text: String) -> String? {
        guard let script = try? modules.prepared(in: self) else { return nil }
        provideModule(text, url: JSContext.internalSourceURL, kind: JSB_MODULE_JAVASCRIPT)
        return self.text(of: try? call(script.problemOfSource, []))
    }
}

extension ModuleSource {
    func text(for request: ModuleRequest) throws -> String {
        switch content {
        case .text(let text): return text
        case .bytes(let bytes):
            let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
            guard
                let text = String(
                    validating: bytes.starts(with: mark) ? bytes[3...] : bytes[...],
                    as: UTF8.self
                )
            else { throw ModuleError("module \(Printable.quoted(request.url)) is not valid UTF-8") }
            return text
        }
    }
}
