import Testing

@testable import JavaScriptBridge

/// The parsed markup of a page: its scripts with their locations, and a tree in which all elements are closed.
@Suite struct PageMarkupTests {
    private func scripts(_ markup: String) -> [PageMarkup.Script] {
        PageMarkup(markup).parts.compactMap(\.script)
    }

    @Test("P8 scripts are found with the line and the column at which their text begins")
    func places() {
        let found = scripts(
            "<!doctype html>\n<body>\r\n  <SCRIPT type='text/javascript'>one</script >\n😀<script>\ntwo\n</SCRIPT>"
        )
        #expect(found.map(\.text) == ["one", "\ntwo\n"])
        #expect(found.map(\.line) == [3, 4])
        #expect(found.map(\.column) == [34, 11])
    }

    @Test(
        "a script ends only at its end tag, and is not a script in a comment, another text or a template",
        arguments: [
            ("<script>a < b; '</div>'; '</scripty>'</script>", ["a < b; '</div>'; '</scripty>'"]),
            ("<!-- <script>no</script> --><script>yes</script>", ["yes"]),
            ("<!--><script>yes</script>", ["yes"]),
            ("<style><script>no</script></style>", []),
            ("<textarea><script>no</script></textarea><noscript><script>no</script></noscript>", []),
            ("<template><div><script>no</script></div></template><script>yes</script>", ["yes"]),
            ("<p title=\"<script>no</script>\">a < b<script>yes</script>", ["yes"]),
            ("<script>never ended", ["never ended"]),
            ("<script", [""]), ("<", []), ("</", []), ("<!--", []), ("<a b='", []), ("", []),
        ]
    )
    func ends(markup: String, texts: [String]) { #expect(scripts(markup).map(\.text) == texts) }

    @Test("a script's tag is read: its file, whether it is deferred, and other types than classic scripts")
    func attributes() {
        let found = scripts(
            """
            <script src=a.js></script><script defer src="b.js?v=1"></script><script async>c</script>
            <script type=module>d</script><script type="application/json">{}</script>
            <script src='e&amp;f.js' SRC=no></script>
            """
        )
        #expect(found.map(\.source) == ["a.js", "b.js?v=1", nil, nil, nil, "e&f.js"])
        #expect(found.map(\.isDeferred) == [false, true, false, false, false, false])
        #expect(found.map(\.otherType) == [nil, nil, nil, "module", "application/json", nil])
    }

    @Test("elements are closed as they were opened, whatever tags are missing or superfluous")
    func tree() {
        let markup = "<title>A &amp; B</title><ul><li>one<li>two</ul></div><p>x<p>y<br>z<td></table></body>"
        var names: [String] = []
        var shown = ""
        for token in PageMarkup(markup).parts.flatMap(\.tokens) {
            switch token {
            case .open(let name, _):
                names.append(name)
                shown += "<\(name)>"
            case .text(let text): shown += text
            case .close: shown += "</\(names.popLast() ?? "none")>"
            }
        }
        #expect(
            shown
                == "<title>A & B</title><body><ul><li>one</li><li>two</li></ul><p>x</p><p>y<br></br>z<td>"
        )
    }

    @Test("R9 markup of any depth and length is read in one pass")
    func hostile() {
        let deep = String(repeating: "<div>", count: 100_000)
        #expect(PageMarkup(deep).parts.flatMap(\.tokens).count == 100_001)
        let unclosed = String(repeating: "<!--", count: 50_000) + String(repeating: "<a b=\"", count: 50_000)
        #expect(PageMarkup(unclosed).parts.count == 1)
    }
}
