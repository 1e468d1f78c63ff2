import JavaScriptEngine
import Testing

/// The setters of `URL` by the standard, on cases of our own.
@Suite(.enabled(if: Capabilities.current.urls.isAvailable)) struct URLSetterTests {
    /// The URL, the attribute, its new value, and the expected text.
    static let cases: [(String, String, String, String)] = [
        ("http://h/", "protocol", "https", "https://h/"),
        ("http://h/", "protocol", "ftp:ignored", "ftp://h/"),
        ("http://h/", "protocol", "foo", "http://h/"),
        ("foo://h/", "protocol", "http", "foo://h/"),
        ("foo://h/", "protocol", "B+a-r.1", "b+a-r.1://h/"),
        ("http://h/", "protocol", "1a", "http://h/"),
        ("http://h/", "protocol", "", "http://h/"),
        ("http://h/", "protocol", "ht\ntps", "https://h/"),
        ("http://h:443/", "protocol", "https", "https://h/"),
        ("http://u@h/", "protocol", "file", "http://u@h/"),
        ("http://h:8080/", "protocol", "file", "http://h:8080/"),
        ("file:///", "protocol", "http", "file:///"),
        ("http://h/C|/", "protocol", "file", "file://h/C|/"),
        ("http://h/", "username", "a:b@c/é", "http://a%3Ab%40c%2F%C3%A9@h/"),
        ("http://u:p@h/", "username", "", "http://:p@h/"),
        ("http://u:p@h/", "password", "", "http://u@h/"),
        ("http://u@h/", "password", "%zz p", "http://u:%zz%20p@h/"),
        ("file://h/", "username", "u", "file://h/"),
        ("foo:x", "username", "u", "foo:x"),
        ("foo://h?q", "password", "p", "foo://:p@h?q"),
        ("http://h/", "host", "x.example:81/y?z#w", "http://x.example:81/"),
        ("http://h:81/", "host", "x", "http://x:81/"),
        ("http://h:81/", "host", "x:80", "http://x/"),
        ("http://h:81/", "host", "x:99999", "http://x:81/"),
        ("http://h:81/", "host", "x:", "http://x:81/"),
        ("http://h/", "host", ":81", "http://h/"),
        ("http://h/x?y", "host", "XN--A:81", "http://xn--a:81/x?y"),
        ("http://xn--a/", "hash", "f", "http://xn--a/#f"),
        ("http://h/", "host", "", "http://h/"),
        ("http://h/", "host", "a b", "http://h/"),
        ("http://h/", "host", "u@x", "http://h/"),
        ("http://h/", "host", "[::1]:81", "http://[::1]:81/"),
        ("http://h/", "host", "[::1", "http://h/"),
        ("http://h/", "host", #"x\y"#, "http://x/"),
        ("foo://h/", "host", #"x\y"#, "foo://h/"),
        ("foo://h/", "host", "", "foo:///"),
        ("foo://u@h/", "host", "", "foo://u@h/"),
        ("foo:/x", "host", "h", "foo://h/x"),
        ("foo:/.//x", "host", "h", "foo://h//x"),
        ("foo:x", "host", "h", "foo:x"),
        ("foo://h", "host", "x\u{1F}", "foo://x%1F"),
        ("foo://h", "host", "x ", "foo://h"),
        ("file:///p", "host", "x", "file://x/p"),
        ("file://x/p", "host", "localhost", "file:///p"),
        ("file:///p", "host", "x:1", "file:///p"),
        ("file:///p", "host", "C:", "file:///p"),
        ("http://h:81/", "hostname", "x:82", "http://h:81/"),
        ("http://h:81/", "hostname", "x/82", "http://x:81/"),
        ("http://h/", "port", "81x", "http://h:81/"),
        ("http://h:81/", "port", "80", "http://h/"),
        ("http://h:81/", "port", "", "http://h/"),
        ("http://h:81/", "port", "x82", "http://h:81/"),
        ("http://h:81/", "port", "65536", "http://h:81/"),
        ("http://h:81/", "port", "\t", "http://h:81/"),
        ("http://h:81/", "port", "000000000000000082", "http://h:82/"),
        ("file://h/", "port", "1", "file://h/"),
        ("http://h/a?q#f", "pathname", "b?c#d", "http://h/b%3Fc%23d?q#f"),
        ("http://h/a", "pathname", "", "http://h/"),
        ("foo://h/a?q", "pathname", "", "foo://h?q"),
        ("foo://u@h/a?q", "pathname", "", "foo://u@h?q"),
        ("foo://h", "pathname", "a/../b ", "foo://h/b%20"),
        ("foo:/x?q", "pathname", "//y", "foo:/.//y?q"),
        ("foo:/x", "pathname", "", "foo:/"),
        ("foo:x", "pathname", "y", "foo:x"),
        ("http://h/", "pathname", #"\a\b"#, "http://h/a/b"),
        ("foo://h/", "pathname", #"\a"#, #"foo://h/\a"#),
        ("file:///a", "pathname", "C|/b", "file:///C:/b"),
        ("http://h/a#f", "search", "?a b#c", "http://h/a?a%20b%23c#f"),
        ("http://h/a?q#f", "search", "", "http://h/a#f"),
        ("http://h/a", "search", "?", "http://h/a?"),
        ("http://h/a", "search", "??", "http://h/a??"),
        ("http://h/a", "search", " \u{1} ", "http://h/a?%20%01%20"),
        ("http://h/a", "search", "'", "http://h/a?%27"),
        ("data:a", "search", "q", "data:a?q"),
        ("http://h/a?q", "hash", "#b`c d", "http://h/a?q#b%60c%20d"),
        ("http://h/a#f", "hash", "", "http://h/a"),
        ("http://h/a", "hash", "#", "http://h/a#"),
        ("http://h/a", "hash", "a\tb \u{0}", "http://h/a#ab%20%00"),
        ("foo://u@h", "hash", "f", "foo://u@h#f"),
        ("data:a", "hash", "f", "data:a#f"),
        ("http://h/", "href", "foo:bar", "foo:bar"),
    ]

    @Test("each setter changes its part alone", arguments: cases)
    func setting(_ url: String, _ name: String, _ value: String, _ expected: String) throws {
        let context = try JSContext()
        let set = try context.evaluate(
            """
            (function (text, name, value) {
                const url = new URL(text);
                url[name] = value;
                // Its parts are those of its text.
                const again = new URL(url.href);
                const isExact = name === "protocol" || ["protocol", "username", "password", "host", "pathname", "search", "hash"]
                    .every((key) => url[key] === again[key]);
                return isExact ? url.href : `${url.href} has other parts`;
            })
            """
        )
        let result = try set.call(with: .string(url), .string(name), .string(value)).stringValue
        #expect(result == expected, "\(url) \(name) = \(value)")
    }

    @Test("a value of a setter becomes a string without unpaired surrogates")
    func conversion() throws {
        let context = try JSContext()
        let result = try context.evaluate(
            """
            (() => {
                const url = new URL("http://h/");
                url.hash = "\\ud800"; url.search = "\\udc00"; url.username = "\\ud83d\\ude00\\ud83d"; url.port = 81.9;
                url.pathname = { toString: () => "x" };
                return url.href + new URL("http://h/\\ud800", "http://h/\\ud800").href;
            })()
            """
        ).toValue().stringValue
        #expect(
            result == "http://%F0%9F%98%80%EF%BF%BD@h:81/x?%EF%BF%BD#%EF%BF%BDhttp://h/%EF%BF%BD"
        )
    }
}
