internal import BridgeValues
public import DataSources
public import Foundation
internal import JavaScriptBridge
public import Stores

/// Restoration of a view over a script's data source, by the identities of its items.
///
/// An identity is the script's `identifier`, else the `$id` of a row or the `id` of another item; strings and numbers
/// are their own identities.
///
/// The script may omit members, and the rules that need them do not apply then: `sortKeys` for the position of a
/// deleted row, `sectionIdentifier` (else the title, else the index) for its section.
extension ScriptDataSource: RestorableSource {
    /// Returns the identity of the item at a path, or `nil` without an item or a lasting identity.
    public func modelIdentifierForElement(at indexPath: IndexPath, in view: any RestorableView) -> String? {
        answer(nil) {
            try ask("identity", .integer(Int64(indexPath.section)), .integer(Int64(indexPath.item)))
                .stringValue
        }
    }

    /// Returns the path of the item with an identity.
    ///
    /// - Complexity: That of the script's `indexOf`; without it O(1), and O(n) for the first time after a change.
    public func indexPathForElement(
        withModelIdentifier identifier: String,
        in view: any RestorableView
    ) -> IndexPath? {
        answer(nil) {
            let place = try ask("placeOf", .string(identifier))
            guard let section = place[0].integerValue, let item = place[1].integerValue else { return nil }
            return IndexPath(item: Int(item), section: Int(section))
        }
    }

    /// The script's `schema`, else the source's name.
    public var restorationSchema: String { answer("") { try ask("schema").stringValue ?? "" } }

    /// Returns the identity of a section.
    public func restorationSection(_ section: Int) -> [AttributeValue]? {
        answer(nil) {
            let identity = try AttributeValue(comparing: ask("sectionIdentity", .integer(Int64(section))))
            return identity.map { [$0] }
        }
    }

    /// Returns the section with an identity.
    ///
    /// - Complexity: O(s) in the sections.
    public func section(withRestorationKeys keys: [AttributeValue]) -> Int? {
        let wanted = keys.map(\.asNumber)
        return firstSection { restorationSection($0) == wanted }
    }

    /// The script's `sortKeys`.
    public var restorationSortKeys: [String] { answer([]) { try sortKeys() } }

    /// Returns the values of the members that the script's `sortKeys` name.
    public func restorationSortValues(at indexPath: IndexPath) -> [AttributeValue]? {
        answer(nil) {
            let keys = try sortKeys()
            return try keys.isEmpty ? nil : sortValues(at: indexPath, keys)
        }
    }

    /// Returns the path of the item at the position that an item with these values would have, if the items are in the
    /// order of `sortKeys`.
    ///
    /// Missing values come first, then booleans, numbers, strings by their UTF-8 bytes.
    ///
    /// - Complexity: O(log n) items read.
    public func indexPath(
        nearestToSortValues values: [AttributeValue],
        modelIdentifier: String?
    ) -> IndexPath? {
        answer(nil) {
            let keys = try sortKeys()
            guard values.count == keys.count, !keys.isEmpty else { return nil }
            let wanted = values.map(\.asNumber)
            let places = try FlatPositions(counts())
            var (low, high) = (0, places.count)
            while low < high {
                let middle = (low + high) / 2
                guard let found = try sortValues(at: places.path(of: middle), keys) else { return nil }
                if Self.precedes(found, wanted, keys) { low = middle + 1 } else { high = middle }
            }
            return places.count > 0 ? places.path(of: min(low, places.count - 1)) : nil
        }
    }

    /// Runs a closure, and throws the error of an invalid answer of the script meanwhile.
    func throwingItsErrors<Result>(_ body: () throws -> Result) throws -> Result {
        let result = try body()
        // A termination is thrown as such, not as an invalid answer.
        try WorkLimit.check()
        if let lastError { throw lastError }
        return result
    }

    private func sortKeys() throws -> [String] {
        try ask("sortKeys").arrayValue?.compactMap(\.stringValue) ?? []
    }

    private func sortValues(at path: IndexPath, _ keys: [String]) throws -> [AttributeValue]? {
        let names = Value.array(keys.map { .string($0) })
        let found = try ask("sortValues", .integer(Int64(path.section)), .integer(Int64(path.item)), names)
        return try found.arrayValue?.enumerated().map { number, value in
            guard let value = AttributeValue(comparing: value) else {
                throw BridgeError(
                    .decodeFailed,
                    "the data source '\(name)' is not sorted by '\(keys[number])': it has \(value.kind) there"
                )
            }
            return value
        }
    }

    private static func precedes(
        _ left: [AttributeValue],
        _ right: [AttributeValue],
        _ keys: [String]
    ) -> Bool {
        for (index, key) in keys.enumerated() {
            let order = left[index].compare(right[index])
            if order != 0 { return key.hasPrefix("-") ? order > 0 : order < 0 }
        }
        return false
    }
}

/// The items of all sections, numbered consecutively.
private struct FlatPositions {
    private var starts: [Int] = [0]

    init(_ counts: [Int]) { for count in counts { starts.append((starts.last ?? 0) + count) } }

    var count: Int { starts.last ?? 0 }

    func path(of position: Int) -> IndexPath {
        var (low, high) = (0, starts.count - 1)
        while low + 1 < high {
            let middle = (low + high) / 2
            if starts[middle] <= position { low = middle } else { high = middle }
        }
        return IndexPath(item: position - starts[low], section: low)
    }
}

extension AttributeValue {
    /// Creates a value that can be ordered from a script's value; returns `nil` for other values.
    fileprivate init?(comparing value: Value) {
        switch value {
        case .undefined, .null: self = .null
        case .bool(let flag): self = .boolean(flag)
        case .integer(let number): self = .double(Double(number))
        case .double(let number): self = .double(number)
        case .string(let text): self = .string(text)
        case .date(let date) where date != .invalid: self = .date(date)
        default: return nil
        }
    }

    /// The value with a double instead of an integer: numbers of scripts are of one kind, but an archive has integers.
    fileprivate var asNumber: AttributeValue {
        if case .integer(let number) = self { .double(Double(number)) } else { self }
    }
}
