import BridgeValues
import CollectionViews
import DataSources
import Foundation
import TestSupport
import Testing

@testable import PageViews

@Suite("Random lives of a page's session")
struct SessionModelTests {
    @Test("V11 PG4 PG18 random inputs, batches, measurements and drags: the page shows what a new page shows")
    func model() throws {
        var seeds = SeededGenerator.fromEnvironment()
        for number in 0..<40 {
            let seed = number == 0 ? SeededGenerator.givenSeed ?? seeds.next() : seeds.next()
            var life = SessionLife(seed: seed)
            let difference = life.firstDifference(steps: 60)
            #expect(difference == nil, "replay with JSBRIDGE_SEED=\(seed)")
            if difference != nil { return }
        }
    }

    @Test("V11 the model finds a page that forgets a step", arguments: PageFault.allCases)
    func mutants(_ fault: PageFault) {
        for seed in 0..<60 {
            var life = SessionLife(seed: UInt64(seed), fault: fault)
            if life.firstDifference(steps: 40) != nil { return }
        }
        Issue.record("no difference was found in 60 lives")
    }
}

/// A mistake on the way from the session to the page.
enum PageFault: CaseIterable {
    case dropsRemoved
    case dropsOrder
    case dropsActive
    case dropsInfo
    case dropsAdjustment
    case skipsUpdate
}

/// A random life of a session and its page, with messages that are under way in both directions.
struct SessionLife {
    private var random: SeededGenerator
    private let run: SessionRun
    private let fault: PageFault?
    private var page = PageDouble()
    /// Updates that the page has not applied, and inputs that the session has not received.
    private var updates: [Value] = []
    private var inputs: [[Value]] = []
    private var nextNumber = 10_000
    private var log: [String] = []

    init(seed: UInt64, fault: PageFault? = nil) {
        var random = SeededGenerator(seed: seed)
        self.fault = fault
        let headers = Bool.random(using: &random)
        let sizes = headers ? [40, 0, 7, 300] : [500]
        var next = 0
        let sections = sizes.map { size in
            defer { next += size }
            return Array(next..<next + size)
        }
        run = SessionRun(sections, headers: headers, isMultiple: Bool.random(using: &random))
        page = run.page
        self.random = random
    }

    /// Returns the first difference between the page and a new one, or `nil`.
    mutating func firstDifference(steps: Int) -> String? {
        for step in 0..<steps {
            act()
            if Bool.random(using: &random) { passInputs() }
            if Bool.random(using: &random) { makeUpdate() }
            if Bool.random(using: &random) { applyUpdates() }
            guard step % 5 == 4 else { continue }
            if let difference = difference() { return "\(difference)\n\(log.joined(separator: "\n"))" }
        }
        return nil
    }

    // MARK: - Messages

    private mutating func send(_ input: [Value]) {
        log.append("\(input)")
        inputs.append(["seen", .integer(Int64(page.sequence))])
        inputs.append(input)
    }

    private mutating func passInputs() {
        var read: [PageInput] = []
        for input in inputs {
            if let input = try? PageInput(.array(input)) { read.append(input) }
        }
        inputs = []
        run.session.apply(read)
    }

    private mutating func makeUpdate() {
        _ = run.session.update(at: run.clock.now)
        if let update = run.session.makeUpdate() { updates.append(update) }
    }

    private mutating func applyUpdates() {
        for update in updates { page.apply(faulty(update)) }
        updates = []
    }

    private mutating func faulty(_ update: Value) -> Value {
        guard let fault, case .object(var object) = update, Int.random(in: 0..<4, using: &random) == 0 else {
            return update
        }
        switch fault {
        case .dropsRemoved: object["removed"] = nil
        case .dropsOrder: object["order"] = nil
        case .dropsActive: object["active"] = nil
        case .dropsInfo: object["info"] = nil
        case .dropsAdjustment: object["content"] = nil
        case .skipsUpdate: object = ValueObject([("sequence", update["sequence"])])
        }
        return .object(object)
    }

    private mutating func difference() -> String? {
        // Until nothing is under way.
        for _ in 0..<20 {
            passInputs()
            makeUpdate()
            if updates.isEmpty { break }
            applyUpdates()
        }
        let faults = page.takeFaults()
        guard faults.isEmpty else { return "\(faults)" }
        let full = run.fullPage()
        if page.order != full.order { return "order \(page.order) instead of \(full.order)" }
        for (number, element) in full.elements where page.elements[number] != element {
            return "element \(page.elements[number].map { "\($0)" } ?? "none") instead of \(element)"
        }
        if page.active != full.active {
            return "active \(page.active as Int?) instead of \(full.active as Int?)"
        }
        if page.info != full.info { return "info \(page.info) instead of \(full.info)" }
        if page.length != full.length { return "length \(page.length) instead of \(full.length)" }
        if abs(page.position - full.position) > 1e-6 {
            return "position \(page.position) instead of \(full.position)"
        }
        return nil
    }

    // MARK: - Acts

    private mutating func act() {
        switch Int.random(in: 0..<16, using: &random) {
        case 0...2: scroll()
        case 3...4: pressKey()
        case 5: click()
        case 6: measure()
        case 7...8: changeRows()
        case 9: reload()
        case 10:
            send(["resize", .integer(Int64.random(in: 50...400, using: &random)), .number(number(20, 300))])
        case 11: drag()
        case 12: send(["type", .string(String(Int.random(in: 0..<600, using: &random)))])
        case 13: fold()
        case 14:
            let number = shownNumber()
            run.content.marks[number] = run.content.marks[number] == nil ? .updated : nil
            run.content.changeHandler?()
            log.append("mark \(number)")
        default: sendGarbage()
        }
        run.clock.advance(by: .milliseconds(Int.random(in: 0..<900, using: &random)))
    }

    private mutating func number(_ low: Double, _ high: Double) -> Double {
        (Double.random(in: low...high, using: &random) * 4).rounded() / 4
    }

    private mutating func shownNumber() -> Int {
        run.source.sections.joined().randomElement(using: &random) ?? 0
    }

    private mutating func view() -> Value {
        let known = page.order.randomElement(using: &random) ?? 0
        return .integer(Int64(Int.random(in: 0..<10, using: &random) == 0 ? known + 1_000 : known))
    }

    private mutating func scroll() {
        let isFar = Int.random(in: 0..<4, using: &random) == 0
        page.position = isFar ? number(-500, 20_000) : max(0, page.position + number(-60, 60))
        send(["scroll", .number(page.position), .number(number(-1_000, 1_000))])
    }

    private mutating func pressKey() {
        let keys = [
            "ArrowDown", "ArrowUp", "j", "k", "g", "G", "Home", "End", "PageUp", "PageDown", " ", "Enter",
            "Escape", "ArrowLeft", "ArrowRight", "n", "m", "u", "*", "Tab", "a", "F13",
        ]
        send([
            "key", .string(keys.randomElement(using: &random) ?? "j"),
            .string(["", "", "s", "c", "a"].randomElement(using: &random) ?? ""),
        ])
    }

    private mutating func click() {
        send([
            "click", view(), .string(["", "s", "c", "m"].randomElement(using: &random) ?? ""),
            .integer(Int64.random(in: 1...2, using: &random)), "",
        ])
    }

    private mutating func measure() {
        let lengths = (0..<Int.random(in: 1...8, using: &random)).map { _ -> Value in
            .array([view(), .number(number(5, 90))])
        }
        send(["measure", .array(lengths)])
    }

    private mutating func drag() {
        let phase = ["begin", "move", "move", "end", "cancel"].randomElement(using: &random) ?? "move"
        send(["drag", .string(phase), view(), 10, .number(page.position + number(-20, 120))])
    }

    private mutating func fold() {
        guard run.content.isFoldable else { return }
        send(["fold", view(), .bool(Bool.random(using: &random))])
    }

    private mutating func sendGarbage() {
        let garbage: [Value] = [
            ["scroll", .double(.nan), 0], ["scroll", .double(.infinity), 1], ["click", "x"], ["measure", 7],
            ["measure", [[1, .double(.nan)], [2]]], ["resize", 0, 1_000_000_000], ["key", 4], [], 7,
            ["drag", "jump", 1, 2, 3], ["select", "some"], ["jump", 99], ["unknown"], ["fold", 1, 1],
            ["seen", .double(1.5)], ["type", .string(String(repeating: "x", count: 5_000))],
        ]
        guard case .array(let input)? = garbage.randomElement(using: &random) else { return }
        send(input)
    }

    private mutating func reload() {
        log.append("reload")
        run.source.sections = run.source.sections.map { $0.shuffled(using: &random) }
        run.view.reloadData()
    }

    /// Inserts, deletes and moves rows as one batch.
    private mutating func changeRows() {
        let source = run.source
        let section = Int.random(in: 0..<source.sections.count, using: &random)
        guard !source.folded.contains(section) else { return }
        let count = source.sections[section].count
        let deleted = Set(
            (0..<Int.random(in: 0...2, using: &random)).compactMap { _ in
                count > 0 ? Int.random(in: 0..<count, using: &random) : nil
            }
        )
        let new = (0..<Int.random(in: 0...3, using: &random)).map { nextNumber + $0 }
        nextNumber += 3
        var rows = source.sections[section]
        for item in deleted.sorted(by: >) { rows.remove(at: item) }
        var places: [Int] = []
        for number in new {
            let place = Int.random(in: 0...rows.count, using: &random)
            rows.insert(number, at: place)
        }
        for (item, number) in rows.enumerated() where new.contains(number) { places.append(item) }
        log.append("section \(section): delete \(deleted.sorted()), insert \(places)")
        try? run.view.performBatchUpdates {
            run.view.deleteItems(at: deleted.map { IndexPath(item: $0, section: section) })
            run.view.insertItems(at: places.map { IndexPath(item: $0, section: section) })
            source.sections[section] = rows
        }
    }
}
