internal import CJavaScriptCore

extension JSContext {
    /// Runs a script and returns the value of its last statement.
    ///
    /// The source map in the script's last comment (`//# sourceMappingURL=data:...`), or one that `sourceMaps` finds,
    /// is used for the frames of its errors.
    ///
    /// - Parameters:
    ///   - script: The source text. Never build it from data; call functions with values instead.
    ///   - sourceURL: The source's name in errors and stacks, such as a file's path.
    ///   - startingLine: The number of the first line, from 1.
    ///   - sourceMaps: Finds the script's source map if its last comment names one.
    /// - Returns: The value of the last statement.
    /// - Throws: ``JSException``, for a syntax error too.
    @discardableResult
    public func evaluate(
        _ script: String,
        sourceURL: String? = nil,
        startingLine: Int = 1,
        sourceMaps: SourceMapLoader? = nil
    ) throws -> JSValue {
        if let sourceURL {
            stacks.sources.note(
                script,
                sourceURL: sourceURL,
                startingLine: startingLine,
                sourceMaps: sourceMaps
            )
        }
        return try withTurn {
            hooks.observer?.willEvaluate(script, sourceURL: sourceURL, startingLine: startingLine)
            let url = sourceURL.map(EngineString.make)
            defer { if let url { JSStringRelease(url) } }
            var exception: JSValueRef?
            let value = EngineString.with(script) {
                JSEvaluateScript(ref, $0, nil, url, Int32(clamping: startingLine), &exception)
            }
            guard let value else {
                var error = self.exception(from: exception)
                placeSyntaxError(&error, in: script, startingLine: startingLine)
                hooks.observer?.didEvaluate(.failure(error))
                throw error
            }
            let result = JSValue(value, in: self)
            hooks.observer?.didEvaluate(.success(result))
            return result
        }
    }

    /// Runs a script that was made from another text, whose lines it keeps.
    ///
    /// Excerpts in errors are those of the text.
    ///
    /// - Parameters:
    ///   - script: The script.
    ///   - text: The text that it was made from.
    ///   - prefixCount: The number of characters that the script has before the first line of the text.
    ///   - sourceURL: The name of the source.
    /// - Returns: The value of the last statement.
    /// - Throws: ``JSException``.
    package func evaluate(
        _ script: String,
        madeFrom text: String,
        prefixCount: Int,
        sourceURL: String
    ) throws -> JSValue {
        // Excerpts are made when an error is read.
        defer {
            stacks.sources.note(
                text,
                sourceURL: sourceURL,
                startingLine: 1,
                sourceMaps: nil,
                prefixCount: prefixCount
            )
        }
        return try evaluate(script, sourceURL: sourceURL)
    }

    /// The global object.
    public var globalObject: JSValue { JSValue(JSContextGetGlobalObject(ref), in: self) }
}
