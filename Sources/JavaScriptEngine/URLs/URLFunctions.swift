internal import CJavaScriptCore
internal import CJavaScriptCoreSPI

/// The parser of URLs as the package's scripts use it.
enum URLFunctions {
    /// Sets the members of an object of the scripts of `URL`: the parser, or the problem where it is not available.
    static func install(on object: JSObjectRef, in context: JSContext) throws {
        let problem = URLSupport.problem(with: URLSupport.current)
        var parser = jsb_url_parser()
        if problem == nil {
            guard jsb_make_url_parser(context.ref, CallPath.current.isFast, &parser) else {
                throw JSException(name: "Error", message: "the engine has no memory for a parser of URLs")
            }
        }
        try context.setInternal("problem", to: problem.flatMap { context.makeString($0) }, on: object)
        try context.setInternal("parse", to: parser.function, on: object)
        try context.setInternal("parser", to: parser.parser, on: object)
        try context.setInternal("parts", to: parser.parts, on: object)
    }
}
