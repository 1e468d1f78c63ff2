import BridgeTesting
import JavaScriptEngine
import Testing

/// Tests of the interfaces of `URL` and `URLSearchParams` by Web IDL, and against scripts that change the language.
@Suite(.enabled(if: Capabilities.current.urls.isAvailable)) struct URLInterfaceTests {
    @Test("WA1 the interfaces are as Web IDL defines them")
    func interfaces() throws {
        let context = try JSContext()
        let result = try context.evaluate(
            """
            (() => {
                const describe = (object, key) => {
                    const { value, get, set, writable, enumerable, configurable } = Object.getOwnPropertyDescriptor(object, key);
                    const flags = [writable ?? false, enumerable, configurable].map(Number).join("");
                    if (get) return `${String(key)} ${get.name}${set ? " " + set.name + set.length : ""} ${flags}`;
                    return `${String(key)} ${typeof value === "function" ? value.name + value.length : value === undefined ? "" : typeof value} ${flags}`;
                };
                const all = (object) => Reflect.ownKeys(object).map((key) => describe(object, key)).join("\\n");
                const next = Object.getPrototypeOf(new URLSearchParams().keys());
                return [
                    describe(globalThis, "URL"), all(URL), all(URL.prototype), describe(globalThis, "URLSearchParams"), all(URLSearchParams),
                    all(URLSearchParams.prototype), all(next), Object.getPrototypeOf(next) === Object.getPrototypeOf(Object.getPrototypeOf([].keys())),
                    Object.prototype.toString.call(new URL("a:b")), Object.prototype.toString.call(new URLSearchParams()), next[Symbol.toStringTag],
                    Object.getPrototypeOf(new URL("a:b")) === URL.prototype, Object.keys(new URL("a:b")).length,
                ].join("\\n");
            })()
            """
        ).toValue().stringValue
        #expect(
            result == """
                URL URL1 101
                length number 001
                name string 001
                prototype object 000
                parse parse1 111
                canParse canParse1 111
                constructor URL1 101
                href get href set href1 011
                origin get origin 011
                protocol get protocol set protocol1 011
                username get username set username1 011
                password get password set password1 011
                host get host set host1 011
                hostname get hostname set hostname1 011
                port get port set port1 011
                pathname get pathname set pathname1 011
                search get search set search1 011
                searchParams get searchParams 011
                hash get hash set hash1 011
                toString toString0 111
                toJSON toJSON0 111
                Symbol(Symbol.toStringTag) string 001
                URLSearchParams URLSearchParams0 101
                length number 001
                name string 001
                prototype object 000
                constructor URLSearchParams0 101
                size get size 011
                append append2 111
                delete delete1 111
                get get1 111
                getAll getAll1 111
                has has1 111
                set set2 111
                sort sort0 111
                toString toString0 111
                entries entries0 111
                forEach forEach1 111
                keys keys0 111
                values values0 111
                Symbol(Symbol.toStringTag) string 001
                Symbol(Symbol.iterator) entries0 101
                next next0 111
                Symbol(Symbol.toStringTag) string 001
                true
                [object URL]
                [object URLSearchParams]
                URLSearchParams Iterator
                true
                0
                """
        )
    }

    @Test("classes can be derived, and a copy of an object is refused")
    func derivedClasses() throws {
        let context = try JSContext()
        let result = try context.evaluate(
            """
            (() => {
                class Page extends URL { get name() { return this.pathname.slice(1); } }
                class Query extends URLSearchParams { get first() { return [...this][0][1]; } }
                const refusals = [new URL("a:b"), new URLSearchParams()].map((object) => {
                    try { structuredClone(object); return "copied"; } catch (error) { return error.name; }
                });
                return [new Page("http://h/x").name, new Query("a=1").first, new Page("a:b") instanceof URL, ...refusals].join();
            })()
            """
        ).toValue()
        #expect(result == "x,1,true,DataCloneError,DataCloneError")
    }

    @Test("R12 R13 URL works when every function of the language is replaced before its first use")
    func tampering() throws {
        let context = try JSContext()
        let result = try context.evaluate(
            """
            (() => {
                const define = Object.defineProperty, found = [];
                let calls = 0;
                const trap = { __proto__: null, configurable: true, get() { calls++; }, set() { calls++; } };
                const owners = [
                    Object, Array, Function, String, Number, Boolean, Map, Set, WeakMap, Promise, Symbol, Error, TypeError, Uint8Array,
                    Int32Array, Object.getPrototypeOf(Uint8Array), { prototype: Object.getPrototypeOf([].keys()) },
                    { prototype: Object.getPrototypeOf(Object.getPrototypeOf([].keys())) }, JSON, Reflect, Math,
                ];
                for (const owner of owners) {
                    for (const target of [owner, owner.prototype]) {
                        if (target === undefined) continue;
                        for (const key of Reflect.ownKeys(target)) {
                            if (Object.getOwnPropertyDescriptor(target, key).configurable) found.push({ target, key });
                        }
                    }
                }
                for (const name of ["String", "Symbol", "Reflect", "Object", "encodeURIComponent", "Uint8Array", "TypeError"]) {
                    found.push({ target: globalThis, key: name });
                }
                for (const key of [
                    "href", "pairs", "name", "value", "url", "params", "isStale", "parse", "parser", "parts", "problem", "get", "set",
                    "schemeEnd", "0", "1",
                ]) found.push({ target: Object.prototype, key }, { target: Array.prototype, key });
                const count = found.length;
                for (let index = 0; index < count; index++) define(found[index].target, found[index].key, trap);

                const url = new URL("../x?a=%C3%A9+1&b#f", "https://u:p@EXAMPLE.com:8443/a/b/c\\ud800");
                url.username = "\\u00e9:"; url.host = "h:1"; url.pathname = "?\\t "; url.hash = "#x ";
                const first = url.href, { searchParams } = url;
                searchParams.append("c d", "~\\u00e9"); searchParams.delete("b"); searchParams.sort(); searchParams.set("a", "\\ud800");
                let text = first + " " + url.href + " " + url.origin + " " + searchParams.get("a") + searchParams.has("a") + searchParams.size;
                const iterator = searchParams.entries();
                text += iterator.next().value[1];
                searchParams.forEach((value, name) => { text += name; });
                text += `${new URLSearchParams([["k", "v"]])}${new URLSearchParams({ k: "w" })}${new URLSearchParams("?k=x")}` + URL.canParse("x");
                let error;
                try { new URL("x"); } catch (thrown) { error = thrown; }
                return text + " " + calls;
            })()
            """
        ).toValue()
        #expect(
            result == """
                https://%C3%A9%3A:p@h:1/%3F%20?a=%C3%A9+1&b#x%20 \
                https://%C3%A9%3A:p@h:1/%3F%20?a=%EF%BF%BD&c+d=%7E%C3%A9#x%20 https://h:1 \u{FFFD}true2\u{FFFD}ac dk=vk=wk=xfalse 0
                """
        )
    }

    @Test("R13 no function or object of the package can be reached from a URL")
    func reachability() throws {
        let context = try JSContext()
        let result = try context.evaluate(
            """
            (() => {
                const url = new URL("http://h/?a=b"), reached = [];
                const known = new Set([Object.prototype, Function.prototype, Object.getPrototypeOf(Object.getPrototypeOf([].keys())), Object, Function]);
                const visit = (value, path) => {
                    if (typeof value !== "object" && typeof value !== "function" || value === null || known.has(value)) return;
                    known.add(value);
                    reached.push(path);
                    visit(Object.getPrototypeOf(value), path + ".__proto__");
                    for (const key of Reflect.ownKeys(value)) {
                        const { value: member, get, set } = Object.getOwnPropertyDescriptor(value, key);
                        for (const each of [member, get, set]) visit(each, `${path}.${String(key)}`);
                    }
                };
                visit(url, "url");
                visit(url.searchParams, "params");
                visit(url.searchParams.keys(), "iterator");
                return reached.filter((path) => !/^(url|params|iterator)(\\.__proto__(\\.[a-zA-Z()_.]+)?)?$/.test(path)).join();
            })()
            """
        ).toValue()
        #expect(result == "")
    }

    @Test("console shows the attributes of a URL, and the pairs of parameters, as Node does")
    func console() throws {
        let context = try JSContext()
        let lines = Recorder<String>()
        context.consoleSink = { lines.add($0.text) }
        try context.evaluate(
            """
            console.log(new URL("https://u:p@h.example:8443/a?x=1&y=%C3%A4#f"));
            console.log(new URLSearchParams("a=1&b=2&a=3"), new URLSearchParams(), Object.create(URL.prototype));
            const own = new URLSearchParams(Array.from({ length: 200 }, (_, index) => ["n", index]));
            own.extra = true;
            console.log(own);
            """
        )
        #expect(
            lines.elements.prefix(2) == [
                """
                URL {
                  href: 'https://u:p@h.example:8443/a?x=1&y=%C3%A4#f',
                  origin: 'https://h.example:8443',
                  protocol: 'https:',
                  username: 'u',
                  password: 'p',
                  host: 'h.example:8443',
                  hostname: 'h.example',
                  port: '8443',
                  pathname: '/a',
                  search: '?x=1&y=%C3%A4',
                  searchParams: URLSearchParams { 'x' => '1', 'y' => 'ä' },
                  hash: '#f'
                }
                """,
                "URLSearchParams { 'a' => '1', 'b' => '2', 'a' => '3' } URLSearchParams {} URL {}",
            ]
        )
        #expect(lines.elements.last?.hasSuffix("  ... 100 more items,\n  extra: true\n}") == true)
    }
}
