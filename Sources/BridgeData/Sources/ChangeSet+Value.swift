package import DataSources
internal import Foundation
package import JavaScriptBridge

extension ChangeSet {
    /// Decodes the announcement that a source's entry passes: a change set of a query, or one that a script has written.
    package init(announcedBy call: HostCall) throws {
        if let changes = call.handle(at: 0, as: ChangeHandle.self) {
            self = changes.difference.changeSet
        } else {
            self = try ChangeSet(call.value(at: 0))
        }
    }

    /// Decodes a script's announcement: nothing or `'all'`, or an array of `{ type, item | object | section, from, to
    /// }`.
    ///
    /// A path is `{ section, item }` or `[section, item]`, a section a number.
    init(_ value: Value) throws {
        if value.isNil || value == "all" {
            self = .all
            return
        }
        guard let list = value.arrayValue else {
            throw BridgeError(
                .invalidArgument,
                "changes are 'all' or an array, not \(value.kind) \(value.excerpt)"
            )
        }
        self = .some(try list.map(Change.init))
    }
}

extension Change {
    fileprivate init(_ value: Value) throws {
        let isSection = value["kind"] == "section"
        func path(_ key: String) throws -> IndexPath {
            let place = value[key]
            if isSection, let section = place.integerValue, let index = Int(exactly: section) {
                return IndexPath(item: 0, section: index)
            }
            let section = place["section"].integerValue ?? place[0].integerValue
            let item = place["item"].integerValue ?? place[1].integerValue
            guard let section, let item, section >= 0, item >= 0 else {
                throw BridgeError(
                    .invalidArgument,
                    "a change needs a path '\(key)': { section, item }, not \(place.excerpt)"
                )
            }
            return IndexPath(item: Int(item), section: Int(section))
        }
        let type: ChangeType =
            switch value["type"].stringValue {
            case "insert": .insert(try path("to"))
            case "delete": .delete(try path("from"))
            case "move": .move(try path("from"), try path("to"))
            case "update": .update(try path("from"))
            default:
                throw BridgeError(
                    .invalidArgument,
                    "a change is an insert, delete, move or update, not \(value["type"].excerpt)"
                )
            }
        self = isSection ? .section(type: type) : .item(type: type)
    }
}
