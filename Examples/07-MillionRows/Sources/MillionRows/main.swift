import BridgeData
import DataSources
import Foundation
import JavaScriptBridge

// A million rows that a script creates on demand.

struct Row: Codable, Hashable {
    var id: Int
    var name: String
    var even: Bool
}

let bridge = try Bridge(data: DataConfiguration())
try await bridge.load(
    .text(
        """
        let count = 1_000_000, asked = 0;
        const row = (id) => ({ id, name: `row ${id}`, even: id % 2 === 0 });
        globalThis.rows = bridge.registerDataSource('rows', {
            numberOfItems: () => count,
            window(section, from, to) {
                asked += 1;
                return Array.from({ length: to - from }, (_, index) => row(from + index));
            },
            // Returns the path of an identifier, so that the host does not ask a million rows for theirs.
            indexOf: (identifier) => ({ section: 0, item: Number(identifier) }),
        });
        """,
        name: "rows.js"
    )
)

// In a turn: synchronous, decoded as a type.
try await bridge.withDataSource("rows") { source in
    let rows = try source.window(section: 0, 999_998..<1_000_000, as: Row.self)
    print("the last of \(source.numberOfItems(in: 0)): \(rows.map(\.name).joined(separator: ", "))")
}

// From any thread: a mirror with the counts and the pages that were read last. A view of 60 rows draws 10,000 frames.
let mirror = try await bridge.mirrorDataSource("rows", of: Row.self)
var seen = 0
for frame in 0..<10_000 {
    let rows = try await mirror.window(section: 0, frame * 3..<frame * 3 + 60)
    seen += rows.count
    precondition(rows.first?.id == frame * 3)
}
let asked = try await bridge.withContext { try $0.evaluate("asked").toInt32() }
print(
    "\(seen) rows seen in 10000 frames, the script was asked \(asked < 1_000 ? "less than 1000" : "\(asked)") times"
)

// The mirror shows the old state until its owner processes the pending change.
try await bridge.load(
    .text("count += 1; rows.reload([{ type: 'insert', to: [0, 1_000_000] }]);", name: "more.js")
)
let arrival = ChangeSet.some([.item(type: .insert(IndexPath(item: 1_000_000, section: 0)))])
while mirror.numberOfItems(in: 0) == 1_000_000 {
    if let changes = mirror.processPendingChanges() {
        print("announced as one inserted row: \(changes == arrival)")
    }
    await Task.yield()
}
print("now \(mirror.numberOfItems(in: 0))")

// Saves the position of a view by the identifiers of its rows, here their `id`, and restores it.
let view = RowsView(counts: [1_000_001], rowLength: 20, viewportLength: 1_200, contentOffset: 10_000_007)
let place = try await mirror.savedState(of: view)
let found = try await mirror.restoredState(
    from: place,
    in: RowsView(counts: [1_000_001], rowLength: 40, viewportLength: 1_200)
)
print(
    "row \(place.anchor?.id ?? "none") found by \(found?.rule.rawValue ?? "none") at \(Int(found?.contentOffset ?? 0))"
)

// An invalid result of a source is an error and is not shown.
try await bridge.load(.text("count = -5; rows.reload([{ type: 'delete', from: [0, 0] }]);", name: "lie.js"))
try await bridge.withDataSource("rows") { source in
    print(
        "items of the invalid source: \(source.numberOfItems(in: 0)); \(source.lastError?.message ?? "no error")"
    )
}
bridge.close()
