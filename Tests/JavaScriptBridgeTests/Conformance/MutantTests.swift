import BridgeConformance
import BridgeTesting
import Testing

/// Mutants of the package's script, each of which a vector must detect: the vectors' own test.
@Suite struct MutantTests {
    /// A mutant: the replacement in the script, and a vector that must fail for it.
    struct Fault: Sendable, CustomTestStringConvertible {
        let vector: String
        let original: String
        let replacement: String
        var testDescription: String { "\(original) -> \(replacement)" }
    }

    static let faults: [Fault] = [
        Fault(
            vector: "P2 ",
            original: "if (isInstalled) {",
            replacement: "if (isInstalled) { lastNumber = 0;"
        ),
        Fault(
            vector: "P3 ",
            original: "later(runSetUp)",
            replacement: "undefined"
        ),
        Fault(
            vector: "P4 ",
            original: "if (!isDirect && state.post === undefined) host.signal();",
            replacement: ""
        ),
        Fault(
            vector: "P6 ",
            original: "const callbacks = setUpList();",
            replacement: "const callbacks = [...(setUpList() ?? [])].reverse();"
        ),
        Fault(
            vector: "P7 ",
            original:
                "callback(legacy);\n        } catch (error) {\n            reportError(error);",
            replacement: "callback(legacy);\n        } catch (error) {\n            throw error;"
        ),
        Fault(
            vector: "P9 ",
            original: "|| read(window, \"onerror\")",
            replacement: ""
        ),
        Fault(
            vector: "P11 ",
            original: "callWithCallback(name, null, data);",
            replacement: "callWithCallback(name, undefined, data);"
        ),
        Fault(
            vector: "P14 ",
            original: #"send("{\"handlerName\":" + quoted(name) + ",\"responseId\":""#,
            replacement: #"send("{\"responseId\":""#
        ),
        Fault(
            vector: "P17 ",
            original: "return typeof value === \"string\" && value !== \"\";",
            replacement: "return typeof value === \"string\";"
        ),
        Fault(
            vector: "P20 ",
            original: "lastCallNumber++;",
            replacement: "lastCallNumber += 2;"
        ),
        Fault(
            vector: "P33 ",
            original: "let isSynchronous = isDirect;",
            replacement: "let isSynchronous = true;"
        ),
        Fault(
            vector: "P38 ",
            original: "return isSynchronous && !isSettingUp && inbox.first === null;",
            replacement: "return isSynchronous && !isSettingUp;"
        ),
        Fault(
            vector: "P44 ",
            original: "if (reply.isDone) {",
            replacement: "if (false) {"
        ),
        Fault(
            vector: "P45 ",
            original: "const call = pending.take(id);",
            replacement: "const call = pending.get(id);"
        ),
        Fault(
            vector: "P48 ",
            original: "reply === null ? handler(data, nothing) :",
            replacement: "reply === null ? handler(data) :"
        ),
        Fault(
            vector: "P51 ",
            original: "if (typeof callback === \"function\") {",
            replacement: "if (callback) {"
        ),
        Fault(
            vector: "P56 ",
            original: "const isAnswered = id !== undefined && (accepted & accepts.errors) !== 0;",
            replacement: "const isAnswered = id !== undefined;"
        ),
        Fault(
            vector: "P59 ",
            original: "const handlers = makeNameTable();",
            replacement:
                "const table = {}; const handlers = { get: n => typeof table[n] === 'function' ? { handler: table[n], isLegacy: true, takesCallback: true } : table[n], set: (n, e) => { table[n] = e }, delete: n => delete table[n], forEach() {}, size: 0, has: n => n in table };"
        ),
        Fault(
            vector: "P61 ",
            original: "throw new TypeError(\"The handler for",
            replacement: "return; (\"The handler for"
        ),
        Fault(
            vector: "P65 ",
            original:
                "const dataText = dataMember(data, isCopied);",
            replacement:
                "let dataText; try { dataText = dataMember(data, isCopied); } catch { return; }"
        ),
    ]

    @Test("a mutant is detected by the vector for it", arguments: faults)
    func isFound(fault: Fault) throws {
        let script = try ConformanceFixtures.ourScript()
        let broken = script.replacing(fault.original, with: fault.replacement)
        try #require(broken != script, "the script has no \(fault.original) any more")
        let vectors = try ConformanceFixtures.vectors(.script).filter { vector in
            vector.name.split(separator: " ").contains(Substring(fault.vector.dropLast()))
        }
        let conformance = ScriptConformance(script: broken)
        let failures = try vectors.compactMap { try conformance.run($0) }
        #expect(!failures.isEmpty, "\(fault.vector)did not find it")
    }
}
