internal import BridgeValues
internal import Foundation

/// A transpiler of TypeScript that runs the TypeScript compiler in a context of its own.
///
/// ```swift
/// var loader = try FolderModuleLoader(root: "/srv/plugins/shop")
/// loader.transpiler = TypeScriptTranspiler(compiler: "/usr/share/nodejs/typescript/lib/typescript.js")
/// ```
///
/// It removes types, and translates what JavaScript lacks, such as enumerations. It reports errors of syntax; types are
/// not checked. One transpiler serves any number of contexts, one file after the other.
public actor TypeScriptTranspiler: ModuleTranspiler {
    /// The path of the compiler in Debian's package `node-typescript`.
    public static let debianCompiler = "/usr/share/nodejs/typescript/lib/typescript.js"

    /// The endings of TypeScript files.
    public nonisolated let fileExtensions = [".ts": ".js", ".mts": ".mjs"]

    private let compiler: String
    private var transpiling: JSValue?

    /// Creates a transpiler; the compiler is read at the first file.
    ///
    /// - Parameter path: The path of the compiler's script, `typescript.js`.
    public init(compiler path: String) { compiler = path }

    /// Returns the text of a module in JavaScript, with a source map.
    ///
    /// - Throws: ``ModuleError`` with all errors of syntax, each with its position, or if the compiler cannot be read.
    public func transpile(_ text: String, url: String) throws -> String {
        let function = try transpiling ?? load()
        transpiling = function
        let name = String(url[(url.lastIndex(of: "/").map(url.index(after:)) ?? url.startIndex)...])
        let result = try function.call(with: .string(text), .string(name))
        let problems = result["problems"].arrayValue ?? []
        guard problems.isEmpty else {
            throw ModuleError(Self.description(of: problems, in: text, name: ModuleURL.filePath(of: url)))
        }
        return result["text"].stringValue ?? ""
    }

    private func load() throws -> JSValue {
        guard let source = try? String(contentsOfFile: compiler, encoding: .utf8) else {
            throw ModuleError("the TypeScript compiler \(Printable.quoted(compiler)) cannot be read")
        }
        let context = try JSContext(globals: .minimal)
        try context.evaluate(source, sourceURL: "typescript.js")
        guard
            try context.evaluate("typeof ts === 'object' && typeof ts.transpileModule === 'function'")
                .toBool()
        else {
            throw ModuleError("\(Printable.quoted(compiler)) is not a TypeScript compiler")
        }
        return try context.evaluate(Self.script, sourceURL: "transpile.js")
    }

    /// Returns the errors in the form of the compiler, with the lines around the first one.
    private static func description(of problems: [Value], in text: String, name: String) -> String {
        var lines = problems.map { problem in
            "\(name):\(number("line", of: problem)):\(number("column", of: problem)): error "
                + (problem["message"].stringValue ?? "")
        }
        let frame = CodeFrame(text: text, startingLine: 1)
            .around(line: number("line", of: problems[0]), column: number("column", of: problems[0]))
        if let frame { lines.insert(frame, at: 1) }
        return lines.joined(separator: "\n")
    }

    private static func number(_ key: String, of problem: Value) -> Int {
        problem[key].integerValue.flatMap { Int(exactly: $0) } ?? 1
    }

    private static let script = """
        (function (text, fileName) {
            const { diagnostics, outputText } = ts.transpileModule(text, {
                fileName, reportDiagnostics: true,
                compilerOptions: {
                    target: ts.ScriptTarget.ES2022, module: ts.ModuleKind.ESNext, inlineSourceMap: true, inlineSources: true,
                    experimentalDecorators: true, removeComments: false,
                },
            });
            const problems = diagnostics.slice(0, 20).map(({ code, file, messageText, start }) => {
                const { line, character } = file.getLineAndCharacterOfPosition(start);
                const message = `TS${code}: ${ts.flattenDiagnosticMessageText(messageText, "\\n")}`;
                return { line: line + 1, column: character + 1, message };
            });
            return { text: outputText, problems };
        })
        """
}
