import Testing

/// The compiler's diagnostics for a program that was written for WebViewJavascriptBridge (the page Migration.md).
@Suite struct MigrationTests {
    /// Lines with the same meaning as there, or with the meaning in the page.
    static let accepted = """
        import JavaScriptBridge

        func plain(_ bridge: Bridge.LegacyAPI, _ name: String, _ found: [String: Any]) throws {
            bridge.callHandler("x")
            bridge.callHandler("x", data: nil)
            bridge.callHandler("x", data: ["foo": "bar", "list": [1, 2.5, true]])
            bridge.callHandler("x", data: Value(name))
            bridge.callHandler("x", data: ["name": Value(name)]) { response in print(response) }
            bridge.callHandler("x") { response in print(response["name"].stringValue ?? "") }
            bridge.callHandler("x", data: try Value(any: found), responseCallback: { print($0) })
            try bridge.registerHandler("x") { data, responseCallback in responseCallback(["data": data]) }
            try bridge.registerHandler("x", handler: { data, responseCallback in responseCallback(.null) })
            bridge.removeHandler("x")
            bridge.reset()
            bridge.enableLogging()
            bridge.setLogMaxLength(100)
            bridge.disableJavscriptAlertBoxSafetyTimeout()
        }

        func asynchronous(_ bridge: Bridge) async throws {
            bridge.legacy.callHandler("x")
            bridge.legacy.callHandler("x", data: 1)
            bridge.legacy.callHandler("x", data: 1) { response in print(response) }
            bridge.legacy.callHandler("x") { response in print(response) }
            try bridge.legacy.registerHandler("x") { data, responseCallback in responseCallback(data) }
            try await bridge.callHandler("x")
            try await bridge.callHandler("x", with: 1)
            let sum: Int = try await bridge.callHandler("x", with: [1, 2], returning: Int.self)
            print(sum)
            bridge.removeHandler("x")
            bridge.reset()
            bridge.enableLogging()
            bridge.setLogMaxLength(100)
        }
        """

    /// Lines with another meaning, each with the compiler's message.
    static let refused: [(line: String, message: String)] = [
        (#"bridge.callHandler("x")"#, "'async' but is not marked with 'await'"),
        (#"bridge.callHandler("x", data: nil)"#, "is bridge.legacy.callHandler"),
        (#"bridge.callHandler("x", data: 1)"#, "is bridge.legacy.callHandler"),
        (#"bridge.callHandler("x", data: name)"#, "is bridge.legacy.callHandler"),
        (
            #"bridge.callHandler("x", data: 1) { response in print(response) }"#,
            "is bridge.legacy.callHandler"
        ),
        (
            #"bridge.callHandler("x", data: found) { response in print(response) }"#,
            "is bridge.legacy.callHandler"
        ),
        (#"bridge.callHandler("x") { response in print(response) }"#, "is bridge.legacy.callHandler"),
        (
            #"bridge.callHandler("x", with: 1) { response in print(response) }"#,
            "is bridge.legacy.callHandler"
        ),
        (#"let sum: Int = try await bridge.callHandler("x", data: 1); print(sum)"#, "has 'with:'"),
        (
            #"try bridge.registerHandler("x") { data, responseCallback in responseCallback(data) }"#,
            "registered by bridge.legacy.registerHandler"
        ),
        (
            #"try bridge.registerHandler("x", handler: { data, responseCallback in responseCallback(.null) })"#,
            "registered by bridge.legacy.registerHandler"
        ),
        ("bridge.disableJavscriptAlertBoxSafetyTimeout()", "legacy.disableJavscriptAlertBoxSafetyTimeout"),
        (#"bridge.legacy.callHandler("x", data: name)"#, "data is a Value"),
        (
            #"bridge.legacy.callHandler("x", data: found) { response in print(response) }"#,
            "try Value(any: dictionary)"
        ),
        (
            #"try bridge.legacy.registerHandler("x") { (data: Any?, reply: ((Any?) -> Void)?) in reply?(data) }"#,
            "a handler gets a Value"
        ),
        (
            #"try bridge.legacy.registerHandler("x") { data, reply in if let text = data["a"] as? String { reply(Value(text)) } }"#,
            "always fails"
        ),
        (
            #"try bridge.legacy.registerHandler("x") { (data: Value, reply: Bridge.LegacyAPI.ResponseCallback) in reply("\(data as! [String: Any])") }"#,
            "always fails"
        ),
        (#"bridge.legacy.send("x")"#, "the default handler has the empty name"),
        (
            #"bridge.legacy.send("x") { response in print(response) }"#,
            "the default handler has the empty name"
        ),
        ("Bridge.enableLogging()", "each bridge has a log of its own"),
        ("Bridge.setLogMaxLength(10)", "each bridge has a log of its own"),
        ("bridge.legacy.setWebViewDelegate(nil)", "there is no web view"),
        ("print(try Bridge(forWebView: nil))", "there is no web view"),
        ("let other: WebViewJavascriptBridge? = nil; print(other as Any)", "renamed to 'Bridge'"),
        ("let other: WKWebViewJavascriptBridge? = nil; print(other as Any)", "renamed to 'Bridge'"),
        (
            "let reply: WVJBResponseCallback? = nil; print(reply as Any)",
            "renamed to 'Bridge.LegacyAPI.ResponseCallback'"
        ),
        ("let handler: WVJBHandler? = nil; print(handler as Any)", "a handler is a closure"),
    ]

    @Test(
        "the compiler accepts lines with the same meaning, and its message for others has the new name or meaning",
        .enabled(if: SwiftTypeCheck.compiler != nil, "the compiler is not in PATH")
    )
    func diagnostics() async throws {
        let compiler = try #require(SwiftTypeCheck.compiler)
        let workplace = try Workplace()
        let functions = Self.refused.enumerated().map { index, refused in
            """
            func refused\(index)(_ bridge: Bridge, _ name: String, _ found: [String: Any]) async throws {
                \(refused.line)
            }
            """
        }
        let text = Self.accepted + "\n\n" + functions.joined(separator: "\n")
        let file = try workplace.write(text, to: "program.swift")
        let diagnostics = try await SwiftTypeCheck.diagnostics(of: [file], by: compiler, in: workplace)
        let first = Self.accepted.split(separator: "\n", omittingEmptySubsequences: false).count + 2
        for diagnostic in diagnostics where diagnostic.line < first { Issue.record("\(diagnostic)") }
        for (index, refused) in Self.refused.enumerated() {
            let own = diagnostics.filter { $0.line == first + index * 3 + 1 }.map(\.text)
            #expect(own.contains { $0.contains(refused.message) }, "\(refused.line): \(own)")
        }
    }
}
