internal import DataSources
internal import JavaScriptBridge
internal import Stores

/// The order of a query's rows at one version, retained by a script.
final class QuerySnapshot {
    let sections: [SectionSnapshot<[AttributeValue], RowID>]
    /// The secrecy of the keys of its sections: plain, or possibly a secret.
    let secrecy: SectionSecrecy
    private let entityName: String

    private init(
        _ sections: [SectionSnapshot<[AttributeValue], RowID>],
        of entityName: String,
        _ secrecy: SectionSecrecy
    ) {
        self.sections = sections
        self.entityName = entityName
        self.secrecy = secrecy
    }

    convenience init(of controller: FetchedResultsController) {
        self.init(
            controller.sections?.map { SectionSnapshot(key: $0.keys, items: $0.objectIDs.array) } ?? [],
            of: controller.fetchRequest.entityName,
            controller.sectionSecrecy
        )
    }

    /// Returns the order after changes.
    ///
    /// - Throws: ``BridgeError`` with `invalidArgument` if the changes are of another entity, or of another order.
    func applying(_ changes: Difference) throws -> QuerySnapshot {
        let other = changes.rows?.query?.entityName ?? ""
        guard other == entityName else {
            throw BridgeError(
                .invalidArgument,
                "the changes do not fit this snapshot: they are of '\(other)', and it is of '\(entityName)'"
            )
        }
        do {
            return QuerySnapshot(try changes.applied(to: sections), of: entityName, secrecy)
        } catch {
            throw BridgeError(.invalidArgument, "the changes do not fit this snapshot: \(error)")
        }
    }
}
