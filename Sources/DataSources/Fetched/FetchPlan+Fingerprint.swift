internal import Foundation
internal import Stores

extension FetchPlan {
    /// A hash of the rows that a request fetches and of their order, the same in every process.
    ///
    /// The limit and the offset are not part of it, because they are applied to the whole order.
    var fingerprint: UInt64 {
        var text = Fingerprint()
        text.add(entity.name)
        for attribute in entity.attributes { text.add("\(attribute.name)=\(attribute.type.rawValue)") }
        for descriptor in request.sortDescriptors { text.add("\(descriptor.ascending)", descriptor.key) }
        for key in request.sectionKeys { text.add("section", key) }
        request.predicate.map { text.add($0) }
        return text.bytes.withUnsafeBytes(OrderImage.checksum)
    }
}

/// An encoder of requests into bytes that are unique to each request.
private struct Fingerprint {
    var bytes: [UInt8] = []

    mutating func add(_ parts: String...) {
        for part in parts {
            withUnsafeBytes(of: part.utf8.count) { bytes.append(contentsOf: $0) }
            bytes.append(contentsOf: part.utf8)
        }
    }

    mutating func add(_ predicate: FetchPredicate) {
        switch predicate {
        case .compare(let name, let comparison, let value):
            add("compare", name, comparison.rawValue)
            add(value)
        case .isIn(let name, let values):
            add("in", name, "\(values.count)")
            for value in values { add(value) }
        case .and(let parts): add("and", parts)
        case .or(let parts): add("or", parts)
        case .not(let part): add("not", [part])
        case .idIsIn(let ids):
            add("id", "\(ids.count)")
            for id in ids { add("\(id)") }
        case .related(let name, let quantifier, let part):
            add("related", name, quantifier.rawValue)
            add(part)
        case .relatedCount(let name, let part, let comparison, let count):
            add("count", name, comparison.rawValue, "\(count)")
            add(part)
        }
    }

    private mutating func add(_ word: String, _ parts: [FetchPredicate]) {
        add(word, "\(parts.count)")
        for part in parts { add(part) }
    }

    private mutating func add(_ value: AttributeValue) {
        switch value {
        case .double(let number): add("double", "\(number.bitPattern)")
        case .date(let date): add("date", "\(date.timeIntervalSince1970.bitPattern)")
        case .data(let data): add("data", data.base64EncodedString())
        default: add(value.kindAndText.prefix { $0 != " " } + " ", value.description)
        }
    }
}
