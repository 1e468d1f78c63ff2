public import DataSources
public import Foundation
public import JavaScriptBridge

/// A data source that a script wrote, as Swift sees it: `bridge.registerDataSource(name, { ... })`.
///
/// It reads the script's object when asked, so it is used where it was made: inside
/// ``Bridge/withDataSource(_:_:)``. Whatever the script answers is checked: a negative or fractional count,
/// an answer that throws, a method that is none give 0 or `nil` here, and ``lastError`` says what was wrong.
/// A method that is missing has the default of a list: one section if it has items.
public final class ScriptDataSource: DataSource {
    /// The items are data of whatever shape the script gives.
    public typealias ItemType = Value

    /// The name that the script registered the source under.
    public let name: String
    /// What is called with a change set that the script announces, while this source exists.
    ///
    /// Of several sources of one name each is told, in the order in which they were made.
    public var reloadBlock: ReloadBlock?
    /// What was wrong with the last answer that was wrong.
    public private(set) var lastError: BridgeError?

    private let object: JSValue

    init(name: String, object: JSValue) {
        self.name = name
        self.object = object
    }

    /// The number of sections; 0 where the script's answer is no count.
    public var numberOfSections: Int {
        answer(0) {
            guard let count = try count("numberOfSections") else { return try itemCount(in: 0) > 0 ? 1 : 0 }
            return count
        }
    }

    /// The number of items of a section; 0 where there is no such section, or the script's answer is no
    /// count.
    public func numberOfItems(in section: Int) -> Int {
        answer(0) {
            guard section >= 0, try section < (count("numberOfSections") ?? 1) else { return 0 }
            return try itemCount(in: section)
        }
    }

    /// The item at a path, or `nil` where there is none.
    public func item(at indexPath: IndexPath) -> Value? {
        answer(nil) {
            guard indexPath.item >= 0, indexPath.item < numberOfItems(in: indexPath.section) else {
                return nil
            }
            return try read(indexPath.section, indexPath.item..<indexPath.item + 1).first
        }
    }

    /// Reads some items of a section in one call of the script; the part of the range that is not there is
    /// left out.
    ///
    /// - Throws: ``BridgeError`` that names the source and what was wrong with its answer.
    public func window(section: Int, _ range: Range<Int>) throws -> [Value] {
        guard section >= 0, try section < (count("numberOfSections") ?? 1) else { return [] }
        return try read(section, range.clamped(to: 0..<itemCount(in: section)))
    }

    /// Reads some items of a section as a Swift type.
    ///
    /// - Throws: ``BridgeError`` that names the source and what was wrong with its answer.
    public func window<Item: Decodable>(section: Int, _ range: Range<Int>, as type: Item.Type) throws
        -> [Item]
    {
        try window(section: section, range).map { try ValueDecoder().decode(type, from: $0) }
    }

    private func read(_ section: Int, _ range: Range<Int>) throws -> [Value] {
        guard !range.isEmpty else { return [] }
        let first = Value.integer(Int64(section))
        if let method = try method("window") {
            let arguments: [Value] = [
                first, .integer(Int64(range.lowerBound)), .integer(Int64(range.upperBound)),
            ]
            let answer = try call(method, "window", arguments)
            guard let rows = answer.arrayValue, rows.count == range.count else {
                throw wrong("window", "a list of \(range.count) items", answer)
            }
            return rows
        }
        guard let method = try method("item") else {
            throw BridgeError(
                .invalidArgument,
                "the data source '\(name)' has neither window(section, from, to) nor item(section, item)"
            )
        }
        return try range.map { try call(method, "item", [first, .integer(Int64($0))]) }
    }

    private func itemCount(in section: Int) throws -> Int {
        try count("numberOfItems", .integer(Int64(section))) ?? 0
    }

    /// A count: a number, or what a function of that name gives; `nil` where the source has none.
    private func count(_ member: String, _ arguments: Value...) throws -> Int? {
        let property = try object.forProperty(member)
        if property.isUndefined { return nil }
        let answer = property.isFunction ? try call(property, member, arguments) : try property.toValue()
        guard let count = answer.integerValue, count >= 0, count <= Int64(Int32.max) else {
            throw wrong(member, "a count", answer)
        }
        return Int(count)
    }

    private func method(_ name: String) throws -> JSValue? {
        let property = try object.forProperty(name)
        return property.isFunction ? property : nil
    }

    private func call(_ method: JSValue, _ name: String, _ arguments: [Value]) throws -> Value {
        let context = object.context
        do {
            let values = try arguments.map { try JSValue($0, in: context) }
            return try method.call(withArguments: values, this: object).toValue()
        } catch let error as JSException {
            throw BridgeError(
                error.isTermination ? .terminated : .handlerFailed,
                "the data source '\(self.name)' failed in \(name)",
                cause: BridgeError(error)
            )
        }
    }

    private func wrong(_ member: String, _ wanted: String, _ answer: Value) -> BridgeError {
        BridgeError(
            .decodeFailed,
            "the data source '\(name)' answered \(member) with \(answer.kind) \(answer.excerpt), not with \(wanted)"
        )
    }

    private func answer<Result>(_ fallback: Result, _ body: () throws -> Result) -> Result {
        do {
            return try body()
        } catch {
            lastError = BridgeError(wrapping: error)
            return fallback
        }
    }
}

@available(*, unavailable)
extension ScriptDataSource: Sendable {}

extension Bridge {
    /// Runs a body with a data source that a script registered, as one turn.
    ///
    /// - Throws: ``BridgeError`` with the code `handlerNotFound` where there is none of that name, or what
    ///   the body throws.
    public func withDataSource<Result: Sendable>(
        _ name: String,
        _ body: @Sendable (ScriptDataSource) throws -> Result
    ) async throws -> Result {
        try await withContext { context in try body(context.dataSource(named: name)) }
    }

    /// The names of the data sources that scripts registered.
    public func dataSourceNames() async throws -> [String] {
        try await withContext { context in
            try ValueDecoder().decode(from: context.internals.invokeMethod("dataSourceNames").toValue())
        }
    }
}

extension JSContext {
    /// A data source that a script of this context registered.
    ///
    /// - Throws: ``BridgeError`` with the code `handlerNotFound` where there is none of that name.
    public func dataSource(named name: String) throws -> ScriptDataSource {
        try withTurn {
            let object = try internals.invokeMethod(
                "dataSource",
                withArguments: [JSValue(.string(name), in: self)]
            )
            guard object.isObject else {
                throw BridgeError(.handlerNotFound, "no data source has the name '\(name)'")
            }
            let source = ScriptDataSource(name: name, object: object)
            // Says whether the source is still there; without an argument that is all it does.
            let announce = makeHostFunction { [weak source] call in
                guard let source else { return false }
                if call.count > 0 { source.reloadBlock?(try ChangeSet(call.value(at: 0))) }
                return true
            }
            try internals.invokeMethod(
                "followDataSource",
                withArguments: [JSValue(.string(name), in: self), announce]
            )
            return source
        }
    }
}
