import BridgeTesting
import BridgeValues
import Foundation
import JavaScriptEngine
import Testing

/// R14: every object that a script can reach belongs to its own context, and none to the package's own script.
@Suite(.noLeaks) struct RealmTests {
    /// A script that walks everything that some values lead to: members, accessors, symbols, prototypes, elements of
    /// maps and sets.
    ///
    /// It reports each object of another realm, which the end of its prototype chain shows, and each object that must
    /// stay hidden.
    private static let walker = """
        (function (roots, hidden) {
            const own = new Set([Object.prototype]);
            const secret = new Set(hidden);
            const seen = new Set(), found = [], stack = [];
            let count = 0;
            function visit(value, path) {
                if ((typeof value !== 'object' && typeof value !== 'function') || value === null) return;
                if (seen.has(value)) return;
                seen.add(value);
                stack.push([value, path]);
            }
            roots.forEach((root, index) => visit(root, 'root' + index));
            while (stack.length) {
                const [value, path] = stack.pop();
                count++;
                if (secret.has(value)) found.push(path + ' is internal');
                let last = value;
                for (let next = value; next !== null; next = Object.getPrototypeOf(next)) last = next;
                const hasOwnChain = last === value || own.has(last);
                if (!hasOwnChain) found.push(path + ' belongs to another realm');
                if (typeof value === 'function' && !(value instanceof Function) && value !== Function.prototype) {
                    found.push(path + ' is a function of another realm');
                }
                visit(Object.getPrototypeOf(value), path + '.__proto__');
                for (const key of Reflect.ownKeys(value)) {
                    const name = path + '.' + String(key);
                    const descriptor = Reflect.getOwnPropertyDescriptor(value, key);
                    if (!descriptor) continue;
                    visit(descriptor.value, name);
                    visit(descriptor.get, name + ' (get)');
                    visit(descriptor.set, name + ' (set)');
                    if (descriptor.get) {
                        try { visit(value[key], name + '()'); } catch (error) { visit(error, name + ' throws'); }
                    }
                }
                if (value instanceof Map) value.forEach((v, k) => { visit(k, path + '<key>'); visit(v, path + '<value>'); });
                if (value instanceof Set) value.forEach(v => visit(v, path + '<element>'));
            }
            return { found, count };
        })
        """

    private static func walk(_ roots: [JSValue], in context: JSContext, hidden: [JSValue]) throws -> Value {
        let walker = try context.evaluate(walker)
        return try walker.call(withArguments: [
            JSValue(newArrayIn: context, of: roots), JSValue(newArrayIn: context, of: hidden),
        ]).toValue()
    }

    /// Returns the internals of the package's own script: all of its shared object that is not part of the language.
    private static func hidden(in context: JSContext) throws -> [JSValue] {
        let internals = context.internals
        let collect = try context.evaluate(
            """
            (function (internal) {
                const known = new Set(), stack = [], result = [];
                for (const key of Reflect.ownKeys(globalThis)) {
                    // The package's additions to the global object are meant to be visible.
                    stack.push(globalThis[key]);
                }
                while (stack.length) {
                    const value = stack.pop();
                    if ((typeof value !== 'object' && typeof value !== 'function') || value === null || known.has(value)) continue;
                    known.add(value);
                    stack.push(Object.getPrototypeOf(value));
                    for (const key of Reflect.ownKeys(value)) {
                        const d = Reflect.getOwnPropertyDescriptor(value, key);
                        if (d) stack.push(d.value, d.get, d.set);
                    }
                }
                const walk = (value, depth) => {
                    if ((typeof value !== 'object' && typeof value !== 'function') || value === null) return;
                    if (known.has(value)) return;
                    known.add(value);
                    result.push(value);
                    if (depth < 3) for (const key of Reflect.ownKeys(value)) {
                        const d = Reflect.getOwnPropertyDescriptor(value, key);
                        if (d) walk(d.value, depth + 1);
                    }
                };
                walk(internal, 0);
                return result;
            })
            """
        )
        return try collect.call(withArguments: [internals]).toArray()
    }

    /// Returns objects of every kind that scripts receive.
    private static func handOver(_ context: JSContext, _ other: JSContext) throws -> [JSValue] {
        struct Failure: Error {}
        let kept = try context.evaluate("kept = []; kept")
        let receive = try context.evaluate("(...values) => { kept.push(...values) }")
        let data: Value = [
            "list": [1, "a", .null, ["x": .bytes(Data([1, 2]))]],
            "date": .date(Date(timeIntervalSince1970: 0)),
            "big": .bigInt("12345678901234567890123"),
        ]
        try receive.call(with: data, .bytes(Data([3])), .array([data]))
        let function = try context.makeFunction(named: "f", parameterCount: 2) { arguments in
            guard let first = arguments.first else { throw BridgeError(.denied, "no", data: data) }
            if first.isNull { throw Failure() }
            return try JSValue(data, in: first.context)
        }
        try context.setValue(function, forProperty: "hostFunction")
        try other.setValue(try other.makeFunction(named: "g") { _ in nil }, forProperty: "hostFunction")
        try context.evaluate(
            """
            kept.push(hostFunction(1));
            for (const give of [() => hostFunction(), () => hostFunction(null), () => hostFunction.call(null, null)]) {
                try { give() } catch (error) { kept.push(error) }
            }
            kept.push((async () => hostFunction())().catch(error => kept.push(error)), console, setTimeout(() => {}, 1e9));
            """
        )
        final class Model {}
        return [
            context.globalObject, kept, function, try JSValue(newObjectIn: context),
            try JSValue(newArrayIn: context, of: [function]),
            try JSValue(newErrorFromMessage: "x", in: context),
            try JSValue(newRegularExpressionFromPattern: "a", in: context),
            try JSTypedArray(data: Data(count: 4096), in: context).value,
            try JSArrayBuffer(data: Data(count: 10), in: context).value,
            try JSValue(object: Model(), in: context),
            try JSValue(object: ["a": [Model(), 1] as [Any]] as [String: Any], in: context),
        ]
    }

    @Test(
        "R14 everything that a script can reach is of its own context, and nothing of it is internal"
    )
    func ownRealm() throws {
        let machine = JSVirtualMachine()
        let (context, other) = (
            try JSContext(virtualMachine: machine), try JSContext(virtualMachine: machine)
        )
        let hidden = try Self.hidden(in: context)
        #expect(hidden.count > 20, "the package's own script has more than this")
        let roots = try Self.handOver(context, other)
        let result = try Self.walk(roots, in: context, hidden: hidden)
        #expect(result["found"] == [])
        #expect(result["count"].integerValue ?? 0 > 700)
        #expect(
            try context.evaluate(
                "[hostFunction, console.log, setTimeout, queueMicrotask].every(f => f.constructor.constructor === Function)"
            ).toBool()
        )
    }

    @Test(
        "R14 the walk finds planted objects: one of another context, and one of the package's own script"
    )
    func planted() throws {
        let machine = JSVirtualMachine()
        let (context, other) = (
            try JSContext(virtualMachine: machine), try JSContext(virtualMachine: machine)
        )
        let hidden = try Self.hidden(in: context)
        let plants: [(String, JSValue)] = [
            ("another realm", try other.evaluate("({})")),
            ("another realm", try other.evaluate("(() => {})")),
            ("another realm", try other.evaluate("({ __proto__: null, deep: [] })")),
            ("internal", context.internals), ("internal", try context.internals["take"]),
        ]
        for (what, plant) in plants {
            let wrap = try context.evaluate(
                "x => ({ get deep() { return new Map([[1, { [Symbol('s')]: x }]]) } })"
            )
            let root = try wrap.call(withArguments: [plant])
            let result = try Self.walk([root], in: context, hidden: hidden)
            let found = result["found"].arrayValue?.compactMap(\.stringValue) ?? []
            #expect(found.contains { $0.contains(what) }, "\(what): \(found)")
        }
    }
}
