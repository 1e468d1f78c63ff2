import Stores
import Testing

@Suite("Inferring an entity from a file")
struct CSVInferenceTests {
    @Test("types fit the whole column; codes that look like numbers stay strings")
    func types() throws {
        let text = """
            key,whole,number,mixed,zip,huge,empty,word,negative
            A,1,1.5,1,007,18446744073709551616,,x,-0
            B,,2,x,123,1,,,-12
            C,-3,1e3,2,1,2,,y,0.5

            """
        let entity = try EntityDescription.inferred(
            named: "thing",
            from: CSVReader(Array(text.utf8)),
            uniqueKey: "key"
        )
        #expect(
            entity.attributes == [
                .init("key", .string, isOptional: false, isUnique: true),
                .init("whole", .integer, isOptional: true),
                .init("number", .double, isOptional: false),
                .init("mixed", .string, isOptional: false),
                .init("zip", .string, isOptional: false),
                .init("huge", .string, isOptional: false),
                .init("empty", .string, isOptional: true),
                .init("word", .string, isOptional: true),
                .init("negative", .double, isOptional: false),
            ]
        )
    }

    @Test("columns of booleans and ISO dates are inferred; an empty field does not affect the type")
    func booleansAndDates() throws {
        let text = """
            flag,day,moment,bit,mixed,word,late
            true,2024-02-29,2024-02-29T12:30:00Z,1,true,yes,
            FALSE,,2024-02-29T12:30:00.25+01:00,0,1,no,
            ,2025-01-01,2025-01-01,1,2024-01-01,true,2024-02-30

            """
        let entity = try EntityDescription.inferred(
            named: "thing",
            from: CSVReader(Array(text.utf8)),
            uniqueKey: nil
        )
        #expect(
            entity.attributes == [
                .init("flag", .boolean), .init("day", .date), .init("moment", .date, isOptional: false),
                .init("bit", .integer, isOptional: false), .init("mixed", .string, isOptional: false),
                .init("word", .string, isOptional: false), .init("late", .string),
            ]
        )
    }

    @Test("a key that is not a column is an error that suggests similar columns")
    func missingKey() {
        let error = #expect(throws: StoreError.self) {
            try EntityDescription.inferred(
                named: "t",
                from: CSVReader(Array("icao\nA".utf8)),
                uniqueKey: "iaco"
            )
        }
        #expect(error?.message == "test.csv has no column 'iaco' (did you mean 'icao'?)")
    }
}
