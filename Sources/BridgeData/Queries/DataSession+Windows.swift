internal import BridgeValues
internal import DataSources
internal import JavaScriptBridge
internal import Stores

extension DataSession {
    func installWindows(on functions: JSValue, in context: JSContext) throws {
        // The stamp of a query's rows: another number means other rows. It is NaN, which never equals itself, while a
        // transaction may write at any moment.
        try defineReturningValue("stamp", on: functions, in: context) { call in
            let version = try self.refreshed(call).version ?? 0
            return JSValue(double: self.openTransactions.isEmpty ? Double(version) : .nan, in: call.context)
        }
        try defineReturningValue("window", on: functions, in: context) { call in
            let controller = try self.refreshed(call)
            let access = try self.query(call).access
            let table = self.table(attributeCount: access.shown.attributes.count)
            try self.write(
                controller,
                access,
                section: call.index(at: 1) ?? -1,
                call.window(at: 2),
                to: table
            )
            try self.hideSecrets(in: table, of: access.shown, call.context)
            return try JSValue(newArrayIn: call.context, of: table.parts(in: call.context))
        }
    }

    /// Writes the granted rows of a window into a table.
    ///
    /// A row may be newer than the query's content, see ``FetchedResultsController/window(section:_:)``. A row that is
    /// not granted any more is treated as a deleted one.
    private func write(
        _ controller: FetchedResultsController,
        _ access: EntityAccess,
        section: Int,
        _ range: Range<Int>,
        to table: RowTable
    ) throws {
        if access.columns == nil, access.rows == nil {
            return try controller.write(section: section, range, to: table)
        }
        let rows = try controller.window(section: section, range)
        let granted = try access.rows.map { _ in
            try controller.store.read { try access.grantedRows(rows.compactMap { $0?.id }, in: $0) }
        }
        for row in rows {
            if let row, granted?.contains(row.id) ?? true, row.values.count == access.entity.attributes.count
            {
                table.append(id: row.id, access.shown(row.values))
            } else {
                table.appendMissing()
            }
        }
    }
}
