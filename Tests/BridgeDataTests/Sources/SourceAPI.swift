import BridgeData
import DataSources
import Foundation
import JavaScriptBridge
import Stores
import StoresSQLite

/// The side from which a data source is used (D22).
enum SourceSide: String, CaseIterable, Sendable {
    case swift
    case scriptSeenFromSwift
    case swiftSeenFromScript
}

/// A data source of strings with the API of its reader, from any side; used inside turns.
struct SourceAPI {
    let numberOfSections: () throws -> Int
    let numberOfItems: (Int) throws -> Int
    let item: (Int, Int) throws -> String?
    let next: (Int, Int) throws -> [Int]?
    let header: (Int) throws -> String?
    let footer: (Int) throws -> String?
    /// A closure that adds or removes the listener.
    let listen: (Bool) throws -> Void
    /// The change sets that were received since the last call.
    let received: () throws -> [ChangeSet]
    /// A closure that replaces the content without a notification.
    let set: ([[String]]) throws -> Void
    /// A closure that announces a change.
    let tell: (ChangeSet) throws -> Void
}

/// A bridge whose turns run on the caller's thread or block it, so that a test is a sequence of turns.
struct TurnWorld {
    let bridge: Bridge
    let store: SQLiteStore

    init() throws {
        store = try SQLiteStore(location: .memory)
        bridge = try Bridge(configuration: .patient, data: DataConfiguration(stores: ["default": store]))
    }

    func turn(_ body: (JSContext) throws -> Void) throws {
        // nonisolated(unsafe) because the caller waits until the turn is over.
        nonisolated(unsafe) let body = body
        try bridge.runtime.withContextAndWait { try body($0) }
    }
}

final class TextList: ListDataSource {
    typealias ItemType = String
    var items: [String] = []
    var reloadBlock: ReloadBlock?
}

final class TextSections: SectionedDataSource {
    typealias ItemType = String
    var sections: [Section<String>] = []
    var reloadBlock: ReloadBlock?
}

extension SourceAPI {
    /// Creates a source of Swift, used directly.
    init<Source: DataSource>(
        of source: Source,
        text: @escaping (Source.ItemType) -> String?,
        set: @escaping ([[String]]) -> Void
    ) {
        let box = ReceivedChanges()
        numberOfSections = { source.numberOfSections }
        numberOfItems = { source.numberOfItems(in: $0) }
        item = { source.item(at: IndexPath(item: $1, section: $0)).flatMap(text) }
        next = { source.indexPath(after: IndexPath(item: $1, section: $0)).map { [$0.section, $0.item] } }
        header = {
            (source as? any SectionedDataSource)?.headerTitle(for: $0) ?? (source as? ScriptDataSource)?
                .headerTitle(for: $0)
                ?? (source as? FetchedSource)?.headerTitle(for: $0)
        }
        footer = {
            (source as? any SectionedDataSource)?.footerTitle(for: $0)
                ?? (source as? ScriptDataSource)?.footerTitle(for: $0)
        }
        listen = { source.reloadBlock = $0 ? { box.changes.append($0) } : nil }
        received = { box.take() }
        self.set = set
        tell = { source.reloadBlock?($0) }
    }

    /// Creates a source that a script has as `face`, with the members that a host's source has there.
    init(
        inScriptOf context: JSContext,
        member: String = "",
        set: @escaping ([[String]]) throws -> Void,
        tell: @escaping (ChangeSet) throws -> Void
    ) {
        func ask(_ script: String) throws -> Value { try context.evaluate(script).toValue() }
        // A script's numbers cannot represent `Int.max`, but its neighbors.
        func text(_ number: Int) -> String { String(Double(number)) }
        numberOfSections = { Int(try ask("face.numberOfSections").integerValue ?? -1) }
        numberOfItems = { Int(try ask("face.numberOfItems(\(text($0)))").integerValue ?? -1) }
        item = { try ask("face.item(\(text($0)), \(text($1)))\(member)").stringValue }
        next = { section, item in
            let path = try ask("face.after(\(text(section)), \(text(item)))")
            guard let section = path["section"].integerValue, let item = path["item"].integerValue else {
                return nil
            }
            return [Int(section), Int(item)]
        }
        header = { try ask("face.headerTitle(\($0))").stringValue }
        footer = { try ask("face.footerTitle(\($0))").stringValue }
        listen = { isOn in
            let begin =
                "globalThis.stop = face.onChange(changes => { received.push(changes.all ? 'all' : changes) })"
            try context.evaluate(isOn ? "globalThis.received ??= []; \(begin)" : "stop()")
        }
        received = {
            let list = try ask("received.splice(0)").arrayValue ?? []
            return list.map {
                $0 == "all"
                    ? .all : .some(Self.changes($0["sections"], true) + Self.changes($0["items"], false))
            }
        }
        self.set = set
        self.tell = tell
    }

    private static func changes(_ list: Value, _ isSection: Bool) -> [Change] {
        (list.arrayValue ?? []).compactMap { value in
            func path(_ key: String) -> IndexPath? {
                if isSection, let section = value[key].integerValue {
                    return IndexPath(item: 0, section: Int(section))
                }
                guard let section = value[key]["section"].integerValue,
                    let item = value[key]["item"].integerValue
                else { return nil }
                return IndexPath(item: Int(item), section: Int(section))
            }
            let type: ChangeType? =
                switch value["type"].stringValue {
                case "insert": path("to").map { .insert($0) }
                case "delete": path("from").map { .delete($0) }
                case "update": path("from").map { .update($0) }
                case "move": path("from").flatMap { from in path("to").map { .move(from, $0) } }
                default: nil
                }
            return type.map { isSection ? .section(type: $0) : .item(type: $0) }
        }
    }
}

/// A recorder of a reload block's change sets.
final class ReceivedChanges {
    var changes: [ChangeSet] = []

    func take() -> [ChangeSet] {
        defer { changes = [] }
        return changes
    }
}

// MARK: - The three sides

extension SourceSide {
    /// Returns a list of strings.
    func list(in context: JSContext) throws -> SourceAPI {
        switch self {
        case .swift:
            let list = TextList()
            return SourceAPI(of: list, text: { $0 }, set: { list.items = $0.first ?? [] })
        case .scriptSeenFromSwift:
            try context.evaluate(
                """
                globalThis.list = [];
                globalThis.handle = bridge.registerDataSource("list", { numberOfItems: () => list.length, item: (section, item) => list[item] });
                """
            )
            return try authored("list", in: context) { "list = \($0.first ?? [])" }
        case .swiftSeenFromScript:
            let list = TextList()
            try context.showDataSource(list, named: "list")
            try context.evaluate("globalThis.face = bridge.dataSource('list')")
            return SourceAPI(
                inScriptOf: context,
                set: { list.items = $0.first ?? [] },
                tell: { list.reloadBlock?($0) }
            )
        }
    }

    /// Returns sections of strings; the header of a section is its first string in capitals, the footer of the first is
    /// "first".
    func sectioned(in context: JSContext) throws -> SourceAPI {
        func sections(_ texts: [[String]]) -> [Section<String>] {
            texts.enumerated().map { index, items in
                Section(
                    items: items,
                    headerTitle: items.first?.uppercased(),
                    footerTitle: index == 0 ? "first" : nil
                )
            }
        }
        switch self {
        case .swift:
            let source = TextSections()
            return SourceAPI(of: source, text: { $0 }, set: { source.sections = sections($0) })
        case .scriptSeenFromSwift:
            try context.evaluate(
                """
                globalThis.sections = [];
                globalThis.handle = bridge.registerDataSource("sections", {
                    get numberOfSections() { return sections.length },
                    numberOfItems: section => sections[section].length,
                    window: (section, from, to) => sections[section].slice(from, to),
                    headerTitle: section => sections[section][0]?.toUpperCase(),
                    footerTitle: section => section === 0 ? "first" : null,
                });
                """
            )
            return try authored("sections", in: context) { "sections = \($0)" }
        case .swiftSeenFromScript:
            let source = TextSections()
            try context.showDataSource(source, named: "sections")
            try context.evaluate("globalThis.face = bridge.dataSource('sections')")
            return SourceAPI(
                inScriptOf: context,
                set: { source.sections = sections($0) },
                tell: { source.reloadBlock?($0) }
            )
        }
    }

    /// Returns a script's source, which changes by a statement and announces by its handle.
    private func authored(
        _ name: String,
        in context: JSContext,
        assign: @escaping ([[String]]) -> String
    ) throws -> SourceAPI {
        let source = try context.dataSource(named: name)
        let face = SourceAPI(of: source, text: \.stringValue, set: { _ in })
        return SourceAPI(
            numberOfSections: face.numberOfSections,
            numberOfItems: face.numberOfItems,
            item: face.item,
            next: face.next,
            header: face.header,
            footer: face.footer,
            listen: face.listen,
            received: face.received,
            set: { try context.evaluate(assign($0)) },
            tell: { try context.evaluate("handle.reload(\(Self.script($0)))") }
        )
    }

    private static func script(_ changes: ChangeSet) -> String {
        guard case .some(let list) = changes else { return "'all'" }
        return "[" + list.map(script).joined(separator: ", ") + "]"
    }

    private static func script(_ change: Change) -> String {
        let (kind, type): (String, ChangeType) =
            switch change {
            case .section(let type): ("section", type)
            case .item(let type): ("item", type)
            }
        func place(_ path: IndexPath) -> String {
            kind == "section" ? "\(path.section)" : "[\(path.section), \(path.item)]"
        }
        let rest =
            switch type {
            case .insert(let path): "type: 'insert', to: \(place(path))"
            case .delete(let path): "type: 'delete', from: \(place(path))"
            case .update(let path): "type: 'update', from: \(place(path))"
            case .move(let old, let new): "type: 'move', from: \(place(old)), to: \(place(new))"
            }
        return "{ kind: '\(kind)', \(rest) }"
    }
}
