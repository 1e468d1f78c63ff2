import Testing

@testable import ManagedObjects

@Suite("Parsing JSON Lines")
struct LineTextTests {
    /// Returns the columns of a value and of all nested values, from left to right.
    private func columns(_ text: JSONLineValue) -> [Int] {
        switch text.kind {
        case .array(let elements): [text.column] + elements.flatMap(columns)
        case .object(let members): [text.column] + members.flatMap { columns($0.value) }
        default: [text.column]
        }
    }

    @Test("columns count characters, not bytes")
    func places() throws {
        var scanner = JSONLineParser(Array(#" {"ä€😀": [1, "öö", [true]], "b":{"c" : null},"d":[]} "#.utf8))
        let line = try scanner.read()
        #expect(columns(line) == [2, 10, 11, 14, 20, 21, 33, 40, 50])
        var wrong = JSONLineParser(Array(#"["ä",{"é":1,"é":2}]"#.utf8))
        let failure = #expect(throws: JSONLineError.self) { try wrong.read() }
        #expect(failure?.column == 13)
    }

    @Test("each byte of a line is counted once, for any number of values", arguments: [10, 1_000, 20_000])
    func effort(count: Int) throws {
        let bytes = Array("[\(Array(repeating: "[1]", count: count).joined(separator: ","))]".utf8)
        var scanner = JSONLineParser(bytes)
        let line = try scanner.read()
        #expect(columns(line).last == bytes.count - 2)
        #expect(scanner.countedBytes <= bytes.count)
    }
}
