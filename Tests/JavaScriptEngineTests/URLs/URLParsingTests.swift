import BridgeValues
import CJavaScriptCoreSPI
import Testing

@testable import JavaScriptEngine

/// `URL` by the URL Standard, on cases of our own.
@Suite(.enabled(if: URLSupport.current.isAvailable)) struct URLParsingTests {
    /// The input, the base, and the expected text; `nil` for an invalid URL.
    static let cases: [(String, String?, String?)] = [
        // The examples of the standard.
        ("https:example.org", nil, "https://example.org/"),
        ("https://////example.com///", nil, "https://example.com///"),
        ("https://example.com/././foo", nil, "https://example.com/foo"),
        ("hello:world", "https://example.com", "hello:world"),
        ("https:example.org", "https://example.com", "https://example.com/example.org"),
        (#"\example\..\demo/.\"#, "https://example.com", "https://example.com/demo/"),
        ("example", "https://example.com/demo", "https://example.com/example"),
        ("file:///C|/demo", nil, "file:///C:/demo"),
        ("..", "file:///C:/demo", "file:///C:/"),
        ("file://loc%61lhost/", nil, "file:///"),
        ("https://user:password@example.org/", nil, "https://user:password@example.org/"),
        ("https://example.org/foo bar", nil, "https://example.org/foo%20bar"),
        ("https://EXAMPLE.com/../x", nil, "https://example.com/x"),
        ("https://ex ample.org/", nil, nil),
        ("example", nil, nil),
        ("https://example.com:demo", nil, nil),
        ("http://[www.example.com]/", nil, nil),
        // Hosts.
        ("http://0x7F.1/", nil, "http://127.0.0.1/"),
        ("http://256/", nil, "http://0.0.1.0/"),
        ("http://1.2.3.4.5/", nil, nil),
        ("http://256.1.1.1/", nil, nil),
        ("http://[1:0::0:2]/", nil, "http://[1::2]/"),
        ("http://[::127.0.0.1]/", nil, "http://[::7f00:1]/"),
        ("http://[1::2::3]/", nil, nil),
        ("http://faß.example/", nil, "http://xn--fa-hia.example/"),
        ("http://ＧＯ.com/", nil, "http://go.com/"),
        ("http://a%00b/", nil, nil),
        ("http://a<b/", nil, nil),
        ("foo://a b/", nil, nil),
        ("foo://Ex%41mple/", nil, "foo://Ex%41mple/"),
        ("  http://u@XN--A.b:81/xn--?XN-- ", nil, "http://u@xn--a.b:81/xn--?XN--"),
        ("/x", "https://a.xn--/b", "https://a.xn--/x"),
        ("http://xn--a b/", nil, nil),
        ("http://xn--\u{E9}/", nil, nil),
        ("http://xn--a.1/", nil, nil),
        ("http:///", nil, nil),
        ("http://u@/", nil, nil),
        // Ports.
        ("http://h:80/", nil, "http://h/"),
        ("https://h:80/", nil, "https://h:80/"),
        ("http://h:65535/", nil, "http://h:65535/"),
        ("http://h:65536/", nil, nil),
        ("http://h:/", nil, "http://h/"),
        // Paths.
        ("http://h/a/%2e%2E/b", nil, "http://h/b"),
        ("http://h/a/..", nil, "http://h/"),
        ("foo:/..//x", nil, "foo:/.//x"),
        ("foo:/a/../..", nil, "foo:/"),
        ("data:a b?c d#e f", nil, "data:a b?c%20d#e%20f"),
        ("http://h?q", nil, "http://h/?q"),
        ("foo://h?q", nil, "foo://h?q"),
        ("foo://u@h?q", nil, "foo://u@h?q"),
        ("foo://u@h/?q", nil, "foo://u@h/?q"),
        ("foo://u:p@h:1#f", nil, "foo://u:p@h:1#f"),
        ("?q", "foo://u@h/", "foo://u@h/?q"),
        // Queries and fragments.
        ("http://h/?'é#\"<é", nil, "http://h/?%27%C3%A9#%22%3C%C3%A9"),
        ("foo://h/?'", nil, "foo://h/?'"),
        (" HTTP:/ ", "http://h/a?b", "http://h/"),
        ("https:/", "http://h/a", nil),
        ("?x", "http://h/a?b#c", "http://h/a?x"),
        ("#x", "http://h/a?b#c", "http://h/a?b#x"),
        ("#x", "data:a", "data:a#x"),
        ("x", "data:a", nil),
        ("", "http://h/a?b#c", "http://h/a?b"),
        ("//x/y", "https://h/a", "https://x/y"),
        // Spaces, tabs and surrogates.
        ("  http://h\t/\na \u{1}", nil, "http://h/a"),
        ("ht\ntp://h/", nil, "http://h/"),
        ("http://h/\u{1F600}", nil, "http://h/%F0%9F%98%80"),
    ]

    private static func list() -> Value {
        .array(cases.map { .array([.string($0.0), $0.1.map { .string($0) } ?? .null]) })
    }

    private static let parseAll = """
        (function (cases) {
            return cases.map(([url, base]) => {
                const parsed = base === null ? URL.parse(url) : URL.parse(url, base);
                const isValid = base === null ? URL.canParse(url) : URL.canParse(url, base);
                if ((parsed !== null) !== isValid) return "URL.canParse differs";
                try {
                    const made = base === null ? new URL(url) : new URL(url, base);
                    if (parsed === null || made.href !== parsed.href) return "URL.parse differs";
                    return new URL(made.href).href === made.href ? made.href : "the text is another URL";
                } catch (error) {
                    return error instanceof TypeError && parsed === null ? null : String(error);
                }
            });
        })
        """

    @Test("URLs are parsed as the standard says")
    func parsing() throws {
        let context = try JSContext()
        let results = try context.evaluate(Self.parseAll).call(with: Self.list())
        guard case .array(let values) = results else {
            Issue.record("no array")
            return
        }
        for (index, value) in values.enumerated() {
            let (url, base, expected) = Self.cases[index]
            #expect(value.stringValue == expected, "\(url) \(base ?? "")")
        }
    }

    /// The inputs of which the engine's parser makes another URL than the standard, with both.
    static let differentInputs: [(String, String?, String, String)] = [
        (#"\x"#, "foo://h/a", #"foo://h/\x"#, "foo://h/x"),
        (#"foo://h/.\x"#, nil, #"foo://h/.\x"#, "foo://h/x"),
        ("file://h/C|", nil, "file://h/C:", "file://h/C|"),
    ]

    @Test(
        "the documented inputs, and no others of them, differ from the standard on 2.50",
        arguments: differentInputs
    )
    func deviations(_ url: String, _ base: String?, _ standard: String, _ expected: String) throws {
        let context = try JSContext()
        let parse = try context.evaluate(
            "(function (url, base) { return new URL(url, base ?? undefined).href; })"
        )
        let result = try parse.call(with: .string(url), base.map { .string($0) } ?? .null).stringValue
        let is250 = Capabilities.current.engineVersion.hasPrefix("2.50.")
        #expect(is250 ? result == expected : result == expected || result == standard)
    }

    @Test("the attributes of a URL are its parts")
    func attributes() throws {
        let context = try JSContext()
        let parts = try context.evaluate(
            """
            (() => {
                const read = (text) => {
                    const url = new URL(text);
                    return [url.origin, url.protocol, url.username, url.password, url.host, url.hostname, url.port, url.pathname,
                        url.search, url.hash, String(url) === url.href && JSON.stringify(url) === JSON.stringify(url.href)].join(" ");
                };
                return [
                    "https://u:p@h.example:8443/a/b?q#f", "http://u@h/", "http://:p@h/", "http://h/?#", "file:///a", "data:x?y",
                    "foo:/.//x", "foo://h", "blob:https://h:1/x", "blob:ws://h/x", "blob:blob:https://h/", "wss://h:443/",
                ].map(read).join("\\n");
            })()
            """
        ).toValue().stringValue
        #expect(
            parts == """
                https://h.example:8443 https: u p h.example:8443 h.example 8443 /a/b ?q #f true
                http://h http: u  h h  /   true
                http://h http:  p h h  /   true
                http://h http:   h h  /   true
                null file:      /a   true
                null data:      x ?y  true
                null foo:      //x   true
                null foo:   h h     true
                https://h:1 blob:      https://h:1/x   true
                null blob:      ws://h/x   true
                null blob:      blob:https://h/   true
                wss://h wss:   h h  /   true
                """
        )
    }

    @Test("an invalid URL is a TypeError with its text, also of the setter of href")
    func errors() throws {
        let context = try JSContext()
        let result = try context.evaluate(
            """
            (() => {
                const attempt = (body) => { try { return body(); } catch (error) { return `${error.name}: ${error.message}`; } };
                const url = new URL("http://h/");
                return [
                    attempt(() => new URL("x", "data:y")), attempt(() => new URL("http://" + "x y".repeat(1000)).href.length < 200),
                    attempt(() => { url.href = "x"; }), url.href, attempt(() => URL("http://h")), attempt(() => new URL()),
                    attempt(() => new URL(Symbol())), attempt(() => URL.canParse()), attempt(() => URL.parse()),
                    attempt(() => URL.prototype.href), attempt(() => { Object.create(URL.prototype).href = "http://h"; }),
                ].map((line) => String(line).slice(0, 80)).join("\\n");
            })()
            """
        ).toValue().stringValue
        #expect(
            result == """
                TypeError: Invalid URL: "x" with the base "data:y"
                TypeError: Invalid URL: "http://x yx yx yx yx yx yx yx yx yx yx yx yx yx yx yx y
                TypeError: Invalid URL: "x"
                http://h/
                TypeError: URL is made with `new`
                TypeError: URL needs 1 argument, not 0
                TypeError: Cannot convert a symbol to a string
                TypeError: URL.canParse needs 1 argument, not 0
                TypeError: URL.parse needs 1 argument, not 0
                TypeError: this is not a URL
                TypeError: this is not a URL
                """
        )
    }

    @Test("the function of the C API gives the results of the fast path")
    func paths() throws {
        let context = try JSContext()
        func results(isFast: Bool) throws -> String {
            try context.withTurn {
                var parser = jsb_url_parser()
                guard jsb_make_url_parser(context.ref, isFast, &parser) else { return "no parser" }
                let parse = JSValue(parser.function, in: context)
                let test = try context.evaluate(
                    """
                    (function (parse, parser, parts) {
                        return (cases) => JSON.stringify(
                            [...cases, ["\\ud800"], ["x", "\\udc00"], ["x".repeat(1 << 24) + ":"]].map(([url, base]) => [
                                parse(parser, url, base ?? undefined), parse(parser, "".concat(url, ""), base ?? undefined),
                                ...parts,
                            ]),
                        );
                    })
                    """
                )
                let arguments = [
                    parse, JSValue(parser.parser, in: context), JSValue(parser.parts, in: context),
                ]
                return try test.call(withArguments: arguments).call(with: Self.list()).stringValue ?? ""
            }
        }
        let plain = try results(isFast: false)
        #expect(plain.contains("https://example.com/demo/"))
        #expect(plain.contains("true") && plain.contains("false"))
        if CallPath.current.isFast { #expect(try results(isFast: true) == plain) }
    }
}
