internal import Stores

// Relationships that get an inverse which they had not: what leads one way must lead back as well.
extension SchemaMigration {
    /// Adds to each pair of rows the one that leads back, where it is not there.
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

    /// Has each row that is led to by a relationship lead back by another one.
    ///
    /// What leads to a row that is gone stays as it is.
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
                "\(shared) rows of \(MessageText.quoted(destination)) are led to by several rows of "
                    + "\(MessageText.quoted(entity)), and can lead back to one"
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
                "\(elsewhere) rows of \(MessageText.quoted(entity)) lead to a row of "
                    + "\(MessageText.quoted(destination)) that leads to another one"
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
