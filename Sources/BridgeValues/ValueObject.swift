/// The members of a JavaScript object as data: keys in order, each once.
///
/// Keys are compared by their bytes, as in JavaScript, and not by canonical equivalence, as `String` does: an "é" of
/// one code point and an "é" of two are two members.
///
/// Equality and hashing ignore the order of members, as two objects that differ only in it are equal data.
///
/// - Complexity: Lookup is linear up to eight members and constant on average beyond.
public struct ValueObject: Sendable {
    /// One property of an object.
    public struct Member: Sendable, Hashable {
        /// The property's name.
        public var key: String
        /// The property's value.
        public var value: Value

        /// Creates a member.
        public init(key: String, value: Value) {
            self.key = key
            self.value = value
        }

        /// Returns whether two members have the same key, byte by byte, and equal values.
        public static func == (left: Member, right: Member) -> Bool {
            ByteEqualKey(text: left.key) == ByteEqualKey(text: right.key) && left.value == right.value
        }

        /// Hashes the key and the value.
        public func hash(into hasher: inout Hasher) {
            hasher.combine(ByteEqualKey(text: key))
            hasher.combine(value)
        }
    }

    /// The members in the order in which they were set.
    public private(set) var members: [Member] = []
    // Built only beyond the size where scanning short keys is faster than hashing them.
    private var positions: [ByteEqualKey: Int]?
    private static let scannedCount = 8

    /// Creates an object without members.
    public init() {}

    /// Creates an object from members; of several with the same key the last value counts, at the position of the
    /// first.
    public init(_ members: some Sequence<(String, Value)>) {
        for (key, value) in members { self[key] = value }
    }

    /// The value of a member; `nil` where there is none.
    ///
    /// Setting `nil` removes the member.
    public subscript(key: String) -> Value? {
        get { position(of: key).map { members[$0].value } }
        set {
            switch (position(of: key), newValue) {
            case (let position?, let value?): members[position].value = value
            case (nil, let value?): append(key: key, value: value)
            case (let position?, nil):
                members.remove(at: position)
                positions = nil
                indexIfLarge()
            case (nil, nil): break
            }
        }
    }

    /// The keys in their order.
    public var keys: [String] { members.map(\.key) }

    private func position(of key: String) -> Int? {
        let key = ByteEqualKey(text: key)
        if let positions { return positions[key] }
        return members.firstIndex { ByteEqualKey(text: $0.key) == key }
    }

    private mutating func append(key: String, value: Value) {
        members.append(Member(key: key, value: value))
        if positions != nil {
            positions?[ByteEqualKey(text: key)] = members.count - 1
        } else {
            indexIfLarge()
        }
    }

    private mutating func indexIfLarge() {
        guard members.count > Self.scannedCount else { return }
        positions = Dictionary(
            uniqueKeysWithValues: members.enumerated().map { (ByteEqualKey(text: $1.key), $0) }
        )
    }
}

/// A key that is compared by its bytes.
package struct ByteEqualKey: Hashable, Sendable {
    @usableFromInline package let text: String

    @inlinable package init(text: String) { self.text = text }

    @inlinable package static func == (left: ByteEqualKey, right: ByteEqualKey) -> Bool {
        // Most keys that differ also differ for `String`, whose comparison is the fastest.
        left.text == right.text && left.text.utf8.elementsEqual(right.text.utf8)
    }

    @inlinable package func hash(into hasher: inout Hasher) {
        var text = text
        text.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
        // A terminator, so that the key and the data that is hashed after it cannot be confused.
        hasher.combine(UInt8(0xFF))
    }
}

extension ValueObject: RandomAccessCollection {
    /// The position of the first member.
    public var startIndex: Int { 0 }
    /// The position after the last member.
    public var endIndex: Int { members.count }
    /// The member at a position.
    public subscript(position: Int) -> Member { members[position] }
}

extension ValueObject: Hashable {
    /// Returns whether two objects have the same members in any order.
    public static func == (left: ValueObject, right: ValueObject) -> Bool {
        Value.object(left) == Value.object(right)
    }

    /// Hashes the members independently of their order.
    public func hash(into hasher: inout Hasher) { hasher.combine(Value.object(self)) }
}

extension ValueObject: ExpressibleByDictionaryLiteral {
    /// Creates an object; of several members with the same key the last one counts.
    public init(dictionaryLiteral elements: (String, Value)...) { self.init(elements) }
}
