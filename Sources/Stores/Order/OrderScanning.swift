/// A transaction that can write sort keys without making values of them first.
package protocol OrderScanning: ReadTransaction {
    /// Walks a request in its order and gives each row's key to a builder.
    ///
    /// - Throws: ``StoreError``, also where the rows do not come in the order of their keys.
    func scanOrder(
        _ request: FetchRequest,
        format: OrderKeyFormat,
        into builder: inout OrderIndexBuilder
    ) throws
}

extension ReadTransaction {
    /// Reads the order of a request, with its sections.
    ///
    /// - Complexity: O(n) in the rows.
    package func order(
        of request: FetchRequest,
        format: OrderKeyFormat
    ) throws -> (order: OrderIndex, sections: OrderSections) {
        var builder = OrderIndexBuilder()
        if let scanning = self as? any OrderScanning {
            try scanning.scanOrder(request, format: format, into: &builder)
        } else {
            try scan(request, attributes: request.sortDescriptors.map(\.key)) { id, values in
                try builder.append(id: id) { format.append(sortValues: values, to: &$0) }
            }
        }
        return builder.finish()
    }
}
