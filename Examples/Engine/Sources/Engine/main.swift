import JavaScriptEngine

struct Point: JSShaped { var x: Double, y: Double }
struct Route: Codable { var name: String, points: [Point], note: String? }

let context = try JSContext()

// Swift for scripts: the closure determines the types of parameters and results.
let scale = try context.makeFunction("scale") { (point: Point, factor: Double) in
    Point(x: point.x * factor, y: point.y * factor)
}
try context.globalObject.setValue(scale.value, forProperty: "scale")

// Scripts for Swift: a function becomes a closure.
try context.evaluate(
    """
    function total(numbers) { return numbers.reduce((sum, number) => sum + number, 0); }
    function doubled(route) {
        return { ...route, name: route.name + ' twice', points: route.points.map(point => scale(point, 2)) };
    }
    """,
    sourceURL: "routes.js"
)
let total: ([Int]) throws -> Int = try context.function("total")
let doubled: (Route) throws -> Route = try context.function("doubled")
print(try total([1, 2, 3]))
let route = try doubled(Route(name: "home", points: [Point(x: 1, y: 2.5)], note: nil))
print(route.name, route.points.map { [$0.x, $0.y] }, route.note ?? "without a note")

// A value that does not fit is an error with its key path.
do {
    _ = try context.evaluate("scale({ x: 1 }, 2)", sourceURL: "mistake.js")
} catch let error as JSException {
    print(error.message, error.codeFrame ?? "", separator: "\n")
}

// A time limit terminates a script that never ends.
let machine = JSVirtualMachine(limits: ExecutionLimits(processorTime: .milliseconds(50)))
do {
    try JSContext(virtualMachine: machine).evaluate("(async () => { for (;;) await null })()")
} catch let error as JSException where error.isTermination {
    print(error.message)
}
