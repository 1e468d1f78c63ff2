internal import DataSources

enum DifferFuzz {
    private struct Row: Hashable {
        var key: UInt8
        var content: UInt8
    }

    static func problem(_ bytes: [UInt8]) -> String? {
        var rest = bytes[...]
        let old = state(&rest)
        let new = state(&rest)
        let isSame = { (left: Row, right: Row) in left.key == right.key }
        do {
            let difference = try KeyedDiff.difference(from: old, to: new, id: \.key) {
                $0.content != $1.content
            }
            // Duplicate keys may cause an error or a result.
            guard isUnique(old), isUnique(new) else { return nil }
            let changes = difference.changeSet
            guard try changes.applied(to: old, arrivingFrom: new, isSameItem: isSame) == new else {
                return "X1 the changes do not lead from \(old) to \(new): \(difference)"
            }
            guard try changes.inverse.applied(to: new, arrivingFrom: old, isSameItem: isSame) == old else {
                return "X5 the inverse does not lead back from \(new) to \(old): \(difference)"
            }
            return nil
        } catch is DuplicateKeyError {
            return isUnique(old) && isUnique(new) ? "no key of \(old) or \(new) is a duplicate" : nil
        } catch {
            return "the changes from \(old) to \(new) are wrong: \(error)"
        }
    }

    /// Parses a byte for each number: the number of sections, for each its key and its number of rows, then the rows.
    private static func state(_ bytes: inout ArraySlice<UInt8>) -> [SectionSnapshot<UInt8, Row>] {
        (0..<(bytes.popFirst() ?? 0) % 6).map { number in
            let key = (bytes.popFirst() ?? number) % 9
            let count = (bytes.popFirst() ?? 0) % 14
            let rows = (0..<count).map { _ in
                let byte = bytes.popFirst() ?? 0
                return Row(key: byte % 40, content: byte / 128)
            }
            return SectionSnapshot(key: key, items: rows)
        }
    }

    private static func isUnique(_ state: [SectionSnapshot<UInt8, Row>]) -> Bool {
        let rows = state.flatMap(\.items).map(\.key)
        return Set(rows).count == rows.count && Set(state.map(\.key)).count == state.count
    }
}
