import BridgeTesting
import DataSources
import Foundation
import JavaScriptBridge
import ManagedObjects
import Stores
import StoresSQLite
import Testing

/// The Swift blocks of pages, which are compiled here and print what the pages say.
///
/// A region between a line with the name of a page and the line `// end` is a block of that page.
@Suite("Swift blocks of pages") struct PageBlockTests {
    private let lines = Recorder<String>()

    /// Records what the blocks print.
    private func print(_ items: Any...) {
        let line = items.map { "\($0)" }.joined(separator: " ")
        for line in line.split(separator: "\n", omittingEmptySubsequences: false) { lines.add(String(line)) }
    }

    @Test func `the blocks of the page about interceptors print its output`() async throws {
        // Interceptors.md
        let bridge = try Bridge()
        try bridge.registerHandler("price") { (item: String) in item == "tea" ? 2.5 : 4 }
        let log = bridge.addInterceptor(.incoming) { call, next in
            let reply = try await next(call)
            print("\(call.handlerName)(\(call.payload)) gave \(reply)")
            return reply
        }
        let shop = """
            bridge.registerHandler('total', async ({ item, count }) => {
                return count * await bridge.callHandler('price', item);
            });
            """
        try await bridge.load(.text(shop, name: "shop.js"))
        let order: Value = ["item": "tea", "count": 3]
        print(try await bridge.callHandler("total", with: order, returning: Double.self))
        // end
        let orders = "bridge.registerHandler('orders.add', (data) => `${data.user} orders ${data.order}`)"
        try await bridge.load(.text(orders, name: "orders.js"))
        // Interceptors.md
        let stamp = bridge.addInterceptor(.outgoing, matching: "orders.*") { call, next in
            var call = call
            call.payload = ["user": "ada", "order": call.payload]
            return try await next(call)
        }
        // end
        #expect(
            try await bridge.callHandler("orders.add", with: "tea", returning: String.self)
                == "ada orders tea"
        )
        // Interceptors.md
        let rules = bridge.addInterceptor(.incoming, matching: "price") { call, next in
            if call.payload == "water" { return 0 }
            if call.payload == "wine" { throw BridgeError("shop.forbidden", "Wine is not sold.") }
            return try await next(call)
        }
        // end
        log.remove()
        let water: Value = ["item": "water", "count": 3]
        #expect(try await bridge.callHandler("total", with: water, returning: Double.self) == 0)
        let wine: Value = ["item": "wine", "count": 1]
        await #expect { try await bridge.callHandler("total", with: wine) } throws: { error in
            (error as? BridgeError)?.code == "shop.forbidden"
        }
        let sync = """
            let tries = 0;
            bridge.registerHandler('sync', () => {
                tries += 1;
                if (tries === 1) throw new BridgeError('sync.busy', 'Busy.');
                return tries;
            });
            """
        try await bridge.load(.text(sync, name: "sync.js"))
        // Interceptors.md
        let retry = bridge.addInterceptor(.outgoing, matching: "sync") { call, next in
            do {
                return try await next(call)
            } catch let error as BridgeError where error.code == "sync.busy" {
                return try await next(call)
            }
        }
        // end
        #expect(try await bridge.callHandler("sync", returning: Int.self) == 2)
        // Interceptors.md
        let outer = bridge.addInterceptor(.outgoing) { call, next in
            print("outer: \(call.handlerName)")
            defer { print("outer: reply") }
            return try await next(call)
        }
        let inner = bridge.addInterceptor(.outgoing) { call, next in
            print("inner: \(call.handlerName)")
            defer { print("inner: reply") }
            return try await next(call)
        }
        print(try await bridge.callHandler("sync", returning: Int.self))
        // end
        withExtendedLifetime((log, stamp, rules, retry, outer, inner)) {}
        #expect(try lines.elements == Self.output(of: "Interceptors.md"))
    }

    @Test func `the blocks of the page about handler groups print its output`() async throws {
        // HandlerGroups.md
        let people = HandlerGroup("people") {
            BridgeHandler("find", description: "Finds a person.") { (id: Int) in id == 7 ? "Ada" : "unknown" }
            BridgeHandler("greet", timeout: .seconds(5)) { (name: String) async throws in "Hello \(name)" }
        }
        let bridge = try Bridge()
        let registration = try bridge.register(people)
        let script = """
            const people = bridge.module('people');
            bridge.registerHandler('hello', async (id) => people.greet(await people.find(id)));
            bridge.registerHandler('name', (id) => people.find(id));
            """
        try await bridge.load(.text(script, name: "hello.js"))
        print(registration.names)
        print(try await bridge.callHandler("hello", with: 7, returning: String.self))
        // end
        // HandlerGroups.md
        let isAdministrator = true
        let shop = HandlerGroup("shop") {
            people
            for (currency, rate) in [("EUR", 1.0), ("USD", 1.1)] {
                BridgeHandler("rate.\(currency)") { (amount: Double) in amount * rate }
            }
            if isAdministrator {
                BridgeHandler("close") { (_: Value) in print("closed") }
            }
        }
        print(shop.names)
        // end
        // HandlerGroups.md
        func storage(of plugin: String) -> HandlerGroup {
            HandlerGroup("storage") {
                BridgeHandler("path") { (name: String) in "plugins/\(plugin)/\(name)" }
            }
        }
        let storages = try [bridge.register(storage(of: "clock"))]
        // end
        #expect(storages.count == 1)
        // HandlerGroups.md
        do {
            _ = try bridge.register(
                HandlerGroup("twice") {
                    BridgeHandler("a") { (n: Int) in n }
                    BridgeHandler("a") { (n: Int) in n + 1 }
                }
            )
        } catch {
            print("\(error.code): \(error.message)")
        }
        // end
        // HandlerGroups.md
        try bridge.registerHandler("people.find") { (id: Int) in "Grace" }
        registration.remove()
        print(try await bridge.callHandler("name", with: 7, returning: String.self))
        // end
        // HandlerGroups.md
        var configuration = BridgeConfiguration()
        configuration.grants.allow("people.*", limits: GrantLimits(rate: .init(100)))
        // end
        _ = try Bridge(configuration: configuration)
        #expect(try lines.elements == Self.output(of: "HandlerGroups.md"))
    }

    @Test func `the blocks of the page about one bridge or many print its output`() async throws {
        // OneBridgeOrMany.md
        func storage(of plugin: String) -> HandlerGroup {
            HandlerGroup("storage") {
                BridgeHandler("path") { (name: String) in "plugins/\(plugin)/\(name)" }
            }
        }

        var configuration = BridgeConfiguration()
        configuration.executionLimits = .constrained
        configuration.executionLimits.processorTime = .milliseconds(100)
        configuration.grants.allow("storage.*")

        let plugins = [
            ("endless", "bridge.registerHandler('run', () => { for (;;) {} })"),
            ("clock", "bridge.registerHandler('run', () => bridge.callHandler('storage.path', 'alarms'))"),
        ]
        for (name, source) in plugins {
            let bridge = try Bridge(configuration: configuration)
            let registration = try bridge.register(storage(of: name))
            try await bridge.load(.text(source, name: "\(name).js"))
            do {
                print(name, try await bridge.callHandler("run", returning: String.self))
            } catch let error as BridgeError {
                print(name, error.code)
            }
            registration.remove()
            bridge.close()
        }
        // end
        // OneBridgeOrMany.md
        let bridge = try Bridge()
        try await bridge.load(.text("const settings = { color: 'red' };", name: "first.js"))
        do {
            try await bridge.load(.text("const settings = { size: 3 };", name: "second.js"))
        } catch let error as JSException {
            print(error.message)
        }
        // end
        // OneBridgeOrMany.md
        let time = try await ContinuousClock().measure {
            let bridge = try Bridge()
            try await bridge.load(.text("bridge.registerHandler('double', n => 2 * n)", name: "double.js"))
            _ = try await bridge.callHandler("double", with: 21, returning: Int.self)
        }
        // end
        #expect(time > .zero)
        #expect(try lines.elements == Self.output(of: "OneBridgeOrMany.md"))
    }

    @Test func `the blocks of the page for users of Apple's engine print its output`() async throws {
        // FromJavaScriptCore.md
        let context = try JSContext()
        let greet = try context.makeFunction("greet") { (name: String) in "Hello \(name)" }
        try context.setObject(greet.value, forKeyedSubscript: "greet")
        print(try context.evaluate("greet('Ada') + '!'", sourceURL: "hello.js").toString())
        do {
            try context.evaluate("missing()", sourceURL: "mistake.js")
        } catch let error as JSException {
            print(error.name, error.message, error.sourceURL ?? "", error.line ?? 0)
        }
        // end
        // FromJavaScriptCore.md
        try context.evaluate("function total(numbers) { return numbers.reduce((sum, n) => sum + n, 0); }")
        let total: ([Int]) throws -> Int = try context.function("total")
        print(try total([1, 2, 3]))
        // end
        // FromJavaScriptCore.md
        final class Counter { var count = 0 }
        try context.setObject(Counter(), forKeyedSubscript: "counter")
        let add = try context.makeFunction(named: "add", parameterCount: 2) { arguments in
            guard let counter = arguments[0].toObject(of: Counter.self) else { return nil }
            counter.count += Int(try arguments[1].toInt32())
            return JSValue(double: Double(counter.count), in: context)
        }
        try context.setObject(add, forKeyedSubscript: "add")
        print(try context.evaluate("add(counter, 2); add(counter, 3)").toDouble())
        // end
        // FromJavaScriptCore.md
        let bridge = try Bridge()
        try bridge.registerHandler("save") { (title: String) in "saved \(title)" }
        let names = """
            globalThis.window = globalThis;
            window.webkit = {
                messageHandlers: new Proxy({}, {
                    get: (_, name) => ({ postMessage: (body) => bridge.callHandler(name, body) }),
                }),
            };
            """
        try await bridge.load(.text(names, name: "messageHandlers.js"))
        let page = """
            bridge.registerHandler('start', () => window.webkit.messageHandlers.save.postMessage('tea'));
            """
        try await bridge.load(.text(page, name: "page.js"))
        print(try await bridge.callHandler("start", returning: String.self))
        // end
        #expect(try lines.elements == Self.output(of: "FromJavaScriptCore.md"))
    }

    @Test func `the blocks of the page for users of JXKit print its output`() throws {
        // FromJXKit.md
        let context = try JSContext()
        try context.globalObject.setValue(["title": "Tea", "price": 2.5], forProperty: "item")
        let price = try context.evaluate("item.price * 3").toDouble()
        print(price)
        // end
        // FromJXKit.md
        struct Item: Codable { var title: String, price: Double }

        let discount = try context.makeFunction("discount") { (item: Item, rate: Double) in
            Item(title: item.title, price: item.price * (1 - rate))
        }
        try context.globalObject.setValue(discount.value, forProperty: "discount")
        let cheaper = try context.evaluate("discount(item, 0.5)").decode(Item.self)
        print(cheaper.title, cheaper.price)
        // end
        #expect(try lines.elements == Self.output(of: "FromJXKit.md"))
    }

    @Test func `the blocks of the page for users of EZDataSource print its output`() throws {
        // FromEZDataSource.md
        final class Groceries: ListDataSource {
            typealias ItemType = String
            private(set) var items = ["bread", "tea"]
            var reloadBlock: ReloadBlock?

            func append(_ item: String) {
                items.append(item)
                reloadBlock?(.some([.object(type: .insert(IndexPath(item: items.count - 1, section: 0)))]))
            }
        }

        let groceries = Groceries()
        groceries.reloadBlock = { changeSet in print(changeSet) }
        groceries.append("soap")
        print(groceries.numberOfItems(in: 0), groceries.item(at: IndexPath(item: 2, section: 0)) ?? "")
        // end
        // FromEZDataSource.md
        let list = ListSource(values: ["bread", "tea", "soap"])
        list.reloadBlock = { changeSet in print(changeSet) }
        try list.setItems(["soap", "bread", "tea", "milk"])
        // end
        #expect(try lines.elements == Self.output(of: "FromEZDataSource.md"))
    }

    @Test func `the blocks of the page for users of Core Data print its output`() throws {
        // FromCoreData.md
        final class Book: ManagedObject {
            @Managed("title", default: "") var title: String
            @Managed("year", default: nil) var year: Int?
        }

        let model = try ManagedObjectModel(
            entities: [
                EntityDescription(
                    name: "book",
                    attributes: [.init("title", .string, isOptional: false), .init("year", .integer)]
                )
            ],
            classes: ["book": Book.self]
        )
        let container = try PersistentContainer(model: model, store: SQLiteStore(location: .memory))
        let context = container.newContext()
        for (title, year) in [("Solaris", 1961), ("Eden", 1958)] {
            let book = try context.insert(Book.self)
            (book.title, book.year) = (title, year)
        }
        try context.save()

        let request = FetchRequest(
            entityName: "book",
            predicate: .compare("year", .greaterThan, .integer(1960)),
            sortDescriptors: [.init("title")]
        )
        for book in try context.fetch(Book.self, request) { print(book.title, book.year ?? 0) }
        // end
        // FromCoreData.md
        let controller = try FetchedResultsController(fetchRequest: request, store: container.store)
        controller.onChange = { changes in print(changes.details) }
        try controller.performFetch()
        let fiasco = try context.insert(Book.self)
        (fiasco.title, fiasco.year) = ("Fiasco", 1986)
        try context.save()
        controller.processPendingChanges()
        // end
        #expect(try lines.elements == Self.output(of: "FromCoreData.md"))
    }

    // MARK: - Comparing

    private static let pages = [
        "FromCoreData.md", "FromEZDataSource.md", "FromJXKit.md", "FromJavaScriptCore.md", "HandlerGroups.md",
        "Interceptors.md", "OneBridgeOrMany.md",
    ]

    @Test("the Swift blocks of each page are those of this file", arguments: pages)
    func blocks(_ page: String) throws {
        let blocks = try Self.fences("swift", of: page).map { lines in
            lines.filter { !$0.hasPrefix("import ") }.drop { $0.isEmpty }
        }
        let regions = try Self.regions(of: page)
        #expect(blocks.count == regions.count)
        for (block, region) in zip(blocks, regions) {
            #expect(block.joined(separator: "\n") == region.joined(separator: "\n"))
        }
    }

    private static func fileLines(_ path: String) throws -> [Substring] {
        try String(contentsOfFile: path, encoding: .utf8)
            .split(separator: "\n", omittingEmptySubsequences: false)
    }

    /// Returns the lines of each block of a page in a language.
    private static func fences(_ language: String, of page: String) throws -> [[Substring]] {
        let root = URL(fileURLWithPath: #filePath)
            .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        let path = root.appending(path: "Sources/JavaScriptBridge/JavaScriptBridge.docc/\(page)").path
        var fences: [[Substring]] = []
        var open: Substring?
        for line in try fileLines(path) {
            if line.hasPrefix("```") {
                open = open == nil ? line.dropFirst(3) : nil
                if open == language[...] { fences.append([]) }
            } else if open == language[...] {
                fences[fences.count - 1].append(line)
            }
        }
        return fences
    }

    private static func output(of page: String) throws -> [String] {
        try fences("text", of: page).joined().map(String.init)
    }

    /// Returns the lines of each region of this file with the name of a page, without its indentation.
    private static func regions(of page: String) throws -> [[Substring]] {
        var regions: [[Substring]] = []
        var isOpen = false
        for line in try fileLines(#filePath) {
            if line == "        // \(page)" {
                isOpen = true
                regions.append([])
            } else if line == "        // end" {
                isOpen = false
            } else if isOpen {
                regions[regions.count - 1].append(line.dropFirst(8))
            }
        }
        return regions
    }
}
