import JavaScriptBridge

struct Order: Codable { var item: String, count: Int }
struct Receipt: Codable { var text: String }

let bridge = try Bridge()
try bridge.registerHandler("price") { (item: String) in item == "tea" ? 2.5 : 4 }
try await bridge.load(.file("Examples/Hello/hello.js"))
let order = Order(item: "tea", count: 3)
print(try await bridge.callHandler("receipt", with: order, returning: Receipt.self).text)
