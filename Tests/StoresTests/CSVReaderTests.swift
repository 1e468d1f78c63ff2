import Foundation
import Stores
import TestSupport
import Testing

@Suite("Reading CSV")
struct CSVReaderTests {
    static let good: [(text: String, records: [[String]])] = [
        ("", []),
        ("a", [["a"]]),
        ("a,b\n1,2\n", [["a", "b"], ["1", "2"]]),
        ("a,b\r\n1,2\r\n", [["a", "b"], ["1", "2"]]),
        ("a,b\r1,2\r", [["a", "b"], ["1", "2"]]),
        ("a\r\nb\nc\rd", [["a"], ["b"], ["c"], ["d"]]),
        ("\u{FEFF}a,b\n", [["a", "b"]]),
        ("\u{FEFF}", []),
        ("\u{FEFF}\"a\"", [["a"]]),
        (",\n", [["", ""]]),
        (",", [["", ""]]),
        ("\"\"", [[""]]),
        ("\"\",\"\"\n", [["", ""]]),
        ("\"a,b\",\"c\nd\",\"e\r\nf\"\n", [["a,b", "c\nd", "e\r\nf"]]),
        ("\"say \"\"hi\"\"\",x", [["say \"hi\"", "x"]]),
        ("\"\"\"\"", [["\""]]),
        ("\"\"\"\"\"\"\n\"a\"\"\"", [["\"\""], ["a\""]]),
        ("\n", [[""]]),
        ("a\n\nb", [["a"], [""], ["b"]]),
        (" a , b ", [[" a ", " b "]]),
        ("a\u{0}b,\u{1F600}\u{301},\u{2028}", [["a\u{0}b", "\u{1F600}\u{301}", "\u{2028}"]]),
    ]

    @Test("every form that RFC 4180 allows is read, for any chunk size", arguments: good)
    func wellFormed(_ text: String, _ records: [[String]]) throws {
        for piece in [4, 5, 7, 1_000] {
            #expect(try CSVReader(Array(text.utf8), piece: piece).allRecords() == records)
        }
    }

    @Test(
        "another delimiter replaces the comma, and the rules of quotes stay",
        arguments: [";", "\t", "|"]
    )
    func delimiter(_ delimiter: String) throws {
        let text = "a,b\n1,2\n\"x,\"\"y\"\"\",\n".replacing(",", with: delimiter) + "\",\"\(delimiter)z,"
        let byte = try #require(delimiter.utf8.first)
        for piece in [4, 1_000] {
            let records = try CSVReader(Array(text.utf8), piece: piece, delimiter: byte).allRecords()
            #expect(records == [["a", "b"], ["1", "2"], ["x\(delimiter)\"y\"", ""], [",", "z,"]])
        }
    }

    @Test("R19 the bytes and fields of a record are limited, and the error names both numbers")
    func bounds() {
        let long = #expect(throws: StoreError.self) {
            try CSVReader([UInt8](repeating: 0x61, count: 20 << 20), name: "long.csv").allRecords()
        }
        #expect(long?.code == .limitExceeded)
        #expect(long?.message.hasPrefix("long.csv:1: the record has more than 16") == true)
        #expect(long?.message.hasSuffix(" bytes (limit 16777216)") == true)
        let wide = #expect(throws: StoreError.self) {
            try CSVReader([UInt8](repeating: 0x2C, count: 40_000)).allRecords()
        }
        #expect(wide?.code == .limitExceeded)
        #expect(wide?.message == "test.csv:1: the record has more than 32768 fields (limit 32768)")
        let delimiter = #expect(throws: StoreError.self) { try CSVReader(path: "/dev/null", delimiter: "\"") }
        #expect(delimiter?.code == .invalidRequest)
    }

    static let bad: [(bytes: [UInt8], message: String)] = [
        (Array("a\n\"b\"c\n".utf8), "test.csv:2:4: text follows a closing quote"),
        (Array("a\nb\"c\n".utf8), "test.csv:2:2: a quote in an unquoted field"),
        (Array("a\n\u{E9}\u{1F600},\"b".utf8), "test.csv:2:4: unclosed quote"),
        (Array("a\n\"b\n\r\nc\"x".utf8), "test.csv:4:3: text follows a closing quote"),
        (Array("a\nb".utf8) + [0xFF], "test.csv:2:2: the text is not valid UTF-8"),
        // After and within words of eight bytes, and beyond line ends of each kind.
        (
            Array("a\r\n\"\r\n\r\r\n\n\n12345678".utf8) + [0x80, 0x22],
            "test.csv:7:9: the text is not valid UTF-8"
        ),
        (Array("12345678901".utf8) + [0xC3, 0x28], "test.csv:1:12: the text is not valid UTF-8"),
        (Array("a\r\n\"\n".utf8) + [0xC0, 0x80, 0x22], "test.csv:3:1: the text is not valid UTF-8"),
        (Array("a,".utf8) + [0xED, 0xA0, 0x80], "test.csv:1:3: the text is not valid UTF-8"),
        ([0xF4, 0x90, 0x80, 0x80], "test.csv:1:1: the text is not valid UTF-8"),
        ([0xE2, 0x82], "test.csv:1:1: the text is not valid UTF-8"),
        ([0xE2, 0x82, 0x2C, 0x61], "test.csv:1:1: the text is not valid UTF-8"),
    ]

    @Test("an error for invalid CSV names file, line and column", arguments: bad)
    func malformed(_ bytes: [UInt8], _ message: String) {
        for piece in [4, 6, 1_000] {
            let error = #expect(throws: StoreError.self) {
                try CSVReader(bytes, piece: piece).allRecords()
            }
            #expect(error?.code == .importFailed)
            #expect(error?.message == message)
        }
    }

    static let tolerated: [(bytes: [UInt8], records: [[String]], malformed: [Int])] = [
        (Array("a,b\nab\"c\"d,2\nx,1\n".utf8), [["a", "b"], ["ab\"c\"d", "2"], ["x", "1"]], [2]),
        (Array("\"b\"c,\"d\"\"e\"f\"g\"\r\nx".utf8), [["bc", "d\"ef\"g\""], ["x"]], [1]),
        (Array("a\n\"b\" ,c\nd".utf8), [["a"], ["b ", "c"], ["d"]], [2]),
        (Array("a\n1,\"b\n2,\"\"c\n".utf8), [["a"], ["1", "b\n2,\"c\n"]], [2]),
        (Array("\"".utf8), [[""]], [1]),
        (Array("a\"".utf8), [["a\""]], [1]),
        (Array("\"a\"b".utf8), [["ab"]], [1]),
        (
            Array("a\nM".utf8) + [0xFC] + Array("ller,\"x".utf8) + [0xE2, 0x82, 0x22, 0x0A, 0x62],
            [["a"], ["M\u{FFFD}ller", "x\u{FFFD}"], ["b"]], [2]
        ),
    ]

    @Test(
        "a lenient reader reads what the RFC does not allow as it is, and says where it did",
        arguments: tolerated
    )
    func lenient(_ bytes: [UInt8], _ records: [[String]], _ malformed: [Int]) throws {
        for piece in [4, 5, 7, 1_000] {
            let reader = CSVReader(bytes, piece: piece, isLenient: true)
            var lines: [Int] = []
            var found: [[String]] = []
            while try reader.next() {
                found.append((0..<reader.count).map { reader[$0] })
                if reader.isMalformed { lines.append(reader.line) }
            }
            #expect(found == records)
            #expect(lines == malformed)
        }
    }

    @Test("a lenient reader reads every form that RFC 4180 allows like a strict one", arguments: good)
    func lenientWellFormed(_ text: String, _ records: [[String]]) throws {
        let reader = CSVReader(Array(text.utf8), piece: 5, isLenient: true)
        var found: [[String]] = []
        while try reader.next() {
            found.append((0..<reader.count).map { reader[$0] })
            #expect(!reader.isMalformed)
        }
        #expect(found == records)
    }

    @Test("the UTF-8 check agrees with the standard library on random bytes")
    func validation() {
        var random = SeededGenerator.fromEnvironment()
        // Bytes at the boundaries of Unicode's table of well-formed sequences.
        let borders: [UInt8] = [
            0x41, 0x7F, 0x80, 0x8F, 0x90, 0x9F, 0xA0, 0xBF, 0xC0, 0xC1, 0xC2, 0xDF, 0xE0, 0xE1, 0xEC, 0xED,
            0xEE,
            0xEF, 0xF0, 0xF1, 0xF3, 0xF4, 0xF5, 0xFF,
        ]
        for _ in 0..<20_000 {
            let bytes = (0..<Int.random(in: 1...6, using: &random)).map { _ in
                borders.randomElement(using: &random) ?? 0
            }
            let isValid = String(validating: bytes, as: UTF8.self) != nil
            let reader = CSVReader(bytes)
            if isValid {
                #expect(throws: Never.self, "\(bytes), \(random.origin)") { try reader.allRecords() }
            } else {
                #expect(throws: StoreError.self, "\(bytes), \(random.origin)") { try reader.allRecords() }
            }
        }
    }

    @Test("random records with every allowed quoting are read correctly with any chunk size")
    func roundTrip() throws {
        var random = SeededGenerator.fromEnvironment()
        let pieces = ["", "a", "\"", ",", "\n", "\r", "\r\n", "\u{E9}", "\u{1F600}", " ", "xyz", "\u{0}"]
        for _ in 0..<2_000 {
            let records = (0..<Int.random(in: 1...6, using: &random)).map { _ in
                (0..<Int.random(in: 1...4, using: &random)).map { _ in
                    (0..<Int.random(in: 0...4, using: &random))
                        .map { _ in pieces.randomElement(using: &random) ?? "" }.joined()
                }
            }
            let ends = ["\n", "\r\n", "\r"]
            let end = ends.randomElement(using: &random) ?? "\n"
            var text = ""
            for record in records {
                let fields = record.map { field in
                    let mustQuote = field.utf8.contains { [0x22, 0x2C, 0x0A, 0x0D].contains($0) }
                    guard mustQuote || Bool.random(using: &random) else { return field }
                    return "\"" + field.replacing("\"", with: "\"\"") + "\""
                }
                text += fields.joined(separator: ",") + end
            }
            let reader = CSVReader(Array(text.utf8), piece: Int.random(in: 4...32, using: &random))
            #expect(try reader.allRecords() == records, "\(text.debugDescription), \(random.origin)")
        }
    }

    @Test("a field longer than a chunk is read, and lines are counted across line ends in fields")
    func longField() throws {
        let long = String(repeating: "0123456789\n", count: 30_000)
        let reader = CSVReader(Array("a,b\n\"\(long)\",2\nx,y".utf8), piece: 64)
        #expect(try reader.next())
        #expect(try reader.next())
        #expect(reader.line == 2)
        #expect(reader[0] == long)
        #expect(try reader.next())
        #expect(reader.line == 30_003)
        #expect(try !reader.next())
    }

    @Test("a missing file or a directory is an error with its path and the reason")
    func missing() {
        let missing = #expect(throws: StoreError.self) { try CSVReader(path: "/nowhere/a.csv") }
        #expect(missing?.message == "/nowhere/a.csv cannot be read: No such file or directory")
        let directory = #expect(throws: StoreError.self) { try CSVReader(path: "/").allRecords() }
        #expect(directory?.message == "/ cannot be read: Is a directory")
        #expect(directory?.code == .cannotOpen)
    }
}
