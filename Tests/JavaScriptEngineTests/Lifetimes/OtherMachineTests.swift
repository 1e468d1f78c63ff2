import BridgeTesting
import Foundation
import JavaScriptEngine
import TestSupport
import Testing

/// Values of one virtual machine passed to another one: heaps share nothing, so each is refused.
@Suite(.noLeaks) struct OtherMachineTests {
    /// An operation of a context that takes a value, with its declaration.
    struct Operation: Sendable, CustomTestStringConvertible {
        let name: String
        let body: @Sendable (JSContext, JSValue) throws -> Void
        var testDescription: String { name }

        init(_ name: String, _ body: @escaping @Sendable (JSContext, JSValue) throws -> Void) {
            self.name = name
            self.body = body
        }
    }

    /// Every public operation that takes values and must refuse those of another machine.
    static let operations = [
        Operation("call(withArguments:this:)") { context, other in
            try context.evaluate("(x) => x").call(withArguments: [other])
        },
        Operation("call(withArguments:this:)") { context, other in
            try context.evaluate("(function () {})").call(this: other)
        },
        Operation("invokeMethod(_:withArguments:)") { context, other in
            try context.evaluate("[]").invokeMethod("push", withArguments: [other])
        },
        Operation("invokeMethod(_:withArguments:)") { context, other in
            try JSObject(context.evaluate("[]")).invokeMethod("push", withArguments: [other])
        },
        Operation("construct(withArguments:)") { context, other in
            _ = try context.evaluate("Array").construct(withArguments: [other])
        },
        Operation("setValue(_:forProperty:)") { context, other in
            try context.globalObject.setValue(other, forProperty: "other")
        },
        Operation("setValue(_:forProperty:)") { context, other in
            try context.globalObject.setValue(
                other,
                forProperty: .symbol(context.evaluate("Symbol.iterator"))
            )
        },
        Operation("setValue(_:forProperty:)") { context, other in
            try context.setValue(other, forProperty: "other")
        },
        Operation("setValue(_:at:)") { context, other in
            try context.evaluate("[]").setValue(other, at: 0)
        },
        Operation("set(_:to:)") { context, other in
            try JSObject(in: context).set("other", to: other)
        },
        Operation("defineProperty(_:descriptor:)") { context, other in
            let descriptor = JSPropertyDescriptor(value: other)
            try context.globalObject.defineProperty("other", descriptor: descriptor)
        },
        Operation("init(value:isWritable:isEnumerable:isConfigurable:)") { context, other in
            let descriptor = JSPropertyDescriptor(value: other)
            try context.globalObject.defineProperty("other", descriptor: descriptor)
        },
        Operation("init(get:set:isEnumerable:isConfigurable:)") { context, other in
            let descriptor = JSPropertyDescriptor(get: other, set: nil)
            try context.globalObject.defineProperty("other", descriptor: descriptor)
        },
        Operation("init(get:set:isEnumerable:isConfigurable:)") { context, other in
            let descriptor = JSPropertyDescriptor(get: nil, set: other)
            try context.globalObject.defineProperty("other", descriptor: descriptor)
        },
        Operation("forProperty(_:)") { context, other in
            _ = try context.globalObject.forProperty(.symbol(other.context.evaluate("Symbol.iterator")))
        },
        Operation("subscript(_:)") { context, other in
            _ = try JSObject(in: context)[.symbol(other.context.evaluate("Symbol.iterator"))]
        },
        Operation("hasProperty(_:)") { context, other in
            _ = try context.globalObject.hasProperty(.symbol(other.context.evaluate("Symbol.iterator")))
        },
        Operation("has(_:)") { context, other in
            _ = try JSObject(in: context).has(.symbol(other.context.evaluate("Symbol.iterator")))
        },
        Operation("deleteProperty(_:)") { context, other in
            try context.globalObject.deleteProperty(.symbol(other.context.evaluate("Symbol.iterator")))
        },
        Operation("delete(_:)") { context, other in
            try JSObject(in: context).delete(.symbol(other.context.evaluate("Symbol.iterator")))
        },
        Operation("init(newArrayIn:of:)") { context, other in
            _ = try JSValue(newArrayIn: context, of: [other])
        },
        Operation("init(object:in:)") { context, other in
            _ = try JSValue(object: other, in: context)
        },
        Operation("init(object:in:)") { context, other in
            _ = try JSValue(object: ["list": [other]], in: context)
        },
        Operation("isEqualWithTypeCoercion(to:)") { context, other in
            _ = try context.globalObject.isEqualWithTypeCoercion(to: other)
        },
        Operation("isInstance(of:)") { context, other in
            _ = try context.globalObject.isInstance(of: other.context.evaluate("Object"))
        },
        Operation("setObject(_:forKeyedSubscript:)") { context, other in
            try context.setObject(["list": [other]], forKeyedSubscript: "other")
        },
        Operation("makeFunction(named:parameterCount:fileID:line:_:)") { context, other in
            let function = try context.makeFunction(named: "f") { _ in other }
            try function.call()
        },
        Operation("resolve(_:)") { context, other in
            try JSPromise.withResolvers(in: context).resolvers.resolve(other)
        },
        Operation("reject(_:)") { context, other in
            try JSPromise.withResolvers(in: context).resolvers.reject(other)
        },
        Operation("addManagedReference(_:withOwner:)") { context, other in
            try context.virtualMachine.addManagedReference(JSManagedValue(value: other), withOwner: context)
        },
        Operation("addManagedReference(_:withOwner:)") { context, other in
            let primitive = JSManagedValue(value: try other.context.evaluate("'text'"))
            try context.virtualMachine.addManagedReference(primitive, withOwner: context)
        },
        Operation("addManagedReference(_:withOwner:)") { context, other in
            let value = JSManagedValue(value: try context.evaluate("({})"))
            try context.virtualMachine.addManagedReference(value, withOwner: other)
        },
        Operation("init(value:andOwner:)") { context, other in
            _ = try JSManagedValue(value: context.evaluate("({})"), andOwner: other)
        },
    ]

    @Test(
        "a value of another virtual machine is refused with the reason, and no collection is harmed",
        arguments: operations
    )
    func refuses(_ operation: Operation) throws {
        let (context, stranger) = (try JSContext(), try JSContext())
        for _ in 0..<3 {
            let other = try stranger.evaluate("({ n: 1 })")
            let error = try #require(throws: JSException.self) { try operation.body(context, other) }
            #expect(error.message.contains("another virtual machine"))
            context.virtualMachine.collectGarbage()
            stranger.virtualMachine.collectGarbage()
        }
        #expect(try context.evaluate("6 * 7").toValue() == 42)
        #expect(try stranger.evaluate("6 * 7").toValue() == 42)
    }

    @Test("a runtime does not wait for a promise of another virtual machine")
    func awaiting() async throws {
        let runtime = try JavaScriptRuntime()
        await #expect(throws: JSException.self) {
            try await runtime.awaitPromise { _ in try JSContext().evaluate("Promise.resolve(1)") }
        }
        await #expect(throws: JSException.self) {
            try await runtime.awaitPromise { _ in
                try JSContext().evaluate("Promise.resolve(1)")
            } reading: {
                try $0.toInt32()
            }
        }
        #expect(try await runtime.evaluate("6 * 7") == 42)
    }

    /// Operations that accept a value of another machine without harm, with the reasons.
    private static let harmless: Set<String> = [
        // Return `false`.
        "isEqual(to:)",
        // Does nothing, as for any value that was not added.
        "removeManagedReference(_:withOwner:)",
        // Belong to the machine of the value that they are created from.
        "init(_:)", "init(value:)", "init(jsValue:)",
        // Covered by a test of their own; the reading closure gets a value of the runtime.
        "awaitPromise(from:)", "awaitPromise(from:reading:)", "callAsync(_:with:reading:)",
        // The reading closure gets a value of the runtime.
        "evaluateModule(_:url:reading:)", "importModule(_:reading:)",
        // A value of another machine fails the import that asks for it.
        "init(loader:resolver:builtIns:)",
        // Covered by makeFunction(named:): the result of the closure; data only.
        "then(_:onRejected:)", "catch(_:)", "call(with:_:)",
        // Returns a Swift object, whatever it is.
        "toObject(of:)",
        // Names of WebViewJavascriptBridge, which the compiler refuses.
        "callHandler(_:data:responseCallback:)", "init(forWebView:)", "registerHandler(_:handler:)",
        "send(_:)",
        "send(_:responseCallback:)", "setWebViewDelegate(_:)",
    ]

    @Test("every public operation that takes an engine value is listed")
    func completeness() throws {
        let known = Set(Self.operations.map(\.name)).union(Self.harmless)
        let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent()
        var found: Set<String> = []
        for target in ["JavaScriptEngine", "JavaScriptBridge", "BridgeData"] {
            let folder = root.appending(path: "Sources/\(target)")
            let files = try #require(
                FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil)
            )
            for case let file as URL in files where file.pathExtension == "swift" {
                found.formUnion(Self.operations(in: try String(contentsOf: file, encoding: .utf8)))
            }
        }
        #expect(found.count > 25)
        #expect(found.subtracting(known).sorted() == [])
    }

    /// Returns the public operations with a parameter that is, contains or returns an engine value.
    private static func operations(in source: String) -> [String] {
        let declaration =
            #/\n +(?:@\w+ )*public (?:[a-z]+(?:\([a-z]+\))? )*(func `?(\w+)`?|init|subscript)\??(?:<[^>(]*>)?\(/#
        return source.matches(of: declaration).compactMap { match in
            var depth = 1
            let parameters = source[match.range.upperBound...].prefix { character in
                if character == "(" { depth += 1 }
                if character == ")" { depth -= 1 }
                return depth > 0
            }
            guard
                parameters.contains(
                    #/\b(JS(Value|ManagedValue|PropertyKey|Promise|Object|Function)|AnyObject|Any)\b/#
                )
            else { return nil }
            // At the outermost level only, because closures have parameters of their own.
            var (labels, part, level) = ([String](), "", 0)
            for character in parameters + "," {
                if "([<".contains(character) { level += 1 }
                if ")]>".contains(character), part.last != "-" { level -= 1 }
                guard character == ",", level == 0 else {
                    part.append(character)
                    continue
                }
                let words = part.prefix { $0 != ":" }.split(whereSeparator: \.isWhitespace)
                if let label = words.first(where: { !$0.hasPrefix("@") }) { labels.append("\(label):") }
                part = ""
            }
            return "\(match.2 ?? match.1)(\(labels.joined()))"
        }
    }
}
