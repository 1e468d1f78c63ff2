internal import BridgeValues
public import DataSources
public import Foundation
public import JavaScriptBridge

/// A data source that a script wrote, as Swift sees it: `bridge.registerDataSource(name, { ... })`.
///
/// It reads the script's object when asked, so it is used where it was made: inside
/// ``Bridge/withDataSource(_:_:)``. A ``DataSourceMirror`` is for everywhere else. Whatever the script answers
/// is checked: a negative or fractional count, a list of another length, an answer that throws, a getter that does
/// give 0 or `nil` here, and ``lastError`` says what was wrong. A member that is missing has the default of a list:
/// one section if it has items.
///
/// Changes that the script announces are checked too: they must lead from the counts before to the counts after.
/// Changes that do not are told as `.all`, and ``lastError`` names them.
public final class ScriptDataSource: DataSource {
    /// The items are data of whatever shape the script gives.
    public typealias ItemType = Value

    /// The name that the script registered the source under.
    public let name: String
    /// What is called with a change set that the script announces, while this source exists.
    ///
    /// Of several sources of one name each is told, in the order in which they were made.
    public var reloadBlock: ReloadBlock? {
        didSet { if reloadBlock != nil, knownCounts == nil { knownCounts = try? counts() } }
    }
    /// What was wrong with the last answer that was wrong.
    public private(set) var lastError: BridgeError?

    let entry: JSValue
    /// The counts that the last change set led to: what the next one begins with.
    private var knownCounts: [Int]?
    private lazy var askNumberOfSections: () throws -> Int = function("numberOfSections").typed()
    private lazy var askNumberOfItems: (Int) throws -> Int = function("numberOfItems").typed()
    private lazy var askWindow: (Int, Int, Int) throws -> Value = function("window").typed()
    // The readers of windows as Swift types, by type.
    private var readers: [ObjectIdentifier: Any] = [:]

    init(name: String, entry: JSValue) {
        self.name = name
        self.entry = entry
    }

    /// The number of sections; 0 where the script's answer is no count, or more than the 100,000 whose counts are asked
    /// for.
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

    /// The number of items of a section; 0 where there is no such section, or the script's answer is no
    /// count.
    public func numberOfItems(in section: Int) -> Int { answer(0) { try askNumberOfItems(section) } }

    /// The item at a path, or `nil` where there is none.
    public func item(at indexPath: IndexPath) -> Value? {
        let (section, item) = (indexPath.section, indexPath.item)
        guard section >= 0, item >= 0, item < Int.max else { return nil }
        return answer(nil) { try window(section: section, item..<item + 1).first }
    }

    /// The title above a section, or `nil` where there is none.
    public func headerTitle(for section: Int) -> String? { title("headerTitle", section) }

    /// The title below a section, or `nil` where there is none.
    public func footerTitle(for section: Int) -> String? { title("footerTitle", section) }

    /// Reads some items of a section in one call of the script; the part of the range that is not there is
    /// left out.
    ///
    /// - Throws: ``BridgeError`` that names the source and what was wrong with its answer.
    public func window(section: Int, _ range: Range<Int>) throws -> [Value] {
        try window(section: section, range, as: Value.self)
    }

    /// Reads some items of a section as a Swift type.
    ///
    /// The items' members are read one by one as the type wants them, without a value or a text in between: 60 rows
    /// of four members take about 20 us (measured).
    ///
    /// - Throws: ``BridgeError`` that names the source and what was wrong with its answer.
    public func window<Item: Decodable>(section: Int, _ range: Range<Int>, as type: Item.Type) throws
        -> [Item]
    {
        try naming {
            guard section >= 0, range.upperBound > 0 else { return [] }
            // Beyond 2^53 numbers of the script are not exact; there are no items there anyway.
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

    /// The counts of all sections, in one call.
    ///
    /// - Throws: ``BridgeError`` that names the source and what was wrong with its answer.
    public func counts() throws -> [Int] {
        try naming { try entry.invokeMethod("counts").decode([Int].self) }
    }

    // MARK: - Changes

    /// Takes what the script announces.
    func receive(_ changes: ChangeSet) {
        guard let reloadBlock else { return }
        let before = knownCounts
        do {
            let after = try counts()
            knownCounts = after
            if let before { try changes.requireCounts(from: before, to: after, of: name) }
            reloadBlock(changes)
        } catch {
            // Nothing that the script says of the way is to be trusted: the view reads everything again.
            lastError = BridgeError(wrapping: error)
            reloadBlock(.all)
        }
    }

    // MARK: - Asking

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

    /// Makes an error of this vocabulary of what the package's script says, and names the source where a type did not
    /// fit.
    private func naming<Result>(_ body: () throws -> Result) throws -> Result {
        do {
            return try body()
        } catch let error as BridgeError
            where error.code == .decodeFailed && !error.message.hasPrefix("the data source")
        {
            throw BridgeError(
                .decodeFailed,
                "the data source '\(name)' gave other items: \(error.message)",
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

    /// Asks a function of the entry.
    func ask(_ member: String, _ arguments: Value...) throws -> Value {
        let context = entry.context
        return try entry.invokeMethod(
            member,
            withArguments: arguments.map { try JSValue($0, in: context) }
        ).toValue()
    }

    /// What a body gives, or something else where the script's answer is wrong, which is noted.
    ///
    /// Where the turn is over nothing is asked any more.
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
    /// A method with this value as `this`.
    fileprivate func method(_ name: String) throws -> JSFunction {
        try JSFunction(
            context.internals.invokeMethod(
                "bindMethod",
                withArguments: [self, JSValue(.string(name), in: context)]
            )
        )
    }
}

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
            let source = try scriptDataSource(named: name)
            // Says whether the source is still there; without an argument that is all it does.
            let announce = makeHostFunction { [weak source] call in
                guard let source else { return false }
                if call.count > 0 { source.receive(try ChangeSet(call.value(at: 0))) }
                return true
            }
            try source.entry.invokeMethod("follow", withArguments: [announce])
            return source
        }
    }

    /// The same, told of nothing.
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
