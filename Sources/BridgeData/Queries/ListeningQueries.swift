/// The queries that have listeners, in the order in which they were added.
///
/// Adding and removing a query have the same cost for any number of queries.
struct ListeningQueries: Sequence {
    /// The queries in order.
    ///
    /// A removed one is `nil`, until half of them are removed.
    private var queries: [LiveQuery?] = []
    private var positions: [ObjectIdentifier: Int] = [:]

    var isEmpty: Bool { positions.isEmpty }

    /// Adds a query, unless it is already present.
    mutating func append(_ query: LiveQuery) {
        guard positions[ObjectIdentifier(query)] == nil else { return }
        positions[ObjectIdentifier(query)] = queries.count
        queries.append(query)
    }

    /// Removes a query, if it is present.
    mutating func remove(_ query: LiveQuery) {
        guard let position = positions.removeValue(forKey: ObjectIdentifier(query)) else { return }
        queries[position] = nil
        guard queries.count > 16, positions.count < queries.count / 2 else { return }
        queries.removeAll { $0 == nil }
        for (position, query) in queries.enumerated() {
            if let query { positions[ObjectIdentifier(query)] = position }
        }
    }

    func makeIterator() -> some IteratorProtocol<LiveQuery> { queries.lazy.compactMap(\.self).makeIterator() }
}
