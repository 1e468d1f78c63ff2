/// A member's key as the JSON text has it, for coding paths.
package struct JSONMemberKey: CodingKey {
    package let stringValue: String
    package var intValue: Int? { nil }

    package init(_ key: String) { stringValue = key }
    package init?(stringValue: String) { self.stringValue = stringValue }
    package init?(intValue: Int) { return nil }
}
