// A position is an array of numbers, so that people and scripts can read a file of changes:
// {"deletes": [[0, 3]], "moves": [[0, 5, 1, 0]], "sectionInserts": [1]}

extension Difference: Codable {
    private enum CodingKeys: String, CodingKey, CaseIterable {
        case sectionDeletes, sectionInserts, sectionMoves, deletes, inserts, moves, updates
    }

    /// Decodes a difference.
    ///
    /// A kind of change whose key is missing has no changes.
    ///
    /// - Throws: `DecodingError` where a position has too few or too many numbers, or positions are not in ascending
    ///   order.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        var packed = [Int32](repeating: 0, count: 7)
        let sizes = [1, 1, 2, 2, 2, 4, 4]
        for (index, key) in CodingKeys.allCases.enumerated() {
            let places: [[Int32]]
            if sizes[index] == 1 {
                places = try container.decodeIfPresent([Int32].self, forKey: key)?.map { [$0] } ?? []
            } else {
                places = try container.decodeIfPresent([[Int32]].self, forKey: key) ?? []
            }
            if let wrong = places.first(where: { $0.count != sizes[index] }) {
                throw DecodingError.dataCorruptedError(
                    forKey: key,
                    in: container,
                    debugDescription: "\(wrong) is not \(sizes[index]) numbers"
                )
            }
            packed[index] = Int32(places.count)
            packed += places.joined()
        }
        do {
            try self.init(packed: packed)
        } catch {
            throw DecodingError.dataCorrupted(
                DecodingError.Context(codingPath: container.codingPath, debugDescription: error.message)
            )
        }
    }

    /// Encodes the kinds of changes that are not empty.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        if !sectionDeletes.isEmpty { try container.encode(sectionDeletes, forKey: .sectionDeletes) }
        if !sectionInserts.isEmpty { try container.encode(sectionInserts, forKey: .sectionInserts) }
        if !sectionMoves.isEmpty {
            try container.encode(sectionMoves.map { [$0.old, $0.new] }, forKey: .sectionMoves)
        }
        if !deletes.isEmpty { try container.encode(deletes.map(\.numbers), forKey: .deletes) }
        if !inserts.isEmpty { try container.encode(inserts.map(\.numbers), forKey: .inserts) }
        if !moves.isEmpty {
            try container.encode(moves.map { $0.old.numbers + $0.new.numbers }, forKey: .moves)
        }
        if !updates.isEmpty {
            try container.encode(updates.map { $0.old.numbers + $0.new.numbers }, forKey: .updates)
        }
    }
}

extension ItemPath {
    fileprivate var numbers: [Int32] { [section, item] }
}

extension Difference {
    /// A description of every change, one a line, for a log: `delete [0, 3]`, `move [0, 5] to [1, 0]`.
    public var details: String {
        guard case .some(let changes) = changeSet else { return "" }
        return changes.map(\.description).joined(separator: "\n")
    }
}
