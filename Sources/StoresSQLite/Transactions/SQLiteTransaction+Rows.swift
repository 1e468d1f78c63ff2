internal import Stores

extension SQLiteTransaction: RowTabling {
    func appendRows(of entityName: String, ids: [RowID], to rows: RowTable) throws {
        let table = try readable(entityName)
        let types = table.types
        try connection.withStatement(table.selectSQL) { statement in
            for id in ids {
                statement.reset()
                try statement.bind(.integer(id), at: 1)
                guard try statement.step() else {
                    rows.appendMissing()
                    continue
                }
                rows.append(integer: id)
                for index in types.indices { statement.append(index, types[index], to: rows) }
            }
        }
    }

    func scanRows(_ request: FetchRequest, into rows: RowTable, _ body: () throws -> Void) throws {
        let table = try readable(request.entityName)
        let types = table.types
        let compiler = RequestCompiler(table: table, request: request, schema: schema)
        let query = try compiler.rows(columns: table.columns)
        scans += 1
        defer { scans -= 1 }
        try connection.query(query) { statement in
            while try statement.step() {
                rows.append(integer: statement.integer(0))
                for index in types.indices { statement.append(index + 1, types[index], to: rows) }
                try body()
            }
        }
    }
}
