/// A table of elements in the order in which they were added, each with an id that finds and removes it.
///
/// - Complexity: Adding is O(1), finding and removing O(log n), each on average.
package struct RegistrationTable<Element> {
    fileprivate struct Entry {
        let id: Int
        // Empty after its removal, until most entries are.
        var element: Element?
    }

    // In ascending order of ids.
    private var entries: [Entry] = []
    private var lastID = 0
    /// The number of elements.
    package private(set) var count = 0

    /// Creates an empty table.
    package init() {}

    /// A Boolean value that indicates whether the table has no elements.
    package var isEmpty: Bool { count == 0 }

    /// The elements in order.
    package var elements: [Element] { entries.compactMap(\.element) }

    /// The elements in order, with their ids.
    package var registrations: [(id: Int, element: Element)] {
        entries.compactMap { entry in entry.element.map { (entry.id, $0) } }
    }

    /// Adds an element at the end.
    ///
    /// - Returns: Its id, which the table never uses again.
    package mutating func add(_ element: Element) -> Int {
        lastID += 1
        entries.append(Entry(id: lastID, element: element))
        count += 1
        return lastID
    }

    /// Returns whether an element has the id.
    package func contains(_ id: Int) -> Bool { index(of: id) != nil }

    /// Removes the element with an id.
    ///
    /// - Returns: The element, or `nil` where there is none.
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
