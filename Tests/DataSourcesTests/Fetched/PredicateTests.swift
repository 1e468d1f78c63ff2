import DataSources
import Foundation
import Stores
import Testing

/// Predicates are evaluated natively when rows change.
///
/// Here each is tested with each value, and the controller must agree with the store.
@Suite struct PredicateTests {
    private static let texts = ["", "a", "ab", "abc", "b", "\u{E9}", "e\u{301}", "ba"]

    @Test(
        "F9 every comparison gives the same rows by changes as by a fresh fetch",
        arguments: FetchPredicate.Comparison.allCases
    )
    func comparisons(_ comparison: FetchPredicate.Comparison) throws {
        let values = Self.texts.map(AttributeValue.string) + [.null]
        for value in values {
            let predicate = FetchPredicate.compare("name", comparison, value)
            for request in [predicate, .not(predicate), .and([predicate, .or([predicate])])] {
                try expectAgreement(request, values)
            }
        }
    }

    @Test(
        "F9 lists, and the empty conjunction and disjunction, give the same rows by changes as by a fresh fetch"
    )
    func lists() throws {
        let values = Self.texts.map(AttributeValue.string) + [.null]
        for predicate in [
            FetchPredicate.isIn("name", []), .isIn("name", [.null, .string("a")]),
            .isIn("name", [.string("\u{E9}")]),
            .and([]), .or([]), .not(.and([])),
        ] {
            try expectAgreement(predicate, values)
        }
    }

    /// Inserts all values after the fetch, so that the controller has to evaluate them itself.
    private func expectAgreement(_ predicate: FetchPredicate, _ values: [AttributeValue]) throws {
        let store = try FakeStore(cities: [])
        var request = FetchRequest.byName
        request.predicate = predicate
        let controller = try FetchedResultsController(fetchRequest: request, store: store)
        controller.onChange = { _ in }
        try controller.performFetch()
        try store.write { transaction in
            for value in values { try transaction.insert(into: "city", ["name": value]) }
        }
        controller.processPendingChanges()
        let fresh = try store.read { try $0.fetch(request).map(\.id) }
        #expect(controller.fetchedObjectIDs == fresh, "\(predicate)")
    }
}
