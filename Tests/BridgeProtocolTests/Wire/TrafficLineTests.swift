import Testing

@testable import BridgeProtocol

@Suite("The traffic log of WebViewJavascriptBridge")
struct TrafficLineTests {
    @Test(
        "P71 P72 a line begins like those of WebViewJavascriptBridge and is cut only if it is longer than the limit"
    )
    func cutting() {
        #expect(TrafficLine.sent("12345", maximumLength: 5) == "WVJB SEND: 12345")
        #expect(TrafficLine.received("123456", maximumLength: 5) == "WVJB RCVD: 12345 [...]")
        #expect(TrafficLine.sent(String(repeating: "x", count: 500)).count == 511)
        #expect(TrafficLine.sent(String(repeating: "x", count: 501)).hasSuffix("x [...]"))
        #expect(TrafficLine.sent("x", maximumLength: 0) == "WVJB SEND:  [...]")
        #expect(TrafficLine.sent("x", maximumLength: -1) == "WVJB SEND:  [...]")
    }

    @Test("P72 the limit counts UTF-16 units and never cuts a surrogate pair")
    func surrogates() {
        #expect(TrafficLine.sent("a😀b", maximumLength: 2) == "WVJB SEND: a [...]")
        #expect(TrafficLine.sent("a😀b", maximumLength: 3) == "WVJB SEND: a😀 [...]")
        #expect(TrafficLine.sent("a😀b", maximumLength: 4) == "WVJB SEND: a😀b")
    }
}
