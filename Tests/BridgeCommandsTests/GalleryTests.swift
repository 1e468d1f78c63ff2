import BridgeData
import BridgeViews
import CollectionViews
import DataSources
import Foundation
import JavaScriptBridge
import StoresSQLite
import Testing

/// The scripts of the gallery, as they are: their rows, and what their actions do.
@Suite("the gallery")
struct GalleryTests {
    private static let folder = SwiftTypeCheck.root.appendingPathComponent("Examples/Gallery")

    // MARK: - Rows

    @Test(
        "T12 each script of the gallery prints its rows without a terminal",
        arguments: [
            ("list", "groceries", ["tea\t1 ×", "bread\t2 ×", "apples\t6 ×", "soap\t1 ×"]),
            ("list", "menu", ["soup", "salad", "pie", "fish", "cake"]),
            (
                "table", "cities",
                ["Graz\t303 thousand", "Köln\t1087 thousand", "Kraków\t806 thousand", "Gdańsk\t486 thousand"]
            ),
            ("reorder", "tasks", ["wake up", "write", "walk", "read", "wait", "paint the door"]),
        ]
    )
    func rows(_ script: String, _ view: String, _ rows: [String]) async throws {
        let result = try await browse(script, "--view", view)
        #expect(result.output == rows.map { $0 + "\n" }.joined())
    }

    @Test(
        "T12 each longer script of the gallery prints its rows without a terminal",
        arguments: [
            ("restoration", 1_000, "0000\t0000", "lewe\tewel"), ("flow", 12_721, "α\tU+03B1", "힣\tU+D7A3"),
            ("page", 25, "Graz\t303 thousand", "Zürich\t434 thousand"),
        ]
    )
    func longRows(_ script: String, _ count: Int, _ first: String, _ last: String) async throws {
        let rows = try await browse(script).output.split(separator: "\n").map(String.init)
        #expect(rows.count == count)
        #expect(rows.first == first)
        #expect(rows.last == last)
    }

    @Test("every script of the gallery is shorter than 80 lines, and begins with its command")
    func scripts() throws {
        let names = try FileManager.default.contentsOfDirectory(atPath: Self.folder.path)
            .filter { $0.hasSuffix(".js") }
        #expect(names.count == 7)
        let page = try String(contentsOf: Self.folder.appendingPathComponent("README.md"), encoding: .utf8)
        for name in names {
            let text = try String(contentsOf: Self.folder.appendingPathComponent(name), encoding: .utf8)
            #expect(text.split(separator: "\n", omittingEmptySubsequences: false).count <= 80, "\(name)")
            #expect(
                text.components(separatedBy: "'use strict'")[0].contains(
                    "\n//     jsbridge browse Examples/Gallery/\(name)"
                ),
                "\(name)"
            )
            #expect(page.contains("(\(name))"), "\(name)")
        }
    }

    // MARK: - Actions

    @Test("C9 the list and the sections of the gallery follow what their actions announce")
    func lists() async throws {
        let list = try await Shown("list", "groceries")
        try await list.perform("Add milk", at: [0, 0])
        try await list.perform("One more bread", at: [0, 1])
        try await list.perform("Move it to the top", at: [0, 1])
        try await list.perform("Delete soap", at: [0, 3])
        #expect(try await list.lines() == ["bread, 3 ×", "tea, 1 ×", "apples, 6 ×", "milk, 1 ×"])
        #expect(try await list.counters() == [1, 1, 1])
        let menu = try await Shown("list", "menu")
        try await menu.perform("Move soup to the last section", at: [0, 0])
        try await menu.perform("Delete \"Main\"", at: [1, 0])
        #expect(try await menu.lines() == ["Starters", "salad", "Sweet", "cake", "soup"])
    }

    @Test("C9 the table of the gallery applies the changes of each transaction as one batch")
    func table() async throws {
        let table = try await Shown("table", "cities")
        try await table.perform("Ulm grows, Gdańsk too, and Oslo is new", at: [0, 0])
        #expect(
            try await table.status() == "section: insert, row: insert, row: insert, row: move, row: update"
        )
        let lines = try await table.lines()
        #expect(
            lines == [
                "AT  1", "Graz, 303 thousand", "DE  2", "Ulm, 1200 thousand", "Köln, 1087 thousand", "NO  1",
                "Oslo, 709 thousand", "PL  2", "Gdańsk, 900 thousand", "Kraków, 806 thousand",
            ]
        )
        let message = try await table.perform("Graz shrinks to 100", at: [0, 0])
        #expect(message.isEmpty)
        #expect(try await table.status() == "section: delete, row: delete")
        #expect(try await table.lines().prefix(2) == ["DE  2", "Ulm, 1200 thousand"])
        #expect(try await table.error() == nil)
    }

    @Test("the view of the gallery that is restored says the rule: by the row, by a neighbor, by the section")
    func restoration() async throws {
        let words = try await Shown("restoration", "words")
        try await words.scroll(to: [0, 400])
        let first = try await words.lines().first
        let saved = try await words.perform("Save the position", at: [0, 400])
        #expect(saved.hasPrefix("saved in "))
        try await words.perform("Order the words by their ends", at: [0, 400])
        try await words.scroll(to: [0, 0])
        #expect(
            try await words.perform("Restore the position", at: [0, 0])
                == "by anchor: the first row is still there"
        )
        #expect(try await words.lines().first == first)
        try await words.perform("All words again", at: [0, 0])
        let title = try await words.titles(at: [0, 400]).first { $0.hasPrefix("Delete ") }
        #expect(title.map { first?.hasPrefix($0.dropFirst(7)) == true } == true)
        try await words.perform(title ?? "", at: [0, 400])
        try await words.scroll(to: [0, 0])
        #expect(
            try await words.perform("Restore the position", at: [0, 0])
                == "by fallback: the first row is gone, a neighbor of it is there"
        )
        try await words.perform("Delete the 100 words around it", at: [0, 400])
        #expect(
            try await words.perform("Restore the position", at: [0, 0]).hasPrefix(
                "by section: all of them are gone"
            )
        )
    }

    @Test(
        "C5 C8 the letters of the gallery are in lines, with headers and a shelf, in a terminal and in a page",
        arguments: [(ViewUnit.cell, 90.0, 20.0, 6), (ViewUnit.pixel, 800, 600, 5)]
    )
    func flow(_ unit: ViewUnit, _ width: Double, _ height: Double, _ columns: Int) async throws {
        let letters = try await Shown("flow", "letters", unit, Size(width: width, height: height))
        let frame = try await letters.frame()
        let cells = frame.elements.filter { $0.attributes.representedElementCategory == .cell }
        let top = cells.map(\.attributes.frame.minY).min()
        #expect(cells.count { $0.attributes.frame.minY == top } == columns)
        let kinds = Set(frame.elements.compactMap(\.attributes.representedElementKind))
        #expect(kinds == ["shelf", CollectionView.elementKindSectionHeader])
        for section in 0..<9 { try await letters.scroll(to: [section, 0]) }
        try await letters.primaryAction(at: [8, 0])
        let status = try await letters.status()
        let numbers = status.split(separator: " ").compactMap { Int($0) }
        #expect(numbers.count == 3 && numbers[0] > numbers[1], "\(status)")
        try await letters.perform("A list", at: [8, 0])
        let kindsOfList = Set(
            try await letters.frame().elements.compactMap(\.attributes.representedElementKind)
        )
        #expect(kindsOfList == [CollectionView.elementKindSectionHeader])
    }

    @Test("C10 V18 a task of the gallery is moved to the other section, and never above the first one")
    func reordering() async throws {
        let tasks = try await Shown("reorder", "tasks")
        #expect(try await !tasks.move(from: [0, 0], to: [0, 2]))
        #expect(try await tasks.move(from: [0, 3], to: [0, 0]))
        #expect(
            try await tasks.status() == "Today: wake up, read, write, walk; Later: wait, paint the door"
        )
        #expect(try await tasks.move(from: [0, 2], to: [1, 1]))
        #expect(
            try await tasks.status() == "Today: wake up, read, walk; Later: wait, write, paint the door"
        )
        try await tasks.perform("Later", at: [0, 1])
        #expect(
            try await tasks.lines() == [
                "Today", "wake up", "walk", "Later", "wait", "write", "paint the door", "read",
            ]
        )
    }

    @Test("P8 the page of the gallery is driven by its handlers, and calls a handler of the program")
    func page() async throws {
        let page = try await Shown("page", "cities", .cell, Size(width: 40, height: 4))
        try page.bridge.legacy.registerHandler("cityOpened") { data, reply in
            reply(["seen": .bool(data["name"].stringValue == "Bern")])
        }
        page.bridge.legacy.callHandler("update", data: ["name": "Bern", "people": 134])
        page.bridge.legacy.callHandler("select", data: ["name": "Oslo"])
        page.bridge.legacy.callHandler("scroll", data: ["name": "Oslo"])
        await page.bridge.waitUntilIdle()
        #expect(try await page.lines().first == "Oslo, 709 thousand")
        #expect(try await page.selection() == [IndexPath(item: 6, section: 0)])
        try await page.primaryAction(at: [0, 0])
        await page.bridge.waitUntilIdle()
        #expect(try await page.status() == "the program has seen Bern")
    }

    // MARK: - Tools

    private func browse(_ script: String, _ options: String...) async throws -> CommandResult {
        let workplace = try Workplace()
        let file = Self.folder.appendingPathComponent("\(script).js").path
        let result = await workplace.run(["browse"] + options + [file])
        #expect(result.status == 0, "\(result.errorOutput)")
        return result
    }

    /// A script whose view is shown.
    private struct Shown {
        let bridge: Bridge
        let name: String

        init(
            _ script: String,
            _ name: String,
            _ unit: ViewUnit = .cell,
            _ size: Size = Size(width: 80, height: 24)
        ) async throws {
            var views = CollectionViewConfiguration()
            views.unit = unit
            views.size = size
            bridge = try Bridge(
                data: DataConfiguration(stores: ["default": try SQLiteStore(location: .memory)]),
                views: views
            )
            self.name = name
            try await bridge.load(.file(GalleryTests.folder.appendingPathComponent("\(script).js").path))
            _ = try await frame()
        }

        private func with<Result: Sendable>(_ body: @Sendable (ScriptCollectionView) throws -> Result)
            async throws
            -> Result
        {
            let result = try await bridge.withCollectionView(name, body)
            // Change sets of a store are delivered in a later turn.
            for _ in 0..<3 { try await bridge.withContext { _ in } }
            return result
        }

        func frame() async throws -> ViewFrame { try await with { try $0.view.makeFrame() } }
        func status() async throws -> String { try await with { $0.status } }
        func error() async throws -> String? { try await with { $0.lastError?.message } }
        func selection() async throws -> [IndexPath] { try await with { $0.view.indexPathsForSelectedItems } }

        func counters() async throws -> [Int] {
            try await with {
                [$0.view.counters.insertedItems, $0.view.counters.movedItems, $0.view.counters.deletedItems]
            }
        }

        /// Returns the visible elements from top to bottom as text.
        func lines() async throws -> [String] {
            try await frame().elements.filter { $0.attributes.representedElementCategory != .decorationView }
                .sorted { $0.attributes.frame.minY < $1.attributes.frame.minY }
                .map { element in
                    [element.content.text, element.content.secondaryText].map(\.string)
                        .filter { !$0.isEmpty }.joined(separator: ", ")
                }
        }

        func titles(at path: [Int]) async throws -> [String] {
            try await with { try $0.menu(at: IndexPath(indexes: path)).map(\.title) }
        }

        /// Performs the action with a title, and returns its message.
        @discardableResult
        func perform(_ title: String, at path: [Int]) async throws -> String {
            try await with { owner in
                let actions = try owner.menu(at: IndexPath(indexes: path))
                let action = try #require(actions.first { $0.title == title && !$0.isDisabled })
                return try owner.performAction(action.number, ofMenu: action.menu)
            }
        }

        func scroll(to path: [Int]) async throws {
            try await with { owner in
                try owner.view.scrollToItem(at: IndexPath(indexes: path), at: .start)
                _ = try owner.view.makeFrame()
            }
        }

        func primaryAction(at path: [Int]) async throws {
            let isPerformed = try await with { owner in
                try owner.view.performPrimaryAction(at: IndexPath(indexes: path))
            }
            #expect(isPerformed)
        }

        /// Moves an item as a renderer does, and returns whether it can be moved.
        func move(from: [Int], to: [Int]) async throws -> Bool {
            try await with { owner in
                guard try owner.view.beginInteractiveMovementForItem(at: IndexPath(indexes: from)) else {
                    return false
                }
                try owner.view.updateInteractiveMovementTarget(IndexPath(indexes: to))
                try owner.view.endInteractiveMovement()
                return true
            }
        }
    }
}
