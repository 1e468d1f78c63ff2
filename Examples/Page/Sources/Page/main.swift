import JavaScriptBridge

var configuration = BridgeConfiguration()
configuration.transport = .text
configuration.consoleSink = { print("page: \($0.text)") }
let bridge = try Bridge(configuration: configuration)
try bridge.legacy.registerHandler("testObjcCallback") { data, reply in reply(["Response": data]) }
bridge.legacy.callHandler("testJavascriptHandler", data: ["foo": "before ready"]) { response in
    print(response["Javascript Says"].stringValue ?? "")
}
try await bridge.load(.file("Examples/Page/page.html"))
await bridge.waitUntilIdle()
