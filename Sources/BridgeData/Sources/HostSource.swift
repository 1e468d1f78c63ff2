internal import BridgeValues
public import DataSources
internal import Foundation
public import JavaScriptBridge

/// A data source of Swift for scripts, with any type of items.
final class HostSource {
    let numberOfSections: () -> Int
    let numberOfItems: (Int) -> Int
    let item: (IndexPath) throws -> Value?
    let next: (IndexPath) -> IndexPath?
    let headerTitle: (Int) -> String?
    let footerTitle: (Int) -> String?
    /// The source as a restorable one, if it is.
    let restorable: (any RestorableSource)?
    /// The store version of a fetched source; `nil` for others.
    let version: () -> Int?
    private let controller: FetchedResultsController?
    private let names: (any DataSourceModelAssociation)?
    private let follow: (ReloadBlock?) -> Void
    private struct Listener {
        let function: JSHandle
        let isGranted: () -> Bool
    }

    /// The script's listeners, by the identity of the handle that listens.
    private var listeners: [ObjectIdentifier: Listener] = [:]
    private unowned let context: JSContext

    init<Source: DataSource>(
        _ source: Source,
        in context: JSContext,
        encode: @escaping (Source.ItemType) throws -> Value
    ) {
        self.context = context
        numberOfSections = { source.numberOfSections }
        numberOfItems = { source.numberOfItems(in: $0) }
        item = { path in try source.item(at: path).map(encode) }
        next = { source.indexPath(after: $0) }
        let sectioned = source as? any SectionedDataSource
        let fetched = source as? FetchedSource
        headerTitle = { sectioned?.headerTitle(for: $0) ?? fetched?.headerTitle(for: $0) }
        footerTitle = { sectioned?.footerTitle(for: $0) }
        restorable = (source as? any RestorableSource) ?? fetched?.fetchedResultsController
        names = restorable ?? (source as? any DataSourceModelAssociation)
        controller = (source as? any FetchedDataSource)?.fetchedResultsController
        version = { [controller] in controller?.version }
        // The reload block that was set before is still called.
        let before = source.reloadBlock
        follow = { block in
            source.reloadBlock =
                block.map { block in
                    { changes in
                        before?(changes)
                        block(changes)
                    }
                } ?? before
        }
    }

    /// Returns the path of an item by a row's id, or by an identifier in the form of `saveState`.
    ///
    /// - Throws: ``BridgeError`` with `unsupported` if the source's items have no identities.
    func path(of id: Value) throws -> IndexPath? {
        if case .bigInt(let digits) = id, let number = Int64(digits) {
            return try path(of: .integer(number))
        }
        if let controller, let rowID = id.integerValue { return controller.indexPath(forObject: rowID) }
        guard let names else { throw Self.withoutIdentities }
        guard let name = id.stringValue ?? id.integerValue.map({ String($0) }) else { return nil }
        return names.indexPathForElement(
            withModelIdentifier: name,
            in: RowsView(counts: [], viewportLength: 0)
        )
    }

    static var withoutIdentities: BridgeError {
        BridgeError(
            .unsupported,
            """
            the items of this data source have no identities: the host's source must conform to RestorableSource, or \
            to DataSourceModelAssociation for indexOf alone
            """
        )
    }

    /// Sets the listener of one handle of a script; `nil` removes it.
    ///
    /// A listener is not called while it is not granted.
    func setListener(
        _ listener: JSHandle?,
        for handle: AnyObject,
        isGranted: @escaping () -> Bool = { true }
    ) {
        listeners[ObjectIdentifier(handle)] = listener.map { Listener(function: $0, isGranted: isGranted) }
        guard !listeners.isEmpty else { return follow(nil) }
        follow { [weak self] in self?.tell($0) }
    }

    private func tell(_ changes: ChangeSet) {
        do {
            try context.withTurn {
                let value = try JSValue(changes.value, in: context)
                try context.withoutOrigin {
                    for listener in listeners.values where listener.isGranted() {
                        try context.value(of: listener.function).call(withArguments: [value])
                    }
                }
            }
        } catch let error as JSException where !error.isTermination {
            context.reportUncaught(error)
        } catch {
            // The turn was stopped, which it reports itself.
        }
    }
}

/// A script's reference to a data source of the host.
final class HostSourceHandle {
    let source: HostSource
    /// The name that the script opened it with.
    let name: String

    init(_ source: HostSource, named name: String) {
        self.source = source
        self.name = name
    }
}

extension ChangeSet {
    /// The changes as scripts read them: `'all'`, or an array of `{ kind, type, from, to }`.
    var value: Value {
        guard case .some(let changes) = self else { return "all" }
        return .array(changes.map(\.value))
    }
}

extension Change {
    fileprivate var value: Value {
        switch self {
        case .section(let type): type.value(kind: "section") { .integer(Int64($0.section)) }
        case .item(let type):
            type.value(kind: "item") {
                ["section": .integer(Int64($0.section)), "item": .integer(Int64($0.item))]
            }
        }
    }
}

extension ChangeType {
    fileprivate func value(kind: String, place: (IndexPath) -> Value) -> Value {
        switch self {
        case .insert(let path): ["kind": .string(kind), "type": "insert", "to": place(path)]
        case .delete(let path): ["kind": .string(kind), "type": "delete", "from": place(path)]
        case .move(let old, let new):
            ["kind": .string(kind), "type": "move", "from": place(old), "to": place(new)]
        case .update(let path): ["kind": .string(kind), "type": "update", "from": place(path)]
        }
    }
}

extension DataSession {
    func installSources(on functions: JSValue, in context: JSContext) throws {
        try defineReturningValue("openSource", on: functions, in: context) { call in
            let name = call.string(at: 0) ?? ""
            try self.guarding.requireSource(.read, name)
            guard let source = self.hostSources[name] else {
                let known = self.hostSources.keys.filter { self.guarding.mayKnow(source: $0) }.sorted()
                    .joined(separator: ", ")
                throw BridgeError(
                    .handlerNotFound,
                    "the host shows no data source '\(name)'; it shows \(known.isEmpty ? "none" : known)"
                )
            }
            return call.context.makeHandle(HostSourceHandle(source, named: name))
        }
        try define("sourceSections", on: functions, in: context) { call in
            .integer(Int64(try self.source(call).numberOfSections()))
        }
        try define("sourceItems", on: functions, in: context) { call in
            guard let section = call.index(at: 1) else { return 0 }
            return .integer(Int64(try self.source(call).numberOfItems(section)))
        }
        try define("sourceItem", on: functions, in: context) { call in
            guard let section = call.index(at: 1), let item = call.index(at: 2) else { return .undefined }
            return try self.source(call).item(IndexPath(item: item, section: section)) ?? .undefined
        }
        try define("sourceWindow", on: functions, in: context) { call in
            let source = try self.source(call)
            guard let section = call.index(at: 1) else { return [] }
            var meter = WorkMeter()
            return .array(
                try call.window(at: 2).clamped(to: 0..<source.numberOfItems(section)).map { item in
                    // Encoding an item takes as long as some tens of short steps.
                    try meter.step(32)
                    return try source.item(IndexPath(item: item, section: section)) ?? .undefined
                }
            )
        }
        try define("sourceAfter", on: functions, in: context) { call in
            guard let section = call.index(at: 1), let item = call.index(at: 2),
                let path = try self.source(call).next(IndexPath(item: item, section: section))
            else { return .undefined }
            return ["section": .integer(Int64(path.section)), "item": .integer(Int64(path.item))]
        }
        try define("sourceIndexOf", on: functions, in: context) { call in
            guard let path = try self.source(call).path(of: call.value(at: 1)) else { return .undefined }
            return ["section": .integer(Int64(path.section)), "item": .integer(Int64(path.item))]
        }
        try define("sourceVersion", on: functions, in: context) { call in
            try self.source(call).version().map { .integer(Int64($0)) } ?? .undefined
        }
        try define("sourceTitle", on: functions, in: context) { call in
            guard let section = call.index(at: 1) else { return .undefined }
            let source = try self.source(call)
            let title = call.double(at: 2) == 0 ? source.headerTitle(section) : source.footerTitle(section)
            return title.map(Value.string) ?? .undefined
        }
        try define("followSource", on: functions, in: context) { call in
            guard let handle = call.handle(at: 0, as: HostSourceHandle.self) else { return .undefined }
            guard call.count > 1 else {
                handle.source.setListener(nil, for: handle)
                return .undefined
            }
            try self.guarding.requireSource(.observe, handle.name)
            let (guarding, name) = (self.guarding, handle.name)
            handle.source.setListener(JSHandle(call.jsValue(at: 1)), for: handle) {
                guarding.mayObserveSource(name)
            }
            return .undefined
        }
    }

    func source(_ call: HostCall, _ operation: DataOperation = .read) throws -> HostSource {
        guard let handle = call.handle(at: 0, as: HostSourceHandle.self) else {
            throw BridgeError(.invalidArgument, "not a data source of the host")
        }
        try guarding.requireSource(operation, handle.name)
        return handle.source
    }
}

extension JSContext {
    /// Shows a data source to the scripts of this context, which open it with `bridge.dataSource(name)`.
    ///
    /// The source is used inside turns of this context, where it must have been created. It is retained until another
    /// source gets its name. Its reload block is replaced while a script listens; the block that it has now is still
    /// called.
    ///
    /// - Throws: ``BridgeError`` with the code `unsupported` if the bridge was created without data.
    public func showDataSource<Source: DataSource>(_ source: Source, named name: String) throws
    where Source.ItemType: Encodable {
        let encoder = ValueEncoder()
        try show(HostSource(source, in: self) { try encoder.encode($0) }, named: name)
    }

    /// Shows a fetched data source to the scripts of this context; its rows have the form of a query's rows.
    ///
    /// See the method for other data sources. The changes of its controller are processed on the isolation of this
    /// context.
    public func showDataSource<Source: FetchedDataSource>(_ source: Source, named name: String) throws {
        try show(HostSource(source, in: self) { $0.value }, named: name)
    }

    private func show(_ source: HostSource, named name: String) throws {
        try withTurn {
            let taker = try internals.forProperty("dataSession")
            var session: DataSession?
            let look = makeHostFunction { call in
                session = call.handle(at: 0, as: DataSession.self)
                return .undefined
            }
            if taker.isObject { try look.call(withArguments: [taker]) }
            guard let session else {
                throw BridgeError(
                    .unsupported,
                    "the bridge was made without data: Bridge(data:) makes one with it"
                )
            }
            session.hostSources[name] = source
            session.connection.noteSource(name)
        }
    }
}
