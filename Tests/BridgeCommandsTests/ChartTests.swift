import CollectionViews
import Testing

@testable import BridgeCommands

/// The function `console.chart`.
@Suite struct ChartTests {
    private func chart(
        _ script: String,
        columns: Int? = nil,
        environment: [String: String] = [:]
    ) async throws -> String {
        let workplace = try Workplace()
        let path = try workplace.write(script, to: "chart.js")
        let result = await workplace.run(["run", path], outputColumns: columns, environment: environment)
        #expect(result.status == 0, "\(result.errorOutput)")
        return result.output
    }

    @Test("numbers by name are drawn as given, with the requested width")
    func bars() async throws {
        let text = try await chart(
            "console.chart({ tea: 4, coffee: 2, water: 0, debt: -1 }, { title: 'drinks', width: 31 });"
        )
        #expect(
            text == """
                drinks
                tea     4 ####################
                coffee  2 ##########
                water   0
                debt   -1 #####

                """
        )
    }

    @Test("a column of numbers is drawn by ranges of a round width, values that are not numbers separately")
    func numbers() async throws {
        let text = try await chart(
            """
            const rows = [3, 4, 12, 19.5, 20, null, NaN, 39n].map(size => ({ size }));
            console.chart(rows, { column: 'size', limit: 4, width: 25 });
            """
        )
        #expect(
            text == """
                size
                0          2 ###########
                10         2 ###########
                20         1 ######
                30         1 ######
                (no value) 2 ###########

                """
        )
    }

    @Test("a column of strings is drawn by frequency, the most frequent first, the rest together")
    func texts() async throws {
        let text = try await chart(
            "console.chart([...'abracadabra!?'], { limit: 3, width: 30 });"
        )
        #expect(
            text == """
                a        5 ##################
                b        2 #######
                r        2 #######
                4 others 4 ##############

                """
        )
    }

    @Test("a change set is drawn by its counts, a query by its rows")
    func changes() async throws {
        let text = try await chart(
            """
            const store = bridge.store();
            store.createEntity('city', { name: 'string', people: 'double' });
            const cities = store.fetch('city', { sort: ['name'] });
            store.transaction(() => {
                for (const people of [1, 1, 2, 8]) store.insert('city', { name: `city ${people}`, people });
            });
            console.chart(cities, { column: 'people', width: 21, limit: 2 });
            const stop = cities.onChange((changes) => { console.chart(changes, { width: 32 }); stop(); });
            store.transaction(() => {
                const [first] = cities.window(0);
                cities.delete(first);
                store.insert('city', { name: 'a' });
                store.insert('city', { name: 'b' });
            });
            """
        )
        #expect(
            text == """
                people
                0 3 ################
                5 1 #####
                changes
                rows inserted 2 ###############
                rows deleted  1 ########
                rows moved    0
                rows updated  0

                """
        )
    }

    @Test("on a terminal bars are fine and fit its width; control characters in labels are escaped")
    func terminal() async throws {
        let text = try await chart(
            "console.chart({ 'a\\u001b[31m': 8, 'a name that is too long for a label': 3 });",
            columns: 40,
            environment: ["NO_COLOR": "1"]
        )
        let lines = text.split(separator: "\n")
        #expect(lines.allSatisfy { $0.count <= 39 })
        #expect(lines.first?.hasPrefix("a\\u{1b}[31m") == true)
        #expect(
            lines.last
                == "a name that i\u{2026} 3 \u{2588}\u{2588}\u{2588}\u{2588}\u{2588}\u{2588}\u{2588}\u{2588}\u{258E}"
        )
    }

    @Test("on a terminal with colors each bar of a change set has the color of its kind of change")
    func colors() async throws {
        let script = """
            const counts = { rows: { inserted: 4, deleted: 3, moved: 2, updated: 1 }, sections: { inserted: 1 } };
            console.chart({ counts });
            console.chart({ tea: 1 });
            """
        let text = try await chart(script, columns: 60)
        let codes = text.split(separator: "\n").map { line in
            line.split(separator: "\u{1B}", omittingEmptySubsequences: false).dropFirst().first.map {
                $0.prefix { $0 != "m" }
            } ?? ""
        }
        #expect(codes == ["[1", "[32", "[31", "[34", "[33", "[32", "[36"])
        #expect(try await !chart(script).contains("\u{1B}"))
    }

    @Test(
        "values that cannot be drawn are an error of the script",
        arguments: [
            ("3", "TypeError: a chart is drawn of a change set, of rows, of values, or of numbers by name"),
            ("{ a: 'x' }", "TypeError: a bar is a number, not string: a"),
            ("[1], { limit: 0 }", "Error: a chart has 1 to 1,000 bars, not 0"),
            ("[1], { limit: 'x' }", "limit"), ("[1], { width: {} }", "columns"),
            (
                "[1], { width: 2 ** 62 }",
                "Error: a chart is 20 to 10,000 columns wide, not 4611686018427387904"
            ),
            ("[1], { width: 3 }", "Error: a chart is 20 to 10,000 columns wide, not 3"),
        ]
    )
    func mistakes(_ arguments: String, _ message: String) async throws {
        let text = try await chart(
            "try { console.chart(\(arguments)); } catch (error) { console.log(String(error)); }"
        )
        #expect(text.contains(message), "\(text)")
    }

    private static let columns: [[Double]] = [
        [.leastNonzeroMagnitude, .leastNonzeroMagnitude * 2], [-1e308, 1e308], [7, 7], [0.1, 0.3], [],
        [1.6811574385133525, 1.6811574385133528],
        [-Double.greatestFiniteMagnitude, .greatestFiniteMagnitude],
        [1e16, 1e16 + 2], [0, .leastNonzeroMagnitude],
    ]

    @Test("numbers of any size have ranges", arguments: columns)
    func ranges(_ values: [Double]) {
        for limit in [1, 2, 10, 1_000] {
            let bars = ColumnSummary.ranges(values, limit: limit)
            #expect(bars.reduce(0) { $0 + Int($1.value) } == values.count)
            #expect(bars.count <= max(2, limit) + 2)
        }
    }

    @Test(
        "a change set without counts is counted, names beyond the limit are one bar, an infinity fills its line"
    )
    func oddBars() async throws {
        let text = try await chart(
            """
            console.chart(bridge.difference([1, 2, 3], [2, 4]), { width: 30 });
            console.chart({ a: 3, b: 1, c: 1, d: 1 }, { limit: 2, width: 25 });
            console.chart({ all: Infinity, one: 1, none: NaN }, { width: 25 });
            """
        )
        #expect(
            text == """
                changes
                rows inserted 1 #######
                rows deleted  2 #############
                rows moved    0
                rows updated  0
                a        3 #############
                b        1 ####
                2 others 2 #########
                all  inf ###############
                one    1 ###############
                none nan

                """
        )
    }
}
