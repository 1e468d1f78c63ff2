/// Elements in the order in which they were added, each under a number that finds and removes it.
///
/// - Complexity: Adding is O(1), finding and removing O(log n), each on average.
package struct RegistrationTable<Element> {
    fileprivate struct Entry {
        let id: Int
        // Empty after its removal, until most entries are.
        var element: Element?
    }

    // Their ids rise.
    private var entries: [Entry] = []
    private var lastID = 0
    /// How many elements there are.
    package private(set) var count = 0

    /// Makes an empty table.
    package init() {}

    /// Whether there are no elements.
    package var isEmpty: Bool { count == 0 }

    /// The elements, in their order.
    package var elements: [Element] { entries.compactMap(\.element) }

    /// The elements with their numbers, in their order.
    package var registrations: [(id: Int, element: Element)] {
        entries.compactMap { entry in entry.element.map { (entry.id, $0) } }
    }

    /// Adds an element behind all others.
    ///
    /// - Returns: Its number, which no other element of the table ever has.
    package mutating func add(_ element: Element) -> Int {
        lastID += 1
        entries.append(Entry(id: lastID, element: element))
        count += 1
        return lastID
    }

    /// Whether an element has a number.
    package func contains(_ id: Int) -> Bool { index(of: id) != nil }

    /// Removes the element of a number.
    ///
    /// - Returns: The element, or `nil` where none has the number.
    package mutating func remove(_ id: Int) -> Element? {
        guard let index = index(of: id) else { return nil }
        let element = entries[index].element.take()
        count -= 1
        if count == 0 {
            entries = []
        } else if entries.count >= 16, count * 2 < entries.count {
            entries.removeAll { $0.element == nil }
        }
        return element
    }

    private func index(of id: Int) -> Int? {
        var low = 0
        var high = entries.count
        while low < high {
            let middle = (low + high) / 2
            if entries[middle].id < id { low = middle + 1 } else { high = middle }
        }
        guard low < entries.count, entries[low].id == id, entries[low].element != nil else { return nil }
        return low
    }
}

extension RegistrationTable: Sendable where Element: Sendable {}
extension RegistrationTable.Entry: Sendable where Element: Sendable {}
