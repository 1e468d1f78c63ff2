import Foundation
import StoreTestSupport
import Stores
import StoresSQLite
import Testing

@Suite("Importing CSV")
struct CSVImportTests {
    let directory: TemporaryDirectory
    let store: SQLiteStore
    let log = DeliveryLog()
    let observation: StoreObservation
    static let place = EntityDescription(
        name: "place",
        attributes: [
            .init("code", .string, isOptional: false, isUnique: true), .init("name", .string),
            .init("height", .integer), .init("lat", .double, isOptional: false), .init("open", .boolean),
            .init("since", .date), .init("mark", .data),
        ]
    )

    init() throws {
        directory = try TemporaryDirectory()
        store = try SQLiteStore(location: .memory)
        try store.createEntity(Self.place)
        try store.write { transaction in
            try transaction.insert(
                into: "place",
                ["code": .string("OLD"), "lat": .double(1), "height": .integer(5)]
            )
        }
        observation = store.observe(log.add)
    }

    private func importing(_ text: String, _ mode: CSVImportMode = .insert) throws -> CSVImportSummary {
        try store.importCSV(from: directory.write(text, to: "t.csv"), into: "place", mode: mode)
    }

    private func all() throws -> [[AttributeValue]] {
        try store.read { try $0.fetch(FetchRequest(entityName: "place")).map(\.values) }
    }

    @Test("fields become values of their attributes' types, in any order of columns")
    func types() throws {
        let summary = try importing(
            #"""
            lat,code,open,since,mark,name,height
            1.5,A,true,2024-02-29,AAH/,"x, ""y""",-7
            -2e3,B,0,2024-02-29T12:30:00Z,,,
            0,C,FALSE,2024-02-29T12:30:00.5Z,,"",9223372036854775807

            """#
        )
        #expect(summary.inserted == 3 && summary.records == 3)
        let day = Date(timeIntervalSince1970: 1_709_164_800)
        #expect(
            try all().dropFirst() == [
                [
                    .string("A"), .string("x, \"y\""), .integer(-7), .double(1.5), .boolean(true), .date(day),
                    .data(Data([0, 1, 255])),
                ],
                [
                    .string("B"), .string(""), .null, .double(-2_000), .boolean(false), .date(day + 45_000),
                    .null,
                ],
                [
                    .string("C"), .string(""), .integer(.max), .double(0), .boolean(false),
                    .date(day + 45_000.5),
                    .null,
                ],
            ]
        )
        #expect(log.versions == [2])
    }

    static let bad: [(text: String, mode: CSVImportMode, message: String)] = [
        ("", .insert, ":1: the first line must name the columns"),
        ("\ncode,lat\n", .insert, ":1: the first line must name the columns"),
        ("code,lat,code\n", .insert, ":1: column 'code' occurs twice"),
        ("code,,lat\n", .insert, ":1: column 2 has no name"),
        (
            "code,lat,hight\n", .insert,
            ":1: column 'hight': entity 'place' has no attribute 'hight' (did you mean 'height'?)"
        ),
        ("code,lat\nA,1\nB\n", .insert, ":3: 1 fields for 2 columns"),
        ("code,lat\nA,1\nB,2,3\n", .insert, ":3: 3 fields for 2 columns"),
        ("code,lat\nA,1\n\nB,2\n", .insert, ":3: an empty line between records"),
        ("code,lat\n\"A\n1\",1\nB,x\n", .insert, ":4: column 'lat': 'x' is not a number"),
        ("code,lat\nA, 1\n", .insert, ":2: column 'lat': ' 1' is not a number"),
        ("code,lat\nA,nan\n", .insert, ":2: column 'lat': 'nan' is not a number"),
        ("code,lat\nA,0x10\n", .insert, ":2: column 'lat': '0x10' is not a number"),
        ("code,lat\nA,1e999\n", .insert, ":2: column 'lat': '1e999' is not a number"),
        ("code,lat\nA,\n", .insert, ":2: column 'lat': the field is empty and must have a value"),
        (
            "code,lat,height\nA,1,9223372036854775808\n", .insert,
            ":2: column 'height': '9223372036854775808' is not a whole number of 64 bits"
        ),
        (
            "code,lat,height\nA,1,1.0\n", .insert,
            ":2: column 'height': '1.0' is not a whole number of 64 bits"
        ),
        ("code,lat,open\nA,1,yes\n", .insert, ":2: column 'open': 'yes' is not true or false"),
        (
            "code,lat,since\nA,1,1.2.2024\n", .insert,
            ":2: column 'since': '1.2.2024' is not a date in ISO 8601"
        ),
        (
            "code,lat,since\nA,1,2024-02-30\n", .insert,
            ":2: column 'since': '2024-02-30' is not a date in ISO 8601"
        ),
        ("code,lat,mark\nA,1,=\n", .insert, ":2: column 'mark': '=' is not Base64"),
        ("code\nA\n", .insert, ":2: 'place.lat' must have a value"),
        (
            "code,lat\nA,1\nA,2\n", .insert,
            ":3: 'place.code' must be unique, and another row has string 'A' already"
        ),
        (
            "code,lat\nOLD,1\n", .insert,
            ":2: 'place.code' must be unique, and another row has string 'OLD' already"
        ),
        (
            "code,lat\nA,1\nOLD,2\nA,3\n", .upsert(by: "code"),
            ":4: column 'code': string 'A' occurs a second time"
        ),
        (
            "code,lat\nOLD,1\nOLD,1\n", .replace(by: "code"),
            ":3: column 'code': string 'OLD' occurs a second time"
        ),
        ("lat\n1\n", .upsert(by: "code"), ":1: the file has no column 'code', which is the key"),
        ("code,lat\nA,1\n\"B,2\n", .insert, ":3:1: unclosed quote"),
    ]

    @Test("dates are Gregorian, exact to the day and the zone")
    func dates() throws {
        let good: [(String, Double)] = [
            ("1970-01-01", 0), ("1969-12-31", -86_400), ("2000-02-29", 951_782_400),
            ("0001-01-01", -62_135_596_800),
            ("0000-12-31", -62_135_683_200), ("0000-01-01", -62_167_219_200), ("9999-12-31", 253_402_214_400),
            ("2024-02-29T12:30Z", 1_709_209_800), ("2024-02-29T12:30:15.125+01:30", 1_709_204_415.125),
            ("2024-02-29T00:00:00-00:30", 1_709_166_600),
        ]
        var text = "code,lat,since\n"
        for (index, entry) in good.enumerated() { text += "D\(index),1,\(entry.0)\n" }
        _ = try importing(text)
        #expect(try all().dropFirst().map { $0[5] } == good.map { .date(Date(timeIntervalSince1970: $0.1)) })
        for wrong in [
            "2023-02-29", "1900-02-29", "2024-13-01", "2024-00-10", "2024-01-00", "2024-1-01", "20240101",
            "2024-01-01T",
            "2024-01-01T10:00", "2024-01-01T24:00Z", "2024-01-01T10:60Z", "2024-01-01T10:00:60Z",
            "2024-01-01T10:00:00.Z",
            "2024-01-01T10:00Zx", "2024-01-01T10:00+1", "2024-01-01 10:00Z",
        ] {
            #expect(storeError { try importing("code,lat,since\nX,1,\(wrong)\n") }?.code == .importFailed)
        }
    }

    @Test(
        "an invalid line is an error with file, line and column, and the store is unchanged",
        arguments: bad
    )
    func badLines(_ text: String, _ mode: CSVImportMode, _ message: String) throws {
        let before = try all()
        let error = storeError { try importing(text, mode) }
        #expect(error == StoreError(.importFailed, directory.file("t.csv") + message))
        #expect(try all() == before)
        #expect(log.all.isEmpty)
    }

    @Test("other mistakes have their own error codes, and the store is unchanged")
    func otherMistakes() throws {
        #expect(storeError { try importing("code,lat\n", .upsert(by: "lat")) }?.code == .invalidRequest)
        #expect(storeError { try importing("code,lat\n", .upsert(by: "cod")) }?.code == .schema)
        let path = try directory.write("a\n1\n", to: "t.csv")
        #expect(storeError { try store.importCSV(from: path, into: "palce") }?.code == .schema)
        #expect(storeError { try store.importCSV(from: path + "x", into: "place") }?.code == .cannotOpen)
        // An entity that the import itself created is rolled back with it.
        let other = EntityDescription(name: "other", attributes: [.init("b", .string)])
        #expect(storeError { try store.importCSV(from: path, into: other) }?.code == .importFailed)
        #expect(store.entities.keys.sorted() == ["place"])
        #expect(try all().count == 1)
        #expect(log.all.isEmpty)
    }

    @Test("an upsert writes only differences; values outside the file stay")
    func upsert() throws {
        let text = "code,lat\nOLD,1\nA,2\nB,3\n"
        let first = try importing(text, .upsert(by: "code"))
        #expect((first.inserted, first.updated, first.unchanged) == (2, 0, 1))
        #expect(log.take("place")?.map(\.id) == [2, 3])
        #expect(try importing(text, .upsert(by: "code")).unchanged == 3)
        #expect(log.all.isEmpty)
        let second = try importing("code,lat\nOLD,9\nB,3\n", .upsert(by: "code"))
        #expect((second.inserted, second.updated, second.unchanged, second.deleted) == (0, 1, 1, 0))
        #expect(log.take("place")?.map { $0.new?[3] } == [.double(9)])
        #expect(try all()[0][2] == .integer(5))
    }

    @Test("a replacement makes the entity equal to the file")
    func replace() throws {
        _ = try importing("code,lat\nA,1\nB,2\nC,3\n")
        _ = log.take("place")
        let summary = try importing("lat,code\n1,A\n7,C\n8,D\n", .replace(by: "code"))
        #expect((summary.inserted, summary.updated, summary.unchanged, summary.deleted) == (1, 1, 1, 2))
        #expect(try all().map { $0[0] } == [.string("A"), .string("C"), .string("D")])
        #expect(
            log.take("place")?.map { [$0.old?[0], $0.new?[0]] } == [
                [.string("OLD"), nil], [.string("B"), nil], [.string("C"), .string("C")],
                [nil, .string("D")],
            ]
        )
        #expect(try importing("code,lat\n", .replace(by: "code")).deleted == 3)
        #expect(try all().isEmpty)
    }

    @Test("trailing blank lines are ignored; a byte order mark and CR LF are not part of names")
    func ends() throws {
        #expect(try importing("\u{FEFF}code,lat\r\nA,1\r\n\r\n\r\n").inserted == 1)
        #expect(try all().count == 2)
    }

    @Test("progress reaches the size of the file, and the default loader has the same result")
    func progressAndVerbs() throws {
        var text = "code,lat,name\n"
        for index in 0..<20_000 { text += "K\(index),\(index % 7),\"name of \(index)\"\n" }
        let path = try directory.write(text, to: "t.csv")
        var seen: [CSVProgress] = []
        try store.importCSV(from: path, into: "place", mode: .replace(by: "code")) { seen.append($0) }
        #expect(seen.count > 2)
        #expect(seen.map(\.bytesRead) == seen.map(\.bytesRead).sorted())
        #expect(
            seen.last.map { [$0.bytesRead, $0.totalBytes, $0.rows] } == [
                text.utf8.count, text.utf8.count, 20_000,
            ]
        )
        // A second store with the default loader.
        let values: [[AttributeValue]] = [
            [.string("A"), .double(1)], [.string("B"), .double(2)], [.string("A"), .double(1)],
            [.string("A"), .integer(3)],
        ]
        let outcomes: [RowOutcome] = [.inserted, .inserted, .unchanged, .updated]
        for isPlain in [true, false] {
            try store.write { transaction in
                for row in try transaction.fetch(FetchRequest(entityName: "place")) {
                    try transaction.delete(from: "place", id: row.id)
                }
                let used: any WriteTransaction = isPlain ? PlainTransaction(base: transaction) : transaction
                let loader = try used.makeLoader(for: "place", attributes: ["code", "lat"], key: "code")
                #expect(try values.map { try loader.put($0).outcome } == outcomes)
                #expect(storeError { try loader.put([.null]) }?.message == "1 values for 2 attributes")
                #expect(storeError { try loader.put([.null, .double(1)]) }?.code == .invalidValue)
                let adding = try used.makeLoader(for: "place", attributes: ["code", "lat"], key: nil)
                #expect(try adding.put([.string("C"), .double(1)]).outcome == .inserted)
                #expect(storeError { try adding.put([.string("C"), .double(1)]) }?.code == .notUnique)
            }
            #expect(try all().map { $0[3] } == [.double(3), .double(2), .double(1)])
        }
    }

    @Test("an entity inferred from a file can import that file")
    func inferred() throws {
        let path = try directory.write("icao,elevation,lat\nA,,1.5\nB,12,2\n", to: "t.csv")
        let entity = try EntityDescription.inferred(named: "airport", fromCSV: path, uniqueKey: "icao")
        #expect(try store.importCSV(from: path, into: entity, mode: .replace(by: "icao")).inserted == 2)
        #expect(try store.importCSV(from: path, into: entity, mode: .replace(by: "icao")).unchanged == 2)
    }
}

/// A transaction that implements only the required methods.
private struct PlainTransaction: WriteTransaction {
    let base: any WriteTransaction

    var version: Int { base.version }
    func fetch(_ request: FetchRequest) throws -> [Row] { try base.fetch(request) }
    func count(_ request: FetchRequest) throws -> Int { try base.count(request) }
    func rows(of entityName: String, ids: [RowID]) throws -> [Row?] {
        try base.rows(of: entityName, ids: ids)
    }
    func scan(
        _ request: FetchRequest,
        attributes: [String],
        _ body: (RowID, [AttributeValue]) throws -> Void
    ) throws { try base.scan(request, attributes: attributes, body) }
    func insert(into entityName: String, _ values: [String: AttributeValue]) throws -> RowID {
        try base.insert(into: entityName, values)
    }
    func update(_ entityName: String, id: RowID, _ values: [String: AttributeValue]) throws -> Bool {
        try base.update(entityName, id: id, values)
    }
    func delete(from entityName: String, id: RowID) throws -> Bool {
        try base.delete(from: entityName, id: id)
    }
    func upsert(into entityName: String, by key: String, _ values: [String: AttributeValue]) throws -> RowID {
        try base.upsert(into: entityName, by: key, values)
    }
    func savepoint<Result>(_ body: () throws -> Result) throws -> Result { try base.savepoint(body) }
}
