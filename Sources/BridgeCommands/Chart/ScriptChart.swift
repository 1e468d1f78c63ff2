internal import BridgeValues
internal import CollectionViews
internal import JavaScriptBridge

/// The function `console.chart` of the scripts of a command.
struct ScriptChart: Sendable {
    /// A request of a script, prepared by the script's half of this function.
    struct Request: Decodable {
        var title: String?
        var limit: Int?
        var columns: Int?
        /// The labels of bars that are drawn as given.
        var labels: [String]?
        /// The styles of these bars; absent for the usual one.
        var styles: [String]?
        /// The values of the bars, or the numbers of a column.
        var numbers: [Double]?
        /// The strings of a column.
        var texts: [String]?
        /// The number of rows without a value in the column.
        var missing: Int?
    }

    /// A closure that shows a chart, with the width that the script wants, in a turn of the context.
    let show: @Sendable (BarChart, _ width: Int?, JSContext) throws -> Void

    /// Installs `console.chart` for a script.
    func install(on bridge: Bridge) async throws {
        try await bridge.withContext { context in
            let function = try context.makeFunction("chart") { [weak context] (request: Request) in
                guard let context else { return }
                try show(Self.chart(of: request), request.columns, context)
            }
            let make = try context.evaluate(Self.source, sourceURL: "jsbridge:chart")
            let chart = try make.call(withArguments: [function.value])
            try context.globalObject["console"].setValue(chart, forProperty: "chart")
        }
    }

    private static func chart(of request: Request) throws -> BarChart {
        let limit = request.limit ?? ColumnSummary.defaultLimit
        guard (1...maximumBarCount).contains(limit) else {
            throw BridgeError(.invalidArgument, "a chart has 1 to 1,000 bars, not \(limit)")
        }
        if let columns = request.columns, !(20...10_000).contains(columns) {
            throw BridgeError(.invalidArgument, "a chart is 20 to 10,000 columns wide, not \(columns)")
        }
        var bars: [BarChart.Bar]
        if let labels = request.labels, let numbers = request.numbers {
            bars = zip(labels, numbers).map { BarChart.Bar(label: $0, value: $1) }
            for (index, style) in (request.styles ?? []).enumerated() where bars.indices.contains(index) {
                bars[index].style = StyledText.Style(rawValue: style) ?? .accent
            }
            bars = ColumnSummary.cut(bars, to: request.limit ?? maximumBarCount)
        } else if let texts = request.texts {
            bars = ColumnSummary.counts(texts, limit: limit)
        } else {
            bars = ColumnSummary.ranges((request.numbers ?? []).filter(\.isFinite), limit: limit)
        }
        if let missing = request.missing, missing > 0 {
            bars.append(BarChart.Bar(label: "(no value)", value: Double(missing), style: .secondary))
        }
        return BarChart(title: request.title.map(printable), bars: bars.map(printable))
    }

    /// The number of bars beyond which the last ones share one.
    private static let maximumBarCount = 1_000
    /// The maximum number of characters of a label and of a title.
    private static let maximumTextLength = 200

    private static func printable(_ bar: BarChart.Bar) -> BarChart.Bar {
        BarChart.Bar(label: printable(bar.label), value: bar.value, style: bar.style)
    }

    // A text may contain anything, including control sequences of a terminal, and be of any length.
    private static func printable(_ text: String) -> String {
        let start = String(text.prefix(maximumTextLength))
        return Printable.text(start) + (start.utf8.count < text.utf8.count ? "\u{2026}" : "")
    }

    /// The TypeScript declarations of `console.chart`.
    static let declarations = """
        /** The options of a chart. */
        interface BridgeChartOptions {
            /** The property of the rows that is drawn. */
            column?: string;
            /** A line above the chart. */
            title?: string;
            /** The number of bars: strings and names beyond it share one bar, numbers are counted in about that many ranges. 10 by default. */
            limit?: number;
            /** The width in columns of text: that of the terminal by default, or 72 without a terminal. */
            width?: number;
        }
        interface BridgeConsole {
            /**
             * Draws a bar chart: the counts of a change set; the distribution of rows or values, numbers by range and strings by
             * frequency; or numbers by name.
             */
            chart(what: object, options?: string | BridgeChartOptions): void;
        }

        """

    /// The script's half, which reads the arguments, because only JavaScript can inspect a change set.
    private static let source = """
        "use strict";
        (draw) => function chart(what, options) {
            const wanted = typeof options === "string" ? { column: options } : { ...options };
            const { title, limit, width: columns, column } = wanted;
            const bars = (entries, given, styles) => {
                const list = [...entries];
                for (const [label, value] of list) {
                    if (typeof value !== "number") throw new TypeError(`a bar is a number, not ${typeof value}: ${String(label)}`);
                }
                draw({ title: title ?? given, limit, columns, labels: list.map(([label]) => String(label)), styles, numbers: list.map(([, value]) => value) });
            };
            const types = { delete: "deleted", insert: "inserted", move: "moved", update: "updated" };
            const counted = (list) => {
                const counts = { inserted: 0, deleted: 0, moved: 0, updated: 0 };
                for (const { type } of list) if (type in types) counts[types[type]]++;
                return counts;
            };
            // A change set with arrays of changes and without counts.
            const countsOf = ({ sections, items }) => Array.isArray(sections) && Array.isArray(items)
                ? { sections: counted(sections), rows: counted(items) } : undefined;
            if (typeof what !== "object" || what === null) {
                throw new TypeError("a chart is drawn of a change set, of rows, of values, or of numbers by name");
            }
            const counts = what.counts ?? countsOf(what);
            if (typeof counts === "object" && counts !== null && counts.rows !== undefined) {
                const named = (kind, all) => Object.entries(all).map(([name, count]) => [`${kind} ${name}`, count]);
                const sections = named("sections", counts.sections ?? {}).filter(([, count]) => count > 0);
                const changes = [...named("rows", counts.rows), ...sections];
                return bars(changes, "changes", changes.map(([name]) => name.slice(name.indexOf(" ") + 1)));
            }
            if (what instanceof Map) return bars(what);
            if (typeof what[Symbol.iterator] !== "function") return bars(Object.entries(what));
            const values = Array.from(what, (row) => column === undefined ? row : row?.[column]);
            const there = values.filter((value) => value !== null && value !== undefined);
            const missing = values.length - there.length;
            const isNumeric = there.every((value) => typeof value === "number" || typeof value === "bigint");
            const given = column === undefined ? undefined : String(column);
            if (isNumeric) {
                const numbers = there.map(Number), finite = numbers.filter(Number.isFinite);
                draw({ title: title ?? given, limit, columns, numbers: finite, missing: missing + numbers.length - finite.length });
            } else {
                draw({ title: title ?? given, limit, columns, texts: there.map(String), missing });
            }
        }
        """
}
