import JavaScriptBridge

struct Article: Codable {
    var title: String
    var words: Int
}

var configuration = BridgeConfiguration()
configuration.consoleSink = { print("plugin: \($0.text)") }
let bridge = try Bridge(configuration: configuration)

let articles = [1: Article(title: "Tea", words: 900), 2: Article(title: "Coffee", words: 350)]
try bridge.registerHandler("article") { (id: Int) throws -> Article in
    guard let article = articles[id] else {
        throw BridgeError("library.notFound", "There is no article \(id).", data: ["id": Value(id)])
    }
    return article
}
try bridge.registerHandler("translate") { (title: String) async throws -> String in
    try await Task.sleep(for: .milliseconds(5))
    return title == "Tea" ? "Herbata" : "Kawa"
}

try await bridge.load(.file("Examples/Tutorials/FirstPlugin/plugin.js"))
print(try await bridge.callHandler("summary", with: 1, returning: String.self))
print(try await bridge.callHandler("summary", with: 2, returning: String.self))

do {
    _ = try await bridge.callHandler("summary", with: 3, returning: String.self)
} catch let error as BridgeError where error.code == "library.notFound" {
    print("\(error.message) data: \(error.data ?? .null)")
}

do {
    _ = try await bridge.callHandler("longest", with: ["Tea", "Coffee"], returning: String.self)
} catch let error as BridgeError {
    print(error.message)
    for frame in error.frames.prefix(3) { print("    at \(frame)") }
}

do {
    try await bridge.load(.text("bridge.registerHandler('broken', (", name: "broken.js"))
} catch let error as JSException {
    print("\(error.name) in \(error.sourceURL ?? "?"):\(error.line ?? 0)")
    print(error.codeFrame ?? "")
}

do {
    try await bridge.callHandler("publish", with: 1, timeout: .milliseconds(200))
} catch let error as BridgeError where error.code == .deadlineExceeded {
    print(error.message)
}
print("abandoned: \(try await bridge.callHandler("abandoned", returning: Int.self))")

try await bridge.reload(rerunningScripts: true)
print(try await bridge.callHandler("summary", with: 1, returning: String.self))
bridge.close()
