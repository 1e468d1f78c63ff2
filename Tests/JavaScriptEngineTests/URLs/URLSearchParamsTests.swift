import JavaScriptEngine
import Testing

/// `URLSearchParams` by the URL Standard.
@Suite struct URLSearchParamsTests {
    private func lines(_ body: String) throws -> String? {
        let context = try JSContext()
        return try context.evaluate(
            """
            (() => {
                const attempt = (body) => { try { return body(); } catch (error) { return error.name; } };
                const show = (...parts) => String(new URLSearchParams(...parts));
                return [\(body)].map((line) => typeof line === "object" ? JSON.stringify(line) : String(line)).join("\\n");
            })()
            """
        ).toValue().stringValue
    }

    @Test("an object is made of a string, a record, a sequence or an iterator")
    func construction() throws {
        let result = try lines(
            """
            show("?a=1&b&&=2&a=%20+"), show("??a"), show(), show(undefined), show(null), show(5), show({}), show([]),
            show({ a: 1, b: undefined, get c() { return "d"; } }), show({ "\\ud835x": "1", xx: "2", "\\ud83dx": "3" }),
            show([["a", "b"], ["a", "c"]]), show(new Map([["x", "y"]])), show(new Set([new Set(["a", "b"])])),
            show(function* () { yield ["p", "q"]; }()), show(new URLSearchParams("a=b&a=c")),
            show(Object.defineProperty({ a: 1 }, "hidden", { value: 2 })), show(Object.create({ inherited: 1 })),
            attempt(() => show([["a"]])), attempt(() => show([["a", "b", "c"]])), attempt(() => show(["ab"])), attempt(() => show([1])),
            attempt(() => show({ [Symbol.iterator]: 5 })), attempt(() => show(Symbol())), attempt(() => show({ a: Symbol() })),
            attempt(() => show({ [Symbol("s")]: 1 })), attempt(() => URLSearchParams("a")), show(() => {}),
            attempt(() => show({ get a() { throw new RangeError("r"); } })),
            """
        )
        #expect(
            result == """
                a=1&b=&=2&a=++
                %3Fa=


                null=
                5=


                a=1&b=undefined&c=d
                %EF%BF%BDx=3&xx=2
                a=b&a=c
                x=y
                a=b
                p=q
                a=b&a=c
                a=1

                TypeError
                TypeError
                TypeError
                TypeError
                TypeError
                TypeError
                TypeError
                TypeError
                TypeError

                RangeError
                """
        )
    }

    @Test("bytes are decoded as UTF-8 with replacements, and encoded as the form says")
    func encoding() throws {
        let result = try lines(
            """
            [...new URLSearchParams("%61=%C3%A9&%zz=%&x=%F0%9F%98%80%F0%9F&%EF%BB%BFz=%00&\\ud800=é%C3é&+=%2b")],
            show([["a b*-._~!'()&=+%#", "é\\u0000\\ud83d\\ude00\\udc00"]]), [...new URLSearchParams("\\uFEFFtest=\\uFEFF")],
            """
        )
        #expect(
            result == """
                [["a","é"],["%zz","%"],["x","😀\u{FFFD}"],["\u{FEFF}z","\\u0000"],["\u{FFFD}","é\u{FFFD}é"],[" ","+"]]
                a+b*-._%7E%21%27%28%29%26%3D%2B%25%23=%C3%A9%00%F0%9F%98%80%EF%BF%BD
                [["\u{FEFF}test","\u{FEFF}"]]
                """
        )
    }

    @Test("the methods work as the standard says")
    func methods() throws {
        let result = try lines(
            """
            (() => { const p = new URLSearchParams("a=1&b=2&a=3"); return [p.get("a"), p.get("c"), p.getAll("a"), p.has("a", 3),
                p.has("a", 2), p.has("a", undefined), p.has("c"), p.size]; })(),
            (() => { const p = new URLSearchParams("a=1&b=2&a=3"); p.append("c", null); p.set("a", 4); p.set("d", 5); return `${p}`; })(),
            (() => { const p = new URLSearchParams("a=1&b=2&a=3&a=1"); p.delete("a", 1); p.delete("b", undefined); return `${p}`; })(),
            (() => { const p = new URLSearchParams("z=1&\\uFB03=2&\\u{1F308}=3&a=4&z=0&ff=5&=6"); p.sort(); return [...p.keys()].join(); })(),
            (() => { const p = new URLSearchParams("b=2&a=1&b=1"); p.sort(); return `${p}`; })(),
            (() => { const seen = []; const p = new URLSearchParams("a=1&b=2");
                p.forEach(function (value, name, params) { seen.push(name, value, params === p, this.x); }, { x: 7 }); return seen; })(),
            (() => { const p = new URLSearchParams("a=1&b=2"); return [[...p.keys()], [...p.values()], [...p.entries()], [...p]]; })(),
            attempt(() => new URLSearchParams().append("a")), attempt(() => new URLSearchParams().set("a")),
            attempt(() => new URLSearchParams().get()), attempt(() => new URLSearchParams().forEach()),
            attempt(() => new URLSearchParams().forEach({})), attempt(() => URLSearchParams.prototype.size),
            attempt(() => URLSearchParams.prototype.keys.call({})), attempt(() => new URLSearchParams("a").keys().next.call({})),
            """
        )
        #expect(
            result == """
                ["1",null,["1","3"],true,false,true,false,3]
                a=4&b=2&c=null&d=5
                a=3
                ,a,ff,z,z,🌈,ﬃ
                a=1&b=2&b=1
                ["a","1",true,7,"b","2",true,7]
                [["a","b"],["1","2"],[["a","1"],["b","2"]],[["a","1"],["b","2"]]]
                TypeError
                TypeError
                TypeError
                TypeError
                TypeError
                TypeError
                TypeError
                TypeError
                """
        )
    }

    @Test("an iteration sees changes that are made during it")
    func liveness() throws {
        let result = try lines(
            """
            (() => { const p = new URLSearchParams("a&b&c&d"), seen = []; for (const [name] of p) { seen.push(name); p.delete(name); }
                return seen.join() + " " + p; })(),
            (() => { const p = new URLSearchParams("a=1"), seen = []; for (const [name] of p) { seen.push(name);
                if (seen.length < 3) p.append("b" + seen.length, ""); } return seen.join(); })(),
            (() => { const p = new URLSearchParams("b&a"), i = p.keys(); i.next(); p.sort(); return [i.next().value, i.next().done,
                i[Symbol.iterator]() === i]; })(),
            """
        )
        #expect(result == "a,c b=&d=\na,b1,b2\n[\"b\",true,true]")
    }

    @Test(
        "the parameters of a URL and its query follow each other",
        .enabled(if: Capabilities.current.urls.isAvailable)
    )
    func ofURL() throws {
        let result = try lines(
            """
            (() => { const u = new URL("http://h/?a=1#f"), p = u.searchParams; p.append("b", "é &"); const first = u.href;
                u.search = "?x=%20y"; const second = `${p}`; u.href = "http://h/?z"; const third = `${p}`; p.delete("z");
                return [first, second, third, u.href, u.searchParams === p, p.size]; })(),
            (() => { const u = new URL("foo:x?a~b"), p = u.searchParams; const before = u.href; p.sort(); return [before, u.href]; })(),
            (() => { const u = new URL("http://h/?a"), p = u.searchParams; p.append("b", ""); u.hash = "f"; u.host = "x"; p.set("c", 1);
                return [u.search, u.href, JSON.stringify(u), `${u}`, u.toString()]; })(),
            (() => { const u = new URL("http://h/?a"); try { u.href = "x"; } catch {} u.searchParams = 5; return [u.href, u.searchParams.size]; })(),
            """
        )
        #expect(
            result == """
                ["http://h/?a=1&b=%C3%A9+%26#f","x=+y","z=","http://h/",true,0]
                ["foo:x?a~b","foo:x?a%7Eb="]
                ["?a=&b=&c=1","http://x/?a=&b=&c=1#f","\\"http://x/?a=&b=&c=1#f\\"","http://x/?a=&b=&c=1#f","http://x/?a=&b=&c=1#f"]
                ["http://h/?a",1]
                """
        )
    }
}
