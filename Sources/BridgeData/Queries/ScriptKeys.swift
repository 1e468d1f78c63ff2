internal import BridgeValues
internal import DataSources
internal import Foundation
internal import JavaScriptBridge
internal import Stores

/// The keys that a script's functions compute for rows: called once for each version of a row, and cached.
///
/// Rows are passed to the script in chunks, as columns. Keys are returned one by one and never converted to Swift
/// values. The cache of a row is the bytes of its keys, in sequence.
final class ScriptKeys: ComputedKeys {
    /// The number of rows in a chunk.
    private static let chunkSize = 4096

    private let access: EntityAccess
    private var entity: EntityDescription { access.entity }
    let identities: [String?]
    private var keyCount: Int { identities.count }
    private let hasFilter: Bool
    private let compute: JSHandle
    private unowned let context: JSContext
    private unowned let session: DataSession
    private var receiver: JSHandle?

    private(set) var failure: (any Error)?
    /// A Boolean value that indicates whether the script's functions are running, so that the order is incomplete.
    private(set) var isComputing = false

    // The cache: the position of each row's record, which has a length and the keys. If rows can be computed again
    // without a change of their own, because of related rows, the rows that the filter left out are recorded too.
    private var places: [RowID: Int] = [:]
    private var arena = OrderKeyBuffer()
    private var wasted = 0

    // The keys that the script passes while it runs.
    private var taken = ChunkKeys()

    /// Creates keys that a function computes, which is called with a receiver and the parts of a chunk.
    init(
        _ access: EntityAccess,
        identities: [String?],
        hasFilter: Bool,
        compute: JSValue,
        session: DataSession
    ) {
        self.access = access
        self.identities = identities
        self.hasFilter = hasFilter
        self.compute = JSHandle(compute)
        self.session = session
        context = compute.context
        receiver = JSHandle(
            context.makeHostFunction { [weak self] call in
                try self?.take(call)
                return .undefined
            }
        )
    }

    /// Returns the name of a key, as the package's script spells it; no attribute can have such a name.
    static func name(of key: Int) -> String { "\u{0}\(key)" }

    /// Returns whether a key has the name of a computed one.
    static func isName(_ key: String) -> Bool { key.utf8.first == 0 }

    /// Returns the identity of a function.
    ///
    /// It is `name()` for a function with a name, else a hash of its source, `#1f2e3d()`. It is `nil` for a function
    /// without readable source, such as a bound one.
    ///
    /// - Parameter described: The function as the package's script describes it.
    /// - Returns: The identity.
    static func identity(_ described: String) -> String? {
        guard described.hasPrefix("=") else { return described }
        guard !described.contains("[native code]") else { return nil }
        let hash = Array(described.utf8).withUnsafeBytes(OrderImage.checksum)
        return "#\(String(hash, radix: 16))()"
    }

    private static let leftOut = -1

    var attributes: [AttributeDescription] {
        (0..<keyCount).map { AttributeDescription(Self.name(of: $0), .double) }
    }

    func hasKeys(of id: RowID) -> Bool { places[id] ?? Self.leftOut != Self.leftOut }

    func keys(of id: RowID) -> [AttributeValue]? {
        guard let place = places[id], place != Self.leftOut else { return nil }
        let bytes = record(at: place)
        return OrderKeyFormat.computedValues(bytes, count: keyCount)
    }

    // MARK: - All rows

    func order(
        of plan: FetchPlan,
        in transaction: any ReadTransaction,
        related: [RowID: [AttributeValue]]
    ) throws -> (order: OrderIndex, sections: OrderSections) {
        failure = nil
        places = [:]
        arena.removeAll()
        wasted = 0
        do {
            return try orderAll(plan, transaction, related)
        } catch {
            failure = error
            // The keys so far may be as large as the limit.
            places = [:]
            arena = OrderKeyBuffer()
            wasted = 0
            taken = ChunkKeys()
            throw error
        }
    }

    private func orderAll(
        _ plan: FetchPlan,
        _ transaction: any ReadTransaction,
        _ related: [RowID: [AttributeValue]]
    ) throws -> (order: OrderIndex, sections: OrderSections) {
        guard plan.entity == entity else {
            throw StoreError(
                .schema,
                "the attributes of '\(entity.name)' changed after the query was created: create it again"
            )
        }
        var request = plan.unlimitedRequest
        request.sortDescriptors = []
        request.sectionKeys = []
        let rows = KeyedRows()
        let table = RowTable(attributeCount: entity.attributes.count)
        func take() throws {
            try run(table)
            if plan.usesRelatedRows {
                for row in 0..<table.count { places[table.id(at: row)] = Self.leftOut }
            }
            for kept in taken.kept {
                let id = table.id(at: kept.row)
                keep(taken.bytes(kept.keys), for: id)
                let values = plan.keyPathCount == 0 ? [] : related[id] ?? []
                rows.append(id: id) { append(kept, of: table, values, plan.format, to: &$0) }
            }
            table.removeAll()
        }
        try transaction.walkRows(request, of: entity, into: table) {
            if table.count == Self.chunkSize { try take() }
        }
        if table.count > 0 { try take() }
        return try rows.order()
    }

    /// Appends the whole key of a row in the plan's format: attributes, values from related rows, and computed keys.
    private func append(
        _ kept: ChunkKeys.Row,
        of table: RowTable,
        _ related: [AttributeValue],
        _ format: OrderKeyFormat,
        to buffer: inout OrderKeyBuffer
    ) -> Int {
        format.append(to: &buffer) { buffer, index in
            let field = format.fields[index]
            let way = field.attribute - entity.attributes.count
            guard way >= 0 else {
                return buffer.append(table.value(at: kept.row, field.attribute, field.type), field)
            }
            guard way >= related.count else { return buffer.append(related[way], field) }
            let key = way - related.count
            let bytes = taken.bytes(of: key, in: kept, keyCount: keyCount)
            if field.isAscending {
                buffer.append(raw: bytes)
            } else {
                buffer.append(OrderKeyFormat.computedValues(bytes, count: 1)[0], field)
            }
        }
    }

    // MARK: - Changed rows

    func extend(
        _ changes: [TransactionChanges.RowChange],
        changed: Set<RowID>,
        by plan: FetchPlan
    ) throws -> [TransactionChanges.RowChange] {
        failure = nil
        do {
            return try extendAll(changes, changed, plan)
        } catch {
            failure = error
            taken = ChunkKeys()
            throw error
        }
    }

    private func extendAll(
        _ changes: [TransactionChanges.RowChange],
        _ changed: Set<RowID>,
        _ plan: FetchPlan
    ) throws -> [TransactionChanges.RowChange] {
        var extended: [TransactionChanges.RowChange] = []
        extended.reserveCapacity(changes.count)
        var meter = WorkMeter()
        let table = RowTable(attributeCount: entity.attributes.count)
        for start in stride(from: 0, to: changes.count, by: Self.chunkSize) {
            let chunk = changes[start..<min(start + Self.chunkSize, changes.count)]
            table.removeAll()
            // The row in the table of each change whose new values may match, and whose keys are not cached.
            let rows = try chunk.map { change -> Int? in
                try meter.step(plan.matchingSteps)
                guard let new = change.new, plan.matches(new, id: change.id) else { return nil }
                if places[change.id] != nil, !changed.contains(change.id) { return nil }
                table.append(
                    id: change.id,
                    plan.keyPathCount == 0 ? new : Array(new.dropLast(plan.keyPathCount))
                )
                return table.count - 1
            }
            try run(table)
            var kept: [Int: ChunkKeys.Row] = [:]
            for row in taken.kept { kept[row.row] = row }
            for (change, row) in zip(chunk, rows) {
                let old = change.old.flatMap { values in keys(of: change.id).map { values + $0 } }
                if let row {
                    forget(change.id)
                    if let row = kept[row] {
                        keep(taken.bytes(row.keys), for: change.id)
                    } else if plan.usesRelatedRows {
                        places[change.id] = Self.leftOut
                    }
                } else if changed.contains(change.id) {
                    forget(change.id)
                }
                let new = change.new.flatMap { values in keys(of: change.id).map { values + $0 } }
                if old == nil, new == nil { continue }
                extended.append(TransactionChanges.RowChange(id: change.id, old: old, new: new))
            }
        }
        // Rows that related rows exclude have new versions, whose keys are unknown.
        if plan.usesRelatedRows {
            let known = Set(changes.lazy.map(\.id))
            for id in changed where !known.contains(id) { forget(id) }
        }
        compact()
        return extended
    }

    // MARK: - The script

    private func run(_ table: RowTable) throws {
        taken.begin(keyCount: keyCount, hasFilter: hasFilter)
        guard table.count > 0, let receiver else { return }
        isComputing = true
        defer { isComputing = false }
        try session.computing {
            let shown = access.shown(table)
            let parts = try shown.parts(in: context)
            try session.hideSecrets(in: shown, of: access.shown, context)
            _ = try context.value(of: compute).call(
                withArguments: [context.value(of: receiver)] + parts
            )
        }
        // The package's own script passes all rows, or throws.
        precondition(
            taken.rowCount == table.count,
            "received the keys of \(taken.rowCount) of \(table.count) rows"
        )
    }

    private func take(_ call: HostCall) throws {
        if taken.awaitsFilter {
            if case .bool(let belongs) = call.key(at: 0) { taken.filter(belongs) }
            return
        }
        try taken.append(call, beside: arena.count - wasted)
    }

    // MARK: - Cache

    private func record(at place: Int) -> UnsafeRawBufferPointer {
        let count = Int(arena.bytes.loadUnaligned(fromByteOffset: place, as: UInt32.self))
        return UnsafeRawBufferPointer(rebasing: arena.bytes[place + 4..<place + 4 + count])
    }

    private func keep(_ bytes: UnsafeRawBufferPointer, for id: RowID) {
        places[id] = arena.count
        var count = UInt32(truncatingIfNeeded: bytes.count)
        withUnsafeBytes(of: &count) { arena.append(raw: $0) }
        arena.append(raw: bytes)
    }

    private func forget(_ id: RowID) {
        guard let place = places.removeValue(forKey: id), place != Self.leftOut else { return }
        wasted += 4 + record(at: place).count
    }

    /// Compacts the arena when more than half of it belongs to deleted or changed rows.
    private func compact() {
        guard wasted > 65_536, wasted > arena.count / 2 else { return }
        var fresh = OrderKeyBuffer()
        for (id, place) in places where place != Self.leftOut {
            let bytes = UnsafeRawBufferPointer(
                rebasing: arena.bytes[place..<place + 4 + record(at: place).count]
            )
            places[id] = fresh.count
            fresh.append(raw: bytes)
        }
        arena = fresh
        wasted = 0
    }
}

/// The keys of one chunk of rows, as a script passes them.
struct ChunkKeys: ~Copyable {
    /// A row that the filter includes.
    struct Row {
        /// The position in the chunk.
        let row: Int
        /// The index of its first key.
        let firstKey: Int
        /// The range of its keys' bytes.
        var keys: Range<Int>
    }

    private var buffer = OrderKeyBuffer()
    /// The end of each key.
    private var ends: [Int] = []
    private(set) var kept: [Row] = []
    private(set) var rowCount = 0
    private(set) var awaitsFilter = false
    private var keyCount = 0
    private var hasFilter = false
    private var missing = 0

    init() {}

    mutating func begin(keyCount: Int, hasFilter: Bool) {
        self.keyCount = keyCount
        self.hasFilter = hasFilter
        buffer.removeAll()
        ends.removeAll(keepingCapacity: true)
        kept.removeAll(keepingCapacity: true)
        rowCount = 0
        awaitsFilter = hasFilter
        missing = keyCount
    }

    mutating func filter(_ belongs: Bool) {
        guard belongs, keyCount > 0 else {
            if belongs {
                kept.append(Row(row: rowCount, firstKey: ends.count, keys: buffer.count..<buffer.count))
            }
            rowCount += 1
            return
        }
        awaitsFilter = false
    }

    /// Appends a key of the current row.
    ///
    /// - Parameters:
    ///   - call: The call whose first argument is the key.
    ///   - used: The size in bytes of the query's keys from earlier chunks.
    /// - Throws: ``BridgeError`` `limitExceeded` if the query's keys are too large.
    mutating func append(_ call: HostCall, beside used: Int) throws {
        if missing == keyCount {
            kept.append(Row(row: rowCount, firstKey: ends.count, keys: buffer.count..<buffer.count))
        }
        let used = used + buffer.count + MemoryLayout<Int>.size * ends.count
        try buffer.append(call, used: used, place: "a query")
        ends.append(buffer.count)
        missing -= 1
        guard missing == 0 else { return }
        let last = kept.count - 1
        kept[last].keys = kept[last].keys.lowerBound..<buffer.count
        missing = keyCount
        rowCount += 1
        awaitsFilter = hasFilter
    }

    func bytes(_ range: Range<Int>) -> UnsafeRawBufferPointer {
        UnsafeRawBufferPointer(rebasing: buffer.bytes[range])
    }

    /// Returns the bytes of one key of a row.
    func bytes(of key: Int, in row: Row, keyCount: Int) -> UnsafeRawBufferPointer {
        let number = row.firstKey + key
        return bytes((key == 0 ? row.keys.lowerBound : ends[number - 1])..<ends[number])
    }
}

extension OrderKeyBuffer {
    /// The maximum size in bytes of the keys of one order or one query.
    ///
    /// Keys are in native memory, which the engine's heap limit does not count: 128 MiB are a million keys of 120
    /// bytes.
    static let maximumBytes = 128 << 20

    /// Appends the first argument of a call as a key: a number, a boolean as 0 or 1, a string, or a missing value.
    ///
    /// - Parameters:
    ///   - call: The call.
    ///   - used: The size in bytes of the keys before this one.
    ///   - place: The owner of the keys, for the error.
    /// - Throws: ``BridgeError`` `limitExceeded` with the resulting size and ``maximumBytes``.
    mutating func append(_ call: HostCall, used: Int, place: String) throws {
        func reserve(_ count: Int) throws {
            let total = used + count
            guard total > Self.maximumBytes else { return }
            throw BridgeError(
                .limitExceeded,
                "the keys of \(place) have \(total) bytes (limit \(Self.maximumBytes))"
            )
        }
        try reserve(0)
        switch call.key(at: 0) {
        case .number(let number): append(number, true)
        case .bool(let flag): append(flag ? 1.0 : 0.0, true)
        case .text:
            try call.withUTF8(at: 0) { bytes in
                try reserve(bytes.count)
                append(text: UnsafeRawBufferPointer(bytes), true)
            }
        // The package's own script has rejected all other values.
        case .none, .other: appendNull(true)
        }
    }
}

/// The keys of all rows before they are sorted.
private final class KeyedRows {
    private var keys = OrderKeyBuffer()
    private var starts: [Int] = [0]
    private var ids: [RowID] = []
    private var sectionCounts: [Int32] = []

    init() {}

    func append(id: RowID, _ write: (inout OrderKeyBuffer) -> Int) {
        sectionCounts.append(Int32(truncatingIfNeeded: write(&keys)))
        starts.append(keys.count)
        ids.append(id)
    }

    /// Returns the sorted order.
    ///
    /// Rows are added by ascending id, and the sort is stable, so rows with equal keys stay so.
    func order() throws -> (order: OrderIndex, sections: OrderSections) {
        var builder = OrderIndexBuilder()
        let bytes = keys.bytes
        let positions = try starts.withUnsafeBufferPointer { try OrderSort.positions(of: bytes, starts: $0) }
        for position in positions {
            let index = Int(position)
            try builder.append(id: ids[index]) { buffer in
                buffer.append(raw: UnsafeRawBufferPointer(rebasing: bytes[starts[index]..<starts[index + 1]]))
                return Int(sectionCounts[index])
            }
        }
        return builder.finish()
    }
}
