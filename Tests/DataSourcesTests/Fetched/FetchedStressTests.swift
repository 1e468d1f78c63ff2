import DataSources
import Stores
import TestSupport
import Testing

/// Random transactions under several requests, with the six checks of the well-known stress test and those of the
/// oracle after each.
// Serialized, because each request keeps a thread busy for a minute under a sanitizer.
@Suite(.serialized) struct FetchedStressTests {
    private static let sort = FetchRequest.SortDescriptor.init

    static let requests: [FetchRequest] = [
        FetchRequest(entityName: "city", sortDescriptors: [sort("name", true)]),
        FetchRequest(
            entityName: "city",
            sortDescriptors: [sort("country", true), sort("name", true)],
            sectionKeys: ["country"]
        ),
        FetchRequest(
            entityName: "city",
            predicate: .compare("name", .greaterThan, .string("d")),
            sortDescriptors: [sort("country", false), sort("region", false), sort("name", true)],
            sectionKeys: ["country", "region"]
        ),
        FetchRequest(
            entityName: "city",
            predicate: .not(
                .or([.isIn("country", [.null, .string("C")]), .compare("note", .beginsWith, .string("x"))])
            ),
            sortDescriptors: [sort("region", true), sort("name", false)],
            sectionKeys: ["region"]
        ),
        FetchRequest(
            entityName: "city",
            sortDescriptors: [sort("country", true), sort("name", true)],
            sectionKeys: ["country"],
            fetchLimit: 7,
            fetchOffset: 3
        ),
        FetchRequest(entityName: "city", sortDescriptors: [sort("region", true)], fetchOffset: 5),
    ]

    @Test(
        "F4 F6 F7 F9 F10 F11 F18 F19 D16 D17 after every transaction the six checks hold",
        arguments: requests
    )
    func randomTransactions(request: FetchRequest) throws {
        let seeds = Seeds("FetchedStressTests")
        for number in 0..<repetitions(4, underStress: 12) {
            let seed = seeds.first &+ UInt64(number)
            let problem = try FetchedStress(request).run(on: try FakeStore(cities: []), seed: seed)
            #expect(problem == nil, "\(seeds.replay(seed))")
        }
    }
}
