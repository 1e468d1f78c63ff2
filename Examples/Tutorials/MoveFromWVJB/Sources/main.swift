import JavaScriptBridge

var configuration = BridgeConfiguration()
configuration.transport = .text
configuration.consoleSink = { if $0.level == .log { print("page: \($0.text)") } }
let bridge = try Bridge(configuration: configuration)

try bridge.legacy.registerHandler("price") { data, responseCallback in
    let items = data["items"].arrayValue ?? []
    responseCallback(["total": Value(items.count * 3)])
}
bridge.legacy.callHandler("add", data: "tea") { response in
    print("basket: \(response["count"].integerValue ?? 0)")
}

try await bridge.load(.file("Examples/Tutorials/MoveFromWVJB/shop.html"))
bridge.legacy.callHandler("buy", data: nil)
await bridge.waitUntilIdle()

struct Basket: Decodable { var count: Int }
let basket = try await bridge.callHandler("add", with: "cake", returning: Basket.self)
print("basket: \(basket.count)")

do {
    try await bridge.callHandler("remove", with: "tea")
} catch let error as BridgeError where error.code == .handlerNotFound {
    print(error.message)
}

struct Order: Decodable { var items: [String] }
struct Price: Encodable { var total: Int }
try bridge.registerHandler("price") { (order: Order) throws -> Price in
    guard !order.items.isEmpty else { throw BridgeError("shop.empty", "The basket is empty.") }
    return Price(total: order.items.count * 4)
}
bridge.legacy.callHandler("buy", data: nil)
await bridge.waitUntilIdle()

let script = """
    bridge.callHandler('price', { items: [] })
        .catch((error) => console.log(`${error.code}: ${error.message}`));
    """
try await bridge.load(.text(script, name: "new.js"))
await bridge.waitUntilIdle()
bridge.close()
