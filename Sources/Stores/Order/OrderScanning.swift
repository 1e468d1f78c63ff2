/// A transaction that can encode sort keys directly, without creating attribute values.
package protocol OrderScanning: ReadTransaction {
    /// Passes the key of each row to a builder, in the order of the request.
    ///
    /// - Throws: ``StoreError``, also if the rows are not in the order of their keys.
    func scanOrder(
        _ request: FetchRequest,
        format: OrderKeyFormat,
        into builder: inout OrderIndexBuilder
    ) throws
}

extension ReadTransaction {
    /// Returns the order of a request, with its sections.
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
