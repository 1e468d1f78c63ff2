import BridgeValues

/// A page without a browser: its state after updates, by the rules of the page.
struct PageDouble {
    /// The elements by the numbers of their views.
    private(set) var elements: [Int: Value] = [:]
    private(set) var order: [Int] = []
    private(set) var active: Int?
    private(set) var info: Value = .undefined
    /// The number of the row with the focus, the number of rows and of marked rows.
    private(set) var counts: [Int] = []
    private(set) var length = 0.0
    private(set) var sequence = 0
    private(set) var messages: [String] = []
    private(set) var announcements: [String] = []
    private(set) var animatedCount = 0
    /// The effect and the intent of a drop, or `null`; undefined before the first drag.
    private(set) var drop: Value = .undefined
    /// The position of the page's own scroller in the content.
    var position = 0.0
    /// The rules that updates have broken.
    private(set) var faults: [String] = []

    /// Applies an update.
    mutating func apply(_ update: Value) {
        guard let number = update["sequence"].integer else {
            return faults.append("no sequence in \(update)")
        }
        if number != sequence + 1 { faults.append("update \(number) follows \(sequence)") }
        sequence = number
        if update["reset"] == .bool(true) { (elements, order, active, info) = ([:], [], nil, .undefined) }
        for removed in update["removed"].array {
            guard let number = removed.integer, elements.removeValue(forKey: number) != nil else {
                faults.append("\(removed) was removed, which is not there")
                continue
            }
        }
        for element in update["elements"].array {
            guard let number = element["n"].integer else {
                faults.append("an element without a number")
                continue
            }
            elements[number] = element
        }
        if case .array(let numbers) = update["order"] { order = numbers.compactMap(\.integer) }
        if order.count != elements.count || Set(order) != Set(elements.keys) {
            faults.append("the order has \(order.count) of \(elements.count) elements")
        }
        switch update["active"] {
        case .integer(let number): active = Int(number)
        case .null: active = nil
        default: break
        }
        if let active, elements[active] == nil {
            faults.append("PG18: the active element \(active) is missing")
        }
        if case .array(let numbers) = update["counts"] { counts = numbers.compactMap(\.integer) }
        if update["info"] != .undefined { info = update["info"] }
        if let message = update["message"].stringValue { messages.append(message) }
        if let announcement = update["announcement"].stringValue { announcements.append(announcement) }
        if update["drop"] != .undefined { drop = update["drop"] }
        if update["animated"] == .bool(true) { animatedCount += 1 }
        length = update["content"]["length"].number
        position += update["content"]["adjustment"].number
    }

    /// The texts of the elements in their order.
    var texts: [String] {
        order.compactMap { elements[$0] }
            .map { $0["text"].array.map { $0[0].stringValue ?? "" }.joined() }
    }

    /// Returns the number of the element with a text.
    func number(_ text: String) -> Int? { zip(order, texts).first { $0.1 == text }?.0 }

    /// Returns the distance of an element from the edge of the viewport.
    func distance(_ text: String) -> Double? {
        number(text).flatMap { elements[$0] }.map { $0["frame"][1].number - position }
    }

    /// Forgets the recorded faults.
    mutating func takeFaults() -> [String] {
        defer { faults = [] }
        return faults
    }
}

extension Value {
    var integer: Int? {
        guard case .integer(let number) = self else { return nil }
        return Int(number)
    }

    /// The number, or 0.
    var number: Double {
        switch self {
        case .integer(let number): Double(number)
        case .double(let number): number
        default: 0
        }
    }

    /// The elements, or none.
    var array: [Value] {
        guard case .array(let elements) = self else { return [] }
        return elements
    }
}
