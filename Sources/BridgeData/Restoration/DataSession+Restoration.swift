internal import BridgeValues
internal import DataSources
internal import Foundation
internal import JavaScriptBridge
internal import Stores

extension DataSession {
    /// Installs the functions behind `saveState` and `restoreState`: for a query, for a script's own source, and for
    /// one that the host shows.
    func installRestoration(on functions: JSValue, in context: JSContext) throws {
        try define("saveState", on: functions, in: context) { call in
            let query = try self.query(call)
            let controller = try self.refreshed(call)
            if let store = query.store { try self.require(.export, of: query, store) }
            return try Self.saved(controller, view: call.value(at: 1))
        }
        try define("restoreState", on: functions, in: context) { call in
            try Self.restored(self.refreshed(call), from: call.value(at: 1), view: call.value(at: 2))
        }
        try define("saveSourceState", on: functions, in: context) { call in
            let source = ScriptDataSource(name: call.string(at: 0) ?? "", entry: call.jsValue(at: 1))
            let view = try call.value(at: 2)
            return try source.throwingItsErrors { try Self.saved(source, view: view) }
        }
        try define("restoreSourceState", on: functions, in: context) { call in
            let source = ScriptDataSource(name: call.string(at: 0) ?? "", entry: call.jsValue(at: 1))
            let (archive, view) = (try call.value(at: 2), try call.value(at: 3))
            return try source.throwingItsErrors { try Self.restored(source, from: archive, view: view) }
        }
        try define("saveHostState", on: functions, in: context) { call in
            try Self.saved(self.restorable(call, .export), view: call.value(at: 1))
        }
        try define("restoreHostState", on: functions, in: context) { call in
            try Self.restored(self.restorable(call, .read), from: call.value(at: 1), view: call.value(at: 2))
        }
    }

    private func restorable(_ call: HostCall, _ operation: DataOperation) throws -> any RestorableSource {
        guard let source = try source(call, operation).restorable else { throw HostSource.withoutIdentities }
        return source
    }

    private static func saved(_ source: any RestorableSource, view: Value) throws -> Value {
        let view = try ScriptView(view)
        var archive = source.savedState(of: try view.rows(of: source), marks: view.marks)
        archive.values = view.values
        return try JSONDecoder().decode(Value.self, from: archive.json())
    }

    private static func restored(
        _ source: any RestorableSource,
        from archive: Value,
        view: Value
    ) throws -> Value {
        let view = try ScriptView(view)
        do {
            let archive = try StateArchive(json: json(archive))
            let state = try source.restoredState(
                from: archive,
                in: view.rows(of: source),
                policy: view.policy,
                knownSchemas: view.knownSchemas
            )
            return state?.value ?? .undefined
        } catch let error as StateArchiveError {
            throw BridgeError(BridgeErrorCode(rawValue: "state.\(error.name)"), error.description)
        }
    }

    /// Returns an archive as JSON; scripts pass it as `saveState` returned it, or as a string.
    private static func json(_ value: Value) throws -> Data {
        if let text = value.stringValue { return Data(text.utf8) }
        do {
            return try JSONEncoder().encode(value)
        } catch {
            throw StateArchiveError.unreadable("it has a number that JSON cannot represent")
        }
    }
}

/// A view as a script describes it: rows of one height, in any unit.
private struct ScriptView {
    var marks = RestorableMarks()
    var values: [String: AttributeValue] = [:]
    var policy = RestorationPolicy.allow
    var knownSchemas: [String] = []
    private let rowHeight: Double
    private let headerHeight: Double
    private let height: Double
    private let offset: Double

    init(_ value: Value) throws {
        guard value.objectValue != nil else {
            throw BridgeError(
                .invalidArgument,
                "a view is an object with height and offset, not \(value.kind)"
            )
        }
        func length(_ name: String, _ usual: Double) throws -> Double {
            if value[name].isNil { return usual }
            guard let number = value[name].doubleValue, number.isFinite, number >= 0 else {
                throw BridgeError(.invalidArgument, "a view's \(name) is a number from 0 on")
            }
            return number
        }
        rowHeight = try length("rowHeight", 1)
        headerHeight = try length("headerHeight", 0)
        height = try length("height", 0)
        offset = try length("offset", 0)
        guard rowHeight > 0 else { throw BridgeError(.invalidArgument, "a view's rowHeight is more than 0") }
        let others = value["allExcept"]
        marks.selectsAllExcept = !others.isNil
        marks.selection = try Self.paths(others.isNil ? value["selection"] : others)
        marks.focus = value["focus"].isNil ? nil : try Self.path(value["focus"])
        marks.expanded = try Self.texts(value["expanded"], "expanded")
        knownSchemas = try Self.texts(value["knownSchemas"], "knownSchemas")
        for member in value["values"].objectValue ?? ValueObject() {
            values[member.key] = try Self.kept(member.value, member.key)
        }
        if let name = value["policy"].stringValue {
            guard let known = RestorationPolicy(rawValue: name) else {
                let names = RestorationPolicy.allCases.map(\.rawValue).joined(separator: ", ")
                throw BridgeError(.invalidArgument, "a policy is one of \(names), not '\(name)'")
            }
            policy = known
        }
    }

    private static let mostSections = 100_000

    func rows(of source: any RestorableSource) throws -> RowsView {
        let sections = source.numberOfSections
        guard sections <= Self.mostSections else {
            throw BridgeError(
                .invalidArgument,
                "the source has too many sections for a view: \(sections) (limit \(Self.mostSections))"
            )
        }
        return RowsView(
            counts: try (0..<sections).map { section in
                try WorkLimit.check()
                return source.numberOfItems(in: section)
            },
            rowLength: rowHeight,
            headerLength: headerHeight,
            viewportLength: height,
            contentOffset: offset
        )
    }

    private static func path(_ value: Value) throws -> IndexPath {
        guard let section = value["section"].doubleValue.flatMap({ Int(exactly: $0) }),
            let item = value["item"].doubleValue.flatMap({ Int(exactly: $0) })
        else { throw BridgeError(.invalidArgument, "a path is { section, item }") }
        return IndexPath(item: item, section: section)
    }

    private static func paths(_ value: Value) throws -> [IndexPath] {
        try (value.arrayValue ?? []).map { try path($0) }
    }

    private static func texts(_ value: Value, _ name: String) throws -> [String] {
        try (value.arrayValue ?? []).map { element in
            guard let text = element.stringValue else {
                throw BridgeError(.invalidArgument, "a view's \(name) is an array of strings")
            }
            return text
        }
    }

    private static func kept(_ value: Value, _ name: String) throws -> AttributeValue {
        switch value {
        case .undefined, .null: return .null
        case .bool(let flag): return .boolean(flag)
        case .integer(let number): return .integer(number)
        case .double(let number): return .double(number)
        case .string(let text): return .string(text)
        case .date(let date): return .date(date)
        case .bytes(let bytes): return .data(bytes)
        default:
            throw BridgeError(.invalidArgument, "values.\(name) must be a single value, not \(value.kind)")
        }
    }
}

extension RestoredState {
    fileprivate var value: Value {
        [
            "rule": .string(rule.rawValue), "path": indexPath?.value ?? .undefined,
            "offset": .number(contentOffset), "isClamped": .bool(isClamped),
            marks.selectsAllExcept ? "allExcept" : "selection": .array(marks.selection.map(\.value)),
            "focus": marks.focus?.value ?? .undefined,
            "expanded": .array(marks.expanded.map { .string($0) }), "missing": .integer(Int64(missing)),
            "values": .object(
                ValueObject(values.sorted { $0.key < $1.key }.map { ($0.key, $0.value.value) })
            ),
        ]
    }
}

extension IndexPath {
    fileprivate var value: Value { ["section": .integer(Int64(section)), "item": .integer(Int64(item))] }
}

extension StateArchiveError {
    /// The error's name for scripts.
    fileprivate var name: String {
        switch self {
        case .unreadable: "unreadable"
        case .unknownVersion: "unknownVersion"
        case .unknownSchema: "unknownSchema"
        case .tooLarge: "tooLarge"
        }
    }
}
