internal import Foundation
internal import Stores

extension PersistentContainer {
    /// Exports all objects with their relationships as JSON Lines.
    ///
    /// The file contains one state of the store. It is replaced atomically: if the export fails, the previous file is
    /// unchanged. The same content always produces the same bytes. References to deleted objects are omitted. If such a
    /// reference is required, the line marks it as missing: `"author":{"gone":7}`
    /// (``JSONLinesImportOptions/missingReferences``).
    ///
    /// ```json
    /// {"format":"managed-objects","version":1,"model":3}
    /// {"entity":"book","id":7,"attributes":{"title":"Solaris"},"relationships":{"author":2,"tags":[1,4]}}
    /// ```
    ///
    /// - Parameter path: The path of the file; an existing file is replaced.
    /// - Returns: The number of exported objects.
    /// - Throws: ``StoreError`` if the store cannot be read or the file cannot be written.
    @discardableResult
    public func exportJSONLines(to path: String) throws -> Int {
        let temporary = path + ".part"
        guard let file = fopen(temporary, "wbe") else { throw Self.failure(temporary) }
        var isOpen = true
        defer {
            if isOpen { fclose(file) }
            unlink(temporary)
        }
        var count = 0
        func write(_ line: [UInt8]) throws {
            guard fwrite(line, 1, line.count, file) == line.count else { throw Self.failure(temporary) }
        }
        try write(
            Array("{\"format\":\"\(JSONLinesFormat.name)\",\"version\":\(JSONLinesFormat.version)".utf8)
        )
        try write(Array(",\"model\":\(model.version)}\n".utf8))
        try store.read { transaction in
            let rows = try ExistingRows(plan, transaction)
            for entity in plan.entities {
                let partners = try PairedRows(entity, plan, rows, transaction)
                let names = entity.entity.attributes.map(\.name)
                let request = FetchRequest(entityName: entity.name)
                try transaction.scan(request, attributes: names) { id, values in
                    try write(JSONLinesFormat.line(of: entity, id, values, partners, rows))
                    count += 1
                }
            }
        }
        guard fflush(file) == 0, fsync(fileno(file)) == 0 else { throw Self.failure(temporary) }
        isOpen = false
        guard fclose(file) == 0, rename(temporary, path) == 0 else { throw Self.failure(path) }
        return count
    }

    private static func failure(_ path: String) -> StoreError {
        let reason = String(cString: strerror(errno))
        return StoreError(errno == ENOSPC ? .full : .cannotOpen, "\(path) cannot be written: \(reason)")
    }
}

/// The format of an object's line.
enum JSONLinesFormat {
    static let name = "managed-objects"
    static let version = 1
    /// The key that marks a required reference whose target does not exist.
    static let gone = "gone"

    static func line(
        of entity: EntityPlan,
        _ id: RowID,
        _ values: [AttributeValue],
        _ partners: PairedRows,
        _ rows: ExistingRows
    ) -> [UInt8] {
        var line = Array("{\"entity\":".utf8)
        JSONLineWriter.append(entity.name, to: &line)
        line += Array(",\"id\":\(id),\"attributes\":{".utf8)
        var separator: [UInt8] = []
        func key(_ name: String) {
            line += separator
            JSONLineWriter.append(name, to: &line)
            line.append(UInt8(ascii: ":"))
            separator = [UInt8(ascii: ",")]
        }
        for (index, attribute) in entity.entity.attributes.enumerated()
        where entity.relationshipsByAttribute[index] == nil {
            // Null is omitted, unless the import would replace it with the default value.
            guard !values[index].isNull || !entity.defaults[index].isNull else { continue }
            key(attribute.name)
            JSONLineWriter.append(values[index], to: &line)
        }
        line += Array("},\"relationships\":{".utf8)
        separator = []
        for relationship in entity.relationships {
            switch relationship.place {
            case .own(let attribute):
                guard let target = values[attribute].rowID else { continue }
                if rows.has(target, of: relationship.target) {
                    key(relationship.description.name)
                    JSONLineWriter.append(values[attribute], to: &line)
                } else if !relationship.description.isOptional {
                    key(relationship.description.name)
                    line += Array("{\"\(gone)\":\(target)}".utf8)
                }
            case .inverse: continue
            case .pairs(let pairs, let near):
                guard near == 0, let ids = partners.ids[pairs]?[id] else { continue }
                key(relationship.description.name)
                line += Array("[\(ids.sorted().map(String.init).joined(separator: ","))]".utf8)
            }
        }
        return line + Array("}}\n".utf8)
    }
}

/// The existing rows of all entities that relationships refer to.
///
/// Delete rules can leave references to deleted rows.
struct ExistingRows {
    private var ids: [Int: Set<RowID>] = [:]

    init(_ model: ModelPlan, _ transaction: any ReadTransaction) throws {
        for target in Set(model.entities.flatMap { $0.relationships.map(\.target) }) {
            var found: Set<RowID> = []
            let request = FetchRequest(entityName: model.entities[target].name)
            try transaction.scan(request, attributes: []) { id, _ in found.insert(id) }
            ids[target] = found
        }
    }

    func has(_ id: RowID, of entity: Int) -> Bool { ids[entity]?.contains(id) ?? false }
}

/// The rows that pairs join with an entity's rows, for pairs that have the entity as their first side.
struct PairedRows {
    private(set) var ids: [Int: [RowID: Set<RowID>]] = [:]

    init(
        _ entity: EntityPlan,
        _ model: ModelPlan,
        _ rows: ExistingRows,
        _ transaction: any ReadTransaction
    ) throws {
        for relationship in entity.relationships {
            guard case .pairs(let pairs, 0) = relationship.place else { continue }
            var found: [RowID: Set<RowID>] = [:]
            let request = FetchRequest(entityName: model.pairs[pairs].name)
            try transaction.scan(request, attributes: ["first", "second"]) { _, values in
                guard let first = values[0].rowID, let second = values[1].rowID,
                    rows.has(second, of: relationship.target)
                else { return }
                found[first, default: []].insert(second)
            }
            ids[pairs] = found
        }
    }
}
