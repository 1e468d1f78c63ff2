/// An encoding of a request's sort keys as one byte string whose bytewise order is the order of the rows.
///
/// Each field is a tag followed by its value. The tags are 1 for null, 2 for numbers, 3 for strings and 4 for data.
/// Integers are eight bytes in big-endian order with the sign bit inverted; other numbers use their bits in the same
/// way. Strings and data end with a zero byte; a zero inside is written as `00 FF`. A descending field has all its bits
/// inverted. One memory comparison therefore orders any two rows, whatever their keys are.
package struct OrderKeyFormat: Sendable, Hashable {
    /// One sort key.
    package struct Field: Sendable, Hashable {
        /// The attribute's position in its entity.
        package let attribute: Int
        /// The type of the attribute.
        package let type: AttributeType
        /// A Boolean value that indicates whether small values come first.
        package let isAscending: Bool
    }

    /// The sort keys in order.
    package let fields: [Field]
    /// The number of leading sort keys that define the section.
    package let sectionFieldCount: Int

    /// Creates the format for a request's order.
    ///
    /// - Throws: ``StoreError`` for a name that is not an attribute of the entity.
    package init(_ request: FetchRequest, of entity: EntityDescription) throws {
        fields = try request.sortDescriptors.map { descriptor in
            let index = try entity.requiredIndex(of: descriptor.key)
            return Field(
                attribute: index,
                type: entity.attributes[index].type,
                isAscending: descriptor.ascending
            )
        }
        sectionFieldCount = request.sectionKeys.count
    }

    /// Encodes the key of a row.
    ///
    /// - Parameters:
    ///   - values: The row's values, in the order of the entity's attributes.
    ///   - buffer: The buffer that the key is appended to.
    /// - Returns: The number of the key's bytes that belong to the section.
    package func append(_ values: [AttributeValue], to buffer: inout OrderKeyBuffer) -> Int {
        append(to: &buffer) { buffer, index in buffer.append(values[fields[index].attribute], fields[index]) }
    }

    /// Encodes the key of a row from the values of its sort keys, in order.
    package func append(sortValues: [AttributeValue], to buffer: inout OrderKeyBuffer) -> Int {
        append(to: &buffer) { buffer, index in buffer.append(sortValues[index], fields[index]) }
    }

    /// Encodes a key field by field; returns the number of its bytes that belong to the section.
    @inline(__always)
    package func append(
        to buffer: inout OrderKeyBuffer,
        _ write: (inout OrderKeyBuffer, Int) -> Void
    ) -> Int {
        let start = buffer.count
        var sectionCount = 0
        for index in fields.indices {
            write(&buffer, index)
            if index + 1 == sectionFieldCount { sectionCount = buffer.count - start }
        }
        return sectionCount
    }

    /// Returns whether two rows have equal keys; the result is the same as for their encoded bytes.
    package func areEqual(_ left: [AttributeValue], _ right: [AttributeValue]) -> Bool {
        fields.allSatisfy { left[$0.attribute].compare(right[$0.attribute]) == 0 }
    }
}
