import JavaScriptBridge

let bridge = try Bridge()
try bridge.registerHandler("prices") { (item: String) in
    AsyncStream<Double> { prices in
        for day in 1...5 { prices.yield(Double(day) / 2) }
        prices.finish()
    }
}
let alarms = bridge.on("alarm") { (price: Double) in print("alarm at \(price)") }
try await bridge.load(.file("Examples/Streams/streams.js"))
try bridge.emit("limit", with: 2)
let average: Double = try await bridge.callHandler("average", with: "tea") { (part: Double) in
    print("\(Int(part * 100)) % read")
}
print("average \(average)")
for try await line in try await bridge.openStream("letters", with: "abc", of: String.self, window: 1) {
    print(line)
    if line == "b" { break }
}
let task = Task { try await bridge.callHandler("wait", with: "for nothing") }
task.cancel()
if case .failure(let error as BridgeError) = await task.result { print(error.code.rawValue) }
alarms.cancel()
