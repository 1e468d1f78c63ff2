import BridgeValues
import JavaScriptEngine

// The Swift runtime exports its retain counts. No release may occur between two readings, so this example uses no plain
// references: an `Unmanaged` pointer retains and releases only on request.
@_silgen_name("swift_retainCount") private func swiftRetainCount(_ object: UnsafeMutableRawPointer) -> UInt

final class Person {
    let name: String

    init(_ name: String) { self.name = name }

    deinit { print("  \(name) is gone") }
}

func retainCount(_ person: Unmanaged<Person>) -> UInt { swiftRetainCount(person.toOpaque()) }

func row(_ step: String, _ counts: [UInt]) {
    let padding = String(repeating: " ", count: max(0, 32 - step.count))
    print("  " + step + (counts.isEmpty ? "" : padding) + counts.map { String($0) }.joined(separator: "   "))
}

print("from Swift")
let first = Unmanaged.passRetained(Person("Ada"))
row("creation", [retainCount(first)])
let second = first
row("second pointer, not retained", [retainCount(first), retainCount(second)])
_ = second.retain()
row("retain", [retainCount(first), retainCount(second)])
first.release()
row("release", [retainCount(first), retainCount(second)])
second.release()

/// The object that represents a person in scripts.
///
/// It retains the person until it is disposed of or collected.
final class Handle {
    private var person: Unmanaged<Person>?

    init(_ name: String) { person = Unmanaged.passRetained(Person(name)) }

    deinit { dispose() }

    func open() throws -> Unmanaged<Person> {
        guard let person else { throw BridgeError("person.gone", "this person was disposed of") }
        return person
    }

    func dispose() {
        person?.release()
        person = nil
    }
}

let context = try JSContext()

func define(_ name: String, in context: JSContext, _ body: @escaping (Handle) throws -> Value) throws {
    let function = try context.makeFunction(named: name, parameterCount: 1) { arguments in
        guard let handle = arguments.first?.toObject(of: Handle.self) else {
            throw BridgeError(.invalidArgument, "not a person")
        }
        return try JSValue(object: body(handle), in: arguments[0].context)
    }
    try context.globalObject.setValue(function, forProperty: name)
}

try define("retainCount", in: context) { .integer(Int64(try retainCount($0.open()))) }
try define("retain", in: context) { handle in
    _ = try handle.open().retain()
    return .undefined
}
try define("release", in: context) { handle in
    try handle.open().release()
    return .undefined
}
try define("dispose", in: context) { handle in
    handle.dispose()
    return .undefined
}
let create = try context.makeFunction(named: "createPerson", parameterCount: 1) { arguments in
    try JSValue(object: Handle(arguments[0].toString()), in: arguments[0].context)
}
try context.globalObject.setValue(create, forProperty: "createPerson")
let printRow = try context.makeFunction("row") { (step: String, counts: [Int]) in
    row(step, counts.map { UInt($0) })
}
try context.globalObject.setValue(printRow.value, forProperty: "row")

print("from JavaScript")
try context.evaluate(
    """
    const first = createPerson("Grace");
    row("creation", [retainCount(first)]);
    const second = first;
    row("a second variable", [retainCount(first), retainCount(second)]);
    retain(second);
    row("retain", [retainCount(first), retainCount(second)]);
    release(first);
    row("release", [retainCount(first), retainCount(second)]);
    dispose(second);
    try { retainCount(first); } catch (error) { row(error.code + ": " + error.message, []); }
    """,
    sourceURL: "lifetimes.js"
)
