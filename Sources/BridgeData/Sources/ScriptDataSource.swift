internal import BridgeValues
public import DataSources
public import Foundation
public import JavaScriptBridge

/// A data source that a script registered with `bridge.registerDataSource(name, { ...
///
/// })`.
///
/// It calls the script's object for every read, so it is used only where it was created: inside
/// ``Bridge/withDataSource(_:_:)``. Use a ``DataSourceMirror`` elsewhere. Every answer of the script is checked. A
/// negative or fractional count, an array of another length, and a function or getter that throws result in 0 or `nil`,
/// and ``lastError`` has the reason. A missing member has the default of a list: one section if it has items.
///
/// Changes that the script announces are checked too: they must lead from the counts before to the counts after.
/// Otherwise they are reported as `.all`, and ``lastError`` has the reason.
public final class ScriptDataSource: DataSource {
    /// The type of the items: data of any shape.
    public typealias ItemType = Value

    /// The name that the script registered the source under.
    public let name: String
    /// The closure that is called with a change set that the script announces, while this source exists.
    ///
    /// If several sources have the same name, all of them are notified, in the order of their creation.
    public var reloadBlock: ReloadBlock? {
        didSet { if reloadBlock != nil, knownCounts == nil { knownCounts = try? counts() } }
    }
    /// The reason why the last invalid answer was rejected.
    public private(set) var lastError: BridgeError?

    let entry: JSValue
    /// The counts after the last change set, which the next one starts from.
    private var knownCounts: [Int]?
    private lazy var askNumberOfSections: () throws -> Int = function("numberOfSections").typed()
    private lazy var askNumberOfItems: (Int) throws -> Int = function("numberOfItems").typed()
    // The readers of windows, by item type.
    private var readers: [ObjectIdentifier: Any] = [:]

    package init(name: String, entry: JSValue) {
        self.name = name
        self.entry = entry
    }

    /// The number of sections; 0 if the script's answer is not a count, or exceeds the limit of 100,000.
    public var numberOfSections: Int {
        answer(0) {
            let count = try askNumberOfSections()
            guard count <= Self.maximumSections else {
                throw BridgeError(
                    .decodeFailed,
                    "the data source '\(name)' answered numberOfSections with \(count), "
                        + "not with a count up to \(Self.maximumSections)"
                )
            }
            return count
        }
    }

    private static let maximumSections = 100_000

    /// Returns the number of items of a section, or 0 for an index out of range or an answer that is not a count.
    public func numberOfItems(in section: Int) -> Int { answer(0) { try askNumberOfItems(section) } }

    /// Returns the item at a path, or `nil` if none exists.
    public func item(at indexPath: IndexPath) -> Value? {
        let (section, item) = (indexPath.section, indexPath.item)
        guard section >= 0, item >= 0, item < Int.max else { return nil }
        return answer(nil) { try window(section: section, item..<item + 1).first }
    }

    /// Returns the title above a section, or `nil` if none exists.
    public func headerTitle(for section: Int) -> String? { title("headerTitle", section) }

    /// Returns the title below a section, or `nil` if none exists.
    public func footerTitle(for section: Int) -> String? { title("footerTitle", section) }

    /// Reads some items of a section in one call of the script, without the part of the range that is out of bounds.
    ///
    /// - Throws: ``BridgeError`` with the name of the source and the reason why its answer is invalid.
    public func window(section: Int, _ range: Range<Int>) throws -> [Value] {
        try window(section: section, range, as: Value.self)
    }

    /// Reads some items of a section as a Swift type.
    ///
    /// The items' members are decoded directly into the type, without an intermediate value or string: 60 rows of four
    /// members take about 20 us (measured).
    ///
    /// - Throws: ``BridgeError`` with the name of the source and the reason why its answer is invalid.
    public func window<Item: Decodable>(section: Int, _ range: Range<Int>, as type: Item.Type) throws
        -> [Item]
    {
        try naming {
            guard section >= 0, range.upperBound > 0 else { return [] }
            // Numbers of scripts beyond 2^53 are not exact; items at such positions cannot exist anyway.
            let range = range.clamped(to: 0..<Int(Int32.max))
            let rows = try reader(for: type)(section, range.lowerBound, range.upperBound)
            guard rows.count <= range.count else {
                throw BridgeError(
                    .decodeFailed,
                    "the data source '\(name)' answered window with \(rows.count) items, not with \(range.count)"
                )
            }
            return rows
        }
    }

    /// Returns the counts of all sections, in one call.
    ///
    /// - Throws: ``BridgeError`` with the name of the source and the reason why its answer is invalid.
    public func counts() throws -> [Int] {
        try naming { try entry.invokeMethod("counts").decode([Int].self) }
    }

    // MARK: - Changes

    /// Handles the script's announcement.
    func receive(_ changes: ChangeSet) {
        guard let reloadBlock else { return }
        let before = knownCounts
        do {
            let after = try counts()
            knownCounts = after
            if let before { try changes.requireCounts(from: before, to: after, of: name) }
            reloadBlock(changes)
        } catch {
            // The announcement cannot be trusted, so the view reads everything again.
            lastError = BridgeError(wrapping: error)
            reloadBlock(.all)
        }
    }

    // MARK: - Calls of the script

    private func function(_ name: String) -> JSFunction {
        do {
            return try entry.method(name)
        } catch {
            preconditionFailure("the package's own script has no function '\(name)': \(error)")
        }
    }

    private func reader<Item: Decodable>(for type: Item.Type) throws -> (Int, Int, Int) throws -> [Item] {
        let id = ObjectIdentifier(type)
        if let reader = readers[id] as? (Int, Int, Int) throws -> [Item] { return reader }
        let reader: (Int, Int, Int) throws -> [Item] = function("window").typed()
        readers[id] = reader
        return reader
    }

    private func title(_ member: String, _ section: Int) -> String? {
        answer(nil) { try ask("title", .string(member), .integer(Int64(section))).stringValue }
    }

    /// Converts errors of the package's script into ``BridgeError``, and adds the name of the source if a type did not
    /// match.
    private func naming<Result>(_ body: () throws -> Result) throws -> Result {
        do {
            return try body()
        } catch let error as BridgeError
            where error.code == .decodeFailed && !error.message.hasPrefix("the data source")
        {
            throw BridgeError(
                .decodeFailed,
                "the data source '\(name)' returned invalid items: \(error.message)",
                cause: error
            )
        } catch let error as JSException
            where !error.isTermination && !error.message.hasPrefix("the data source")
        {
            throw BridgeError(
                .handlerFailed,
                "the data source '\(name)' failed while its answer was read: \(error.message)",
                cause: BridgeError(wrapping: error)
            )
        } catch {
            throw BridgeError(wrapping: error)
        }
    }

    /// Calls a function of the entry.
    func ask(_ member: String, _ arguments: Value...) throws -> Value {
        let context = entry.context
        return try entry.invokeMethod(
            member,
            withArguments: arguments.map { try JSValue($0, in: context) }
        ).toValue()
    }

    /// Returns the result of a closure, or a fallback if the script's answer is invalid, which ``lastError`` records.
    ///
    /// After the end of the turn the script is not called any more.
    func answer<Result>(_ fallback: Result, _ body: () throws -> Result) -> Result {
        do {
            try WorkLimit.check()
            return try naming(body)
        } catch {
            lastError = BridgeError(wrapping: error)
            return fallback
        }
    }
}

@available(*, unavailable)
extension ScriptDataSource: Sendable {}

extension JSValue {
    /// Returns a method bound to this value.
    fileprivate func method(_ name: String) throws -> JSFunction {
        try JSFunction(
            context.internals.invokeMethod(
                "bindMethod",
                withArguments: [self, JSValue(.string(name), in: context)]
            )
        )
    }
}

extension JSContext {
    /// Returns a data source that a script of this context registered.
    ///
    /// - Throws: ``BridgeError`` with the code `handlerNotFound` if no source has the name.
    public func dataSource(named name: String) throws -> ScriptDataSource {
        try withTurn {
            let source = try scriptDataSource(named: name)
            // Returns whether the source still exists; without an argument this is the only effect.
            let announce = makeHostFunction { [weak source] call in
                guard let source else { return false }
                if call.count > 0 { source.receive(try ChangeSet(announcedBy: call)) }
                return true
            }
            try source.entry.invokeMethod("follow", withArguments: [announce])
            return source
        }
    }

    /// Returns the same data source, without notifications.
    func scriptDataSource(named name: String) throws -> ScriptDataSource {
        let entry = try internals.invokeMethod(
            "dataSource",
            withArguments: [JSValue(.string(name), in: self)]
        )
        guard entry.isObject else {
            throw BridgeError(.handlerNotFound, "no data source has the name '\(name)'")
        }
        return ScriptDataSource(name: name, entry: entry)
    }
}
