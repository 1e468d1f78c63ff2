/// How the sort keys of a request become one string of bytes whose plain order is the order of the rows.
///
/// Each key is a tag and its value: no value 1, numbers 2, text 3, bytes 4. Whole numbers are eight bytes from
/// the highest with the sign turned, so that memory order is the numbers' order; other numbers likewise by
/// their bits. Text and bytes end with a zero byte, and a zero inside is written as `00 FF`. A descending key
/// has all its bits turned. So one comparison of memory decides between any two rows, whatever their keys are.
package struct OrderKeyFormat: Sendable, Hashable {
    /// One sort key.
    package struct Field: Sendable, Hashable {
        /// The attribute's position in its entity.
        package let attribute: Int
        /// What the attribute holds.
        package let type: AttributeType
        /// Whether small comes first.
        package let isAscending: Bool
    }

    /// The sort keys in their order.
    package let fields: [Field]
    /// How many of them, from the first, make the section.
    package let sectionFieldCount: Int

    /// Makes the format of a request's order.
    ///
    /// - Throws: ``StoreError`` for a name that the entity has not.
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

    /// Writes the key of a row.
    ///
    /// - Parameters:
    ///   - values: The row's values, in the order of the entity's attributes.
    ///   - buffer: Where the key goes, behind what is there already.
    /// - Returns: How many of the key's bytes are the section's.
    package func append(_ values: [AttributeValue], to buffer: inout OrderKeyBuffer) -> Int {
        append(to: &buffer) { buffer, index in buffer.append(values[fields[index].attribute], fields[index]) }
    }

    /// Writes the key of a row out of its values of the sort keys alone, in their order.
    package func append(sortValues: [AttributeValue], to buffer: inout OrderKeyBuffer) -> Int {
        append(to: &buffer) { buffer, index in buffer.append(sortValues[index], fields[index]) }
    }

    /// Writes a key field by field; gives how many of its bytes are the section's.
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

    /// Whether two rows have the same key, as their bytes would.
    package func areEqual(_ left: [AttributeValue], _ right: [AttributeValue]) -> Bool {
        fields.allSatisfy { left[$0.attribute].compare(right[$0.attribute]) == 0 }
    }
}
