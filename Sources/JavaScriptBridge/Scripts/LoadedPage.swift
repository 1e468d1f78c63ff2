internal import Foundation

/// A page as the turns that load it, in the order of a browser: each script when the markup before it is read, the
/// deferred scripts after all of it, then `DOMContentLoaded` and `load`.
struct LoadedPage {
    private(set) var steps: [LoadedScript] = []

    /// The maximum number of bytes of a file that a page names.
    private static let maximumBytes = 32 << 20

    /// Reads a page.
    ///
    /// - Parameters:
    ///   - text: The markup.
    ///   - name: The page's name in errors.
    ///   - path: The path of the page's file, in whose folder its scripts' files are; `nil` for a page without a file.
    ///   - sourceMaps: The loader of the scripts' source maps.
    init(_ text: String, name: String, path: String?, sourceMaps: SourceMapLoader?) {
        var deferred: [LoadedScript] = []
        for part in PageMarkup(text).parts {
            var step = LoadedScript(text: "", name: name, sourceMaps: sourceMaps)
            step.page = PageStep(tokens: part.tokens)
            if let script = part.script {
                do throws(PageProblem) {
                    let run = try Self.read(script, in: name, path, sourceMaps)
                    guard !script.isDeferred else {
                        deferred.append(run)
                        steps.append(step)
                        continue
                    }
                    step.text = run.text
                    step.name = run.name
                    step.startingLine = run.startingLine
                    step.sourceMaps = run.sourceMaps
                    step.page?.hasScript = true
                } catch {
                    step.page?.problem = error.reason.map { "\(name):\(script.line): \($0)" }
                }
            }
            steps.append(step)
        }
        steps[0].page?.begins = true
        steps.append(Self.step(.interactive, of: name))
        steps += deferred
        steps += [Self.step(.contentLoaded, of: name), Self.step(.complete, of: name)]
    }

    private static func step(_ end: PageStep.End, of name: String) -> LoadedScript {
        var step = LoadedScript(text: "", name: name)
        step.page = PageStep(end: end)
        return step
    }

    /// Reads the text that a script runs, and its location.
    private static func read(
        _ script: PageMarkup.Script,
        in name: String,
        _ path: String?,
        _ sourceMaps: SourceMapLoader?
    ) throws(PageProblem) -> LoadedScript {
        if let type = script.otherType {
            // Data for the page's scripts is not a script.
            let isScript = type == "module" || type.contains("script")
            throw PageProblem(reason: isScript ? "a script of type \"\(type)\" is not run" : nil)
        }
        var run: LoadedScript
        if let source = script.source {
            let (text, file) = try read(source, beside: path)
            run = LoadedScript(text: text, name: file, sourceMaps: .beside(file: file))
        } else {
            // Columns count from the end of the tag.
            let indent = String(repeating: " ", count: script.column - 1)
            run = LoadedScript(
                text: indent + script.text,
                name: name,
                startingLine: script.line,
                sourceMaps: sourceMaps
            )
        }
        run.page = PageStep(hasScript: true)
        return run
    }

    /// Reads the file of a script.
    ///
    /// - Returns: Its text and its path, which is its name in errors.
    private static func read(_ address: String, beside path: String?) throws(PageProblem) -> (String, String)
    {
        // The rest of the address is for servers.
        let reference = address.prefix { $0 != "?" && $0 != "#" }
        guard !reference.contains(":"), !reference.hasPrefix("//") else {
            throw PageProblem(reason: "the script \"\(address)\" is not loaded: there is no network")
        }
        guard let path else {
            throw PageProblem(reason: "the script \"\(address)\" is not loaded: the page has no folder")
        }
        do {
            let data = try SiblingFile(
                reference: String(reference),
                path: path,
                noun: "script",
                owner: "page",
                maximumByteCount: maximumBytes
            ).read()
            guard let text = String(validating: data, as: UTF8.self) else {
                throw PageProblem(reason: "the script \"\(address)\" is not UTF-8 text")
            }
            let folder = path.lastIndex(of: "/").map { String(path[...$0]) } ?? ""
            return (ScriptSource.withoutMark(text), "\(folder)\(reference)")
        } catch let problem as PageProblem {
            throw problem
        } catch {
            throw PageProblem(reason: "the script \"\(address)\" is not loaded: \(error)")
        }
    }
}

/// The scripts of a page as one script, for a host without a document; inline scripts keep their line numbers.
package struct PageScripts {
    /// The text; empty for a page without scripts.
    package private(set) var text = ""
    /// The reasons why some of the scripts are missing.
    package private(set) var problems: [String] = []

    /// Reads the scripts of a page.
    package init(of markup: String, name: String, path: String?) {
        var line = 1
        for step in LoadedPage(markup, name: name, path: path, sourceMaps: nil).steps {
            if let problem = step.page?.problem { problems.append(problem) }
            guard step.page?.hasScript == true else { continue }
            let lines = max(text.isEmpty ? 0 : 1, step.startingLine - line)
            // A statement that one script leaves unfinished must not continue in the next.
            let begin = String(repeating: "\n", count: lines) + (text.isEmpty ? "" : ";")
            text += begin + step.text
            line += lines + step.text.utf8.count { $0 == UInt8(ascii: "\n") }
        }
    }
}

/// The reason why a script of a page is not run; `nil` if it is not a script.
private struct PageProblem: Error {
    let reason: String?
}

/// The changes to the document of a page before and after one of its scripts.
struct PageStep: Sendable {
    /// The function of `JS/src/page/page.js` that ends a phase of loading a page.
    enum End: String {
        /// The phase after all of the markup is read.
        case interactive = "interact"
        /// The phase after the deferred scripts have run too.
        case contentLoaded = "endContent"
        case complete
    }

    /// The markup up to the script.
    var tokens: [PageMarkup.Token] = []
    /// A Boolean value that indicates whether the document is empty before this step.
    var begins = false
    /// A Boolean value that indicates whether there is a script.
    var hasScript = false
    /// The reason why the script is missing, for the log.
    var problem: String?
    var end: End?

    /// Builds the document up to the script and runs the script; its error is reported, and the page continues.
    ///
    /// - Throws: ``JSException`` if the script was stopped, or the context has no page.
    func run(_ script: LoadedScript, in context: JSContext) throws -> Value {
        let page = try context.internals.forProperty("page")
        if begins { try page.invokeMethod("begin") }
        if let problem {
            let warning = try [Value.string("warn"), .string(problem)].map { try JSValue($0, in: context) }
            try context.internals.invokeMethod("log", withArguments: warning)
        }
        let built = try page.invokeMethod(
            "build",
            withArguments: [JSValue(.array(tokens.map(\.value)), in: context)]
        )
        if hasScript {
            try page.invokeMethod("runs", withArguments: [built])
            do {
                _ = try script.evaluate(in: context)
            } catch let error as JSException where !error.isTermination {
                let isReported = try page.invokeMethod("fails", withArguments: error.values(in: context))
                    .toBool()
                if !isReported { context.reportUncaught(error) }
            }
            try page.invokeMethod("runs", withArguments: [JSValue(.null, in: context)])
        }
        if let end { try page.invokeMethod(end.rawValue) }
        return .undefined
    }
}

extension PageMarkup.Token {
    /// The token in the form that the page's script reads.
    fileprivate var value: Value {
        switch self {
        case .open(let name, let attributes):
            [.string(name), .array(attributes.flatMap { [.string($0.name), .string($0.value)] })]
        case .text(let text): .string(text)
        case .close: .null
        }
    }
}

extension JSException {
    /// Returns the name, message and location in the form that the page's script takes.
    fileprivate func values(in context: JSContext) throws -> [JSValue] {
        let values: [Value] = [
            .string(name), .string(message), .string(sourceURL ?? ""), .integer(Int64(line ?? 0)),
            .integer(Int64(column ?? 0)),
        ]
        return try values.map { try JSValue($0, in: context) }
    }
}
