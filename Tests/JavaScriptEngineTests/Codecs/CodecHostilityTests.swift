import BridgeValues
import Foundation
import JavaScriptEngine
import TestSupport
import Testing

@Suite struct CodecHostilityTests {
    struct Plain: Codable, Equatable {
        var a: Int
        var b: String
    }

    struct Shaped: JSShaped, Equatable {
        var a: Int
        var b: String
    }

    @Test("R10 each member is read once, and later changes have no effect", arguments: [false, true])
    func readOnce(isShaped: Bool) throws {
        let context = try JSContext()
        try context.evaluate(
            """
            var reads = [];
            function tricky() {
                let count = 0;
                return {
                    get a() { reads.push('a'); return ++count === 1 ? 1 : 'changed'; },
                    get b() { reads.push('b'); return 'b' + count; },
                    get other() { reads.push('other'); throw new Error('nobody asks'); },
                };
            }
            """
        )
        for round in 0..<3 {
            let value = try context.evaluate("reads = []; tricky()")
            if isShaped {
                #expect(try value.decode(Shaped.self) == Shaped(a: 1, b: "b1"))
            } else {
                #expect(try value.decode(Plain.self) == Plain(a: 1, b: "b1"))
            }
            #expect(try context.evaluate("reads.join()").toValue() == "a,b", "round \(round)")
        }
    }

    @Test("R10 a getter may throw, loop through the same type or call back, and its error is thrown")
    func meddlingGetters() throws {
        let context = try JSContext()
        let decode = try context.makeFunction("decode") { (value: Plain) in value.a }
        try context.globalObject.setValue(decode.value, forProperty: "decode")
        let shaped = try context.makeFunction("shaped") { (value: Shaped) in value.a }
        try context.globalObject.setValue(shaped.value, forProperty: "shaped")
        let script = """
            (f => {
                const seen = [];
                for (let i = 0; i < 5; i++) {
                    seen.push(f({ get a() { return f({ a: i, b: 'inner' }) + 1; }, get b() { f({ a: 0, b: '' }); return 'x'; } }));
                    try { f({ a: 1, get b() { throw new RangeError('mine ' + i); } }); } catch (e) { seen.push(e.message); }
                    try { f({ get a() { return this; }, b: 'x' }); } catch (e) { seen.push(e.code); }
                }
                return seen.join();
            })
            """
        // The last one contains itself, which is not data.
        let expected = (0..<5).map { "\($0 + 1),mine \($0),encodeFailed" }.joined(separator: ",")
        for function in [decode, shaped] {
            let result = try context.evaluate(script).call(withArguments: [function.value])
            let text = try result.toValue().stringValue
            #expect(text == expected)
        }
    }

    @Test("proxies, revoked ones, dates and boxed values become a value or an error, nothing else")
    func oddObjects() throws {
        let context = try JSContext()
        let scripts = [
            "new Proxy({a: 1, b: 'x'}, {})",
            "new Proxy({}, {get: (t, k) => k === 'a' ? 1 : k === 'b' ? 'x' : undefined})",
            "Object.assign(() => {}, {a: 1, b: 'x'})", "Object.create({a: 1, b: 'x'})",
            "new (class { get a() { return 1; } get b() { return 'x'; } })",
            "Object.assign([], {a: 1, b: 'x'})",
            "({toJSON() { return {a: 1, b: 'x'}; }})",
            "(() => { const p = Proxy.revocable({}, {}); p.revoke(); return p.proxy; })()",
            "new Proxy({}, {get() { throw 1; }})", "new Date()", "new String('x')", "new Map([['a', 1]])",
            "globalThis",
            "({toJSON() { return this; }, a: 1, b: 'x'})", "({toJSON() { throw 1; }})",
            "({toJSON: 5, a: 1, b: 'x'})",
            "({a: new Number(1), b: new String('x')})", "Symbol.iterator", "123n",
            "Object.create(null, {a: {value: 1}, b: {value: 'x'}})",
        ]
        for script in scripts {
            var outcomes: [String] = []
            for _ in 0..<3 {
                let value = try context.evaluate("(\(script))")
                do {
                    let plain = try value.decode(Plain.self)
                    #expect(plain == Plain(a: 1, b: "x"), "\(script)")
                    outcomes.append("value")
                } catch {
                    outcomes.append("error")
                }
            }
            #expect(Set(outcomes).count == 1, "\(script): \(outcomes)")
            let value = try context.evaluate("(\(script))")
            let shaped = try? value.decode(Shaped.self)
            #expect((shaped != nil) == (outcomes[0] == "value"), "\(script)")
        }
    }

    @Test("R12 tampering with prototypes does not affect a value at the boundary")
    func tampering() throws {
        let context = try JSContext()
        _ = try context.evaluate("({a: 1, b: 'x'})").decode(Plain.self)
        try context.evaluate(
            """
            var stolen = [];
            const steal = name => function (value) { stolen.push(name, value); throw new Error('tampered'); };
            for (const prototype of [Object.prototype, Array.prototype]) {
                for (const key of ['0', '1', '2', 'a', 'b', 'read', 'cells', 'text', 'id']) {
                    Object.defineProperty(prototype, key, { set: steal('set ' + key), get() { return undefined; }, configurable: true });
                }
            }
            String.prototype.substring = steal('substring');
            Function.prototype.call = steal('call');
            Function.prototype.apply = steal('apply');
            Array.prototype.push = steal('push');
            Array.prototype[Symbol.iterator] = steal('iterator');
            Object.keys = steal('keys');
            """
        )
        let same: ([Plain]) throws -> [Plain] = try JSFunction(context.evaluate("(value => value)")).typed()
        let many = (0..<40).map { Plain(a: $0, b: "text \($0 % 3)") }
        #expect(try same(many) == many)
        #expect(try same([many[0]]) == [many[0]])
        let shaped: ([Shaped]) throws -> [Shaped] = try JSFunction(context.evaluate("(value => value)"))
            .typed()
        let more = (0..<40).map { Shaped(a: $0, b: "text \($0 % 3)") }
        #expect(try shaped(more) == more)
        #expect(try context.evaluate("stolen.length").toValue() == 0)
    }

    @Test("R9 arrays with a false length, sparse ones and those of typed arrays")
    func lists() throws {
        let context = try JSContext(virtualMachine: JSVirtualMachine())
        #expect(try context.evaluate("new Float64Array([1, 2])").decode(Data.self).count == 16)
        #expect(throws: (any Error).self) { try context.evaluate("({length: 3})").decode([Int].self) }
        for length in ["-1", "1.5", "NaN", "'3'", "Infinity", "2 ** 40", "{}"] {
            let script = "new Proxy([], {get: (t, k) => k === 'length' ? \(length) : t[k]})"
            #expect(throws: (any Error).self, "\(length)") { try context.evaluate(script).decode([Int].self) }
        }
        let lying = "new Proxy([], {get: (t, k) => k === 'length' ? 4294967295 : t[k]})"
        #expect(throws: BridgeError.self) { try context.evaluate(lying).decode([Plain].self) }
        #expect(try context.evaluate("[1, , 3]").decode([Int?].self) == [1, nil, 3])
        let shrinking =
            "(() => { const l = [{get a() { l.length = 1; return 1; }, b: 'x'}, {a: 2, b: 'y'}]; return l; })()"
        #expect(throws: BridgeError.self) { try context.evaluate(shrinking).decode([Plain].self) }
        var limits = ExecutionLimits()
        limits.maximumNodes = 100
        let small = try JSContext(virtualMachine: JSVirtualMachine(limits: limits))
        #expect(try small.evaluate("new Array(99).fill(1)").decode([Int].self).count == 99)
        #expect(throws: BridgeError.self) { try small.evaluate("new Array(101).fill(1)").decode([Int].self) }
        #expect(throws: BridgeError.self) {
            try JSValue(encoding: Array(repeating: 1, count: 101), in: small)
        }
        #expect(throws: BridgeError.self) {
            try JSValue(encoding: Array(repeating: Plain(a: 1, b: ""), count: 40), in: small)
        }
    }

    @Test("R9 recursive types stop at the limit of depth, both ways, and so does a cycle")
    func depth() throws {
        struct Tree: Codable { var children: [Tree] }
        struct ShapedTree: JSShaped { var children: [ShapedTree] }
        var limits = ExecutionLimits()
        limits.maximumDepth = 40
        let context = try JSContext(virtualMachine: JSVirtualMachine(limits: limits))
        let deep = "(n => { let t = {children: []}; while (n-- > 0) t = {children: [t]}; return t; })"
        let shallow = try context.evaluate(deep).call(withArguments: [JSValue(15, in: context)])
        #expect(try shallow.decode(Tree.self).children.count == 1)
        #expect(try shallow.decode(ShapedTree.self).children.count == 1)
        for script in ["\(deep)(1000)", "(() => { const t = {}; t.children = [t]; return t; })()"] {
            let value = try context.evaluate(script)
            #expect(throws: BridgeError.self) { try value.decode(Tree.self) }
            #expect(throws: BridgeError.self) { try value.decode(ShapedTree.self) }
        }
        var tree = Tree(children: [])
        var shaped = ShapedTree(children: [])
        for _ in 0..<100 {
            tree = Tree(children: [tree])
            shaped = ShapedTree(children: [shaped])
        }
        #expect(throws: BridgeError.self) { try JSValue(encoding: tree, in: context) }
        #expect(throws: BridgeError.self) { try JSValue(encoding: shaped, in: context) }
        #expect(
            try JSValue(encoding: Plain(a: 1, b: "x"), in: context).decode(Plain.self) == Plain(a: 1, b: "x")
        )
    }

    @Test("short strings that repeat stay equal, however many there are")
    func internedStrings() throws {
        let context = try JSContext()
        let same: ([String]) throws -> [String] = try JSFunction(context.evaluate("(value => value)")).typed()
        let join: ([String]) throws -> String = try JSFunction(context.evaluate("(v => v.join('/'))")).typed()
        var random = SeededGenerator.fromEnvironment()
        let alphabet = ["", "a", "b", "\0", "é", "€", "😀", "x y", "0", "-1", "__proto__"]
        for round in 0..<300 {
            let texts = (0..<Int.random(in: 1...40, using: &random)).map { _ in
                (0..<Int.random(in: 0...6, using: &random)).map { _ in
                    alphabet.randomElement(using: &random) ?? ""
                }
                .joined() + String(Int.random(in: 0...400, using: &random))
            }
            #expect(try same(texts) == texts, "round \(round), \(random.origin)")
            #expect(try join(texts) == texts.joined(separator: "/"), "round \(round), \(random.origin)")
        }
    }

    @Test("short strings that replace each other in the cache within one value stay equal")
    func knownTextsInOneValue() throws {
        let context = try JSContext()
        let same: ([String]) throws -> [String] = try JSFunction(context.evaluate("(value => value)")).typed()
        var random = SeededGenerator.fromEnvironment()
        for _ in 0..<12 {
            // Three times as many as the cache holds, each several times.
            let texts = (0..<6000).map { _ in "t\(Int.random(in: 0..<1500, using: &random))" }
            let arrived = try same(texts)
            let wrong = zip(texts, arrived).filter { $0 != $1 }
            #expect(arrived.count == texts.count && wrong.isEmpty, "\(wrong.prefix(3)), \(random.origin)")
        }
    }

    @Test("an encoding that fails half way leaves no string behind that another one would use")
    func knownTextsAndFailures() throws {
        struct Failing: Codable {
            var texts: [String]
            func encode(to encoder: any Encoder) throws {
                var container = encoder.container(keyedBy: CodingKeys.self)
                try container.encode(texts, forKey: .texts)
                throw BridgeError(.invalidArgument, "half way")
            }
            enum CodingKeys: String, CodingKey { case texts }
        }
        let context = try JSContext()
        let same: ([String]) throws -> [String] = try JSFunction(context.evaluate("(value => value)")).typed()
        for round in 0..<40 {
            let texts = (0..<30).map { "text \(($0 + round) % 50)" }
            #expect(throws: BridgeError.self) { try JSValue(encoding: Failing(texts: texts), in: context) }
            #expect(try same(texts) == texts)
        }
    }

    @Test("R8 a type read by its members equals the same type read in steps, for any value")
    func oracle() throws {
        struct Subject: Codable, Equatable {
            var i: Int
            var d: Double
            var s: String
            var f: Bool
            var o: Int?
            var l: [Double]?
        }
        let context = try JSContext()
        var random = SeededGenerator.fromEnvironment()
        let leaves: [Value] = [
            0, 1, -1, 1.5, .double(-0.0), .double(1e300), .integer(1 << 60), .bigInt("99999999999999999999"),
            "", "x",
            "caf\u{e9}", .illFormedString([0xD800]), true, false, .null, .undefined, [], [1, 2.5], [:],
            ["a": 1],
            .date(Date(timeIntervalSince1970: 5)), .bytes(Data([1])),
        ]
        for round in 0..<2000 {
            var object = ValueObject()
            for key in ["i", "d", "s", "f", "o", "l", "z"] where Int.random(in: 0..<10, using: &random) > 0 {
                let usual: [String: [Value]] = [
                    "i": [7, 0], "d": [1.5, 2], "s": ["text", ""], "f": [true, false], "o": [.null, 3],
                    "l": [[1, 2], .undefined],
                ]
                let pool = Int.random(in: 0..<8, using: &random) == 0 ? leaves : usual[key] ?? leaves
                object[key] = pool.randomElement(using: &random) ?? .null
            }
            let value = try JSValue(.object(object), in: context)
            let bySteps = Result { try ValueDecoder().decode(Subject.self, from: value.toValue()) }
            let byMembers = Result { try value.decode(Subject.self) }
            switch (bySteps, byMembers) {
            case (.success(let left), .success(let right)):
                #expect(left == right, "round \(round), \(random.origin)")
            case (.failure(let left as BridgeError), .failure(let right as BridgeError)):
                #expect(left.code == right.code, "round \(round), \(random.origin): \(left) / \(right)")
            default: Issue.record("round \(round), \(random.origin): \(object): \(bySteps) / \(byMembers)")
            }
        }
    }
}
