internal import Stores

extension SQLiteTransaction: OrderScanning {
    func scanOrder(
        _ request: FetchRequest,
        format: OrderKeyFormat,
        into builder: inout OrderIndexBuilder
    ) throws {
        let table = try readable(request.entityName)
        let query = try RequestCompiler(table: table, request: request, schema: schema).rows(
            columns: format.fields.map { table.columns[$0.attribute] }
        )
        scans += 1
        defer { scans -= 1 }
        let fields = format.fields
        try connection.query(query) { statement in
            while try statement.step() {
                try builder.append(id: statement.integer(0)) { key in
                    format.append(to: &key) { statement.append($1 + 1, fields[$1], to: &$0) }
                }
            }
        }
    }
}
