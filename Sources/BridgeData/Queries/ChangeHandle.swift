internal import DataSources
internal import JavaScriptBridge

/// A difference that a script retains.
///
/// It has only the changes and no copy of the order. A copy would force the next change to copy the whole directory of
/// the order: 150 to 200 us in a million rows.
final class ChangeHandle {
    let difference: Difference

    init(_ difference: Difference) { self.difference = difference }

    /// Joins the difference with the one that follows it.
    ///
    /// - Throws: ``BridgeError`` with `invalidArgument` if the next changes are of another query, or do not begin where
    ///   these end.
    func merging(_ next: ChangeHandle) throws -> ChangeHandle {
        do {
            return ChangeHandle(try difference.merging(next.difference))
        } catch {
            throw BridgeError(.invalidArgument, error.description)
        }
    }
}

extension Difference {
    /// The maximum count of numbers of a difference that is passed as numbers: about a dozen rows.
    private static let mostNumbers = 64

    /// The packed form of a small difference without sections, which is passed as numbers without a native object.
    ///
    /// A native object lives until the engine collects the script's object, which happens only after thousands of
    /// change sets. The memory of such objects made the heap grow by a page at nearly every commit.
    var numbers: [Double]? {
        guard sectionDeletes.isEmpty, sectionInserts.isEmpty, sectionMoves.isEmpty,
            packedCount <= Self.mostNumbers
        else { return nil }
        return packed.map(Double.init)
    }
}
