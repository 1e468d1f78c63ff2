import Foundation
import Testing

@Suite("browse")
struct BrowseTests {
    @Test("--record overwrites neither the file that is shown nor a file of a store, by any path")
    func sharedFiles() async throws {
        let workplace = try Workplace()
        let table = try workplace.write("id\n1\n", to: "t.csv")
        let other = "\(workplace.path)/tmp/../t.csv"
        for (recording, file) in [
            (table, table), (other, table), (table, table + ":x"), (table + "-wal", table),
        ] {
            let result = await workplace.run(["browse", "--record", recording, file])
            #expect(result.status == 2, "\(recording) \(file)")
            #expect(result.errorOutput.contains("'--record' would write over the table"))
        }
        #expect(try workplace.text(of: "t.csv") == "id\n1\n")
    }

    @Test("an empty file does not become a store")
    func emptyFile() async throws {
        let workplace = try Workplace()
        let empty = try workplace.write("", to: "empty.txt")
        let result = await workplace.run(["browse", empty + ":x"])
        #expect(result.status == 66)
        #expect(result.errorOutput.contains("is not a store"))
        #expect(try workplace.text(of: "empty.txt").isEmpty)
    }
}
