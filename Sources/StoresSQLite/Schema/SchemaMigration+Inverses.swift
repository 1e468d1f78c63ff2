internal import Stores

// Relationships that get a new inverse: every reference needs a reference back.
extension SchemaMigration {
    /// Adds the reversed pair of each pair of rows, if it does not exist.
    func mirror(_ name: String) throws {
        let pairs = try schema.table(name)
        let (first, second) = (pairs.columns[0], pairs.columns[1])
        try connection.execute(
            """
            INSERT INTO \(pairs.name) (\(first), \(second))
            SELECT DISTINCT here.\(second), here.\(first) FROM \(pairs.name) AS here
            WHERE NOT EXISTS (
                SELECT 1 FROM \(pairs.name) AS back
                WHERE back.\(first) = here.\(second) AND back.\(second) = here.\(first)
            )
            ORDER BY 1, 2
            """
        )
    }

    /// Makes each row that a relationship refers to refer back through the inverse.
    ///
    /// References to deleted rows are left unchanged.
    func pair(_ entity: String, _ relationship: String, with destination: String, _ inverse: String) throws {
        let (source, target) = (try schema.table(entity), try schema.table(destination))
        let there = source.columns[try source.index(of: relationship)]
        let back = target.columns[try target.index(of: inverse)]
        let id = EntityTable.idColumn
        let shared = try connection.integer(
            """
            SELECT count(*) FROM (
                SELECT 1 FROM \(source.name) AS here JOIN \(target.name) AS there ON there.\(id) = here.\(there)
                GROUP BY here.\(there) HAVING count(*) > 1
            )
            """
        )
        guard shared == 0 else {
            throw StoreError(
                .invalidValue,
                "\(shared) rows of \(MessageText.quoted(destination)) are referenced by several rows of "
                    + "\(MessageText.quoted(entity)), and can refer back to only one"
            )
        }
        let elsewhere = try connection.integer(
            """
            SELECT count(*) FROM \(source.name) AS here JOIN \(target.name) AS there ON there.\(id) = here.\(there)
            WHERE there.\(back) <> here.\(id)
            """
        )
        guard elsewhere == 0 else {
            throw StoreError(
                .invalidValue,
                "\(elsewhere) rows of \(MessageText.quoted(entity)) refer to a row of "
                    + "\(MessageText.quoted(destination)) that refers to another one"
            )
        }
        try connection.execute(
            """
            UPDATE \(target.name) AS there SET \(back) = (
                SELECT here.\(id) FROM \(source.name) AS here WHERE here.\(there) = there.\(id)
            )
            WHERE \(back) IS NULL AND \(id) IN (SELECT \(there) FROM \(source.name))
            """
        )
    }
}
