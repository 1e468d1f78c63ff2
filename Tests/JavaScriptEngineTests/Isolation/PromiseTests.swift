import BridgeTesting
import BridgeValues
import JavaScriptEngine
import TestSupport
import Testing

/// Promises in Swift code, inside a context's isolation.
@Suite struct PromiseTests {
    @Test("a promise reports its state immediately, inside a turn too", .needs(.promiseStatus))
    func states() throws {
        let context = try JSContext()
        try context.withTurn {
            let fulfilled = try JSPromise(context.evaluate("Promise.resolve(1)"))
            let rejected = try JSPromise(context.evaluate("var r = Promise.reject(2); r.catch(() => {}); r"))
            let pending = try JSPromise(context.evaluate("new Promise(() => {})"))
            #expect(fulfilled.state == .fulfilled)
            #expect(rejected.state == .rejected)
            #expect(pending.state == .pending)
            let (own, resolvers) = try JSPromise.withResolvers(in: context)
            #expect(own.state == .pending)
            try resolvers.resolve(with: 1)
            #expect(own.state == .fulfilled)
        }
    }

    @Test(
        "a promise of the language's class is used itself; a thenable is followed; the rest is refused"
    )
    func making() throws {
        let context = try JSContext()
        let own = try context.evaluate("var own = Promise.resolve(1); own")
        try context.globalObject.setValue(try JSPromise(own).value, forProperty: "same")
        #expect(try context.evaluate("same === own").toValue() == true)
        let thenable = try JSPromise(context.evaluate("({ then(resolve) { resolve('followed') } })"))
        let seen = Box<Value>(.undefined)
        try thenable.then {
            seen.value = try $0.toValue()
            return nil
        }
        #expect(seen.value == "followed")
        #expect(thenable.state == .fulfilled)
        for script in ["1", "null", "undefined", "'then'", "({})", "({ then: 1 })", "Symbol()"] {
            let value = try context.evaluate(script)
            let error = try #require(throws: JSException.self) { try JSPromise(value) }
            #expect(error.name == "TypeError", "\(script)")
        }
        let throwing = try context.evaluate("({ get then() { throw new RangeError('no') } })")
        let error = try #require(throws: JSException.self) { try JSPromise(throwing) }
        #expect(error.name == "RangeError")
    }

    @Test("a promise reports its state once microtasks have run")
    func statesAfterTurns() throws {
        let context = try JSContext()
        let fulfilled = try JSPromise(context.evaluate("Promise.resolve(1)"))
        let rejected = try JSPromise(context.evaluate("var r = Promise.reject(2); r.catch(() => {}); r"))
        let pending = try JSPromise(context.evaluate("new Promise(() => {})"))
        #expect(fulfilled.state == .fulfilled)
        #expect(rejected.state == .rejected)
        #expect(pending.state == .pending)
    }

    // Without it a reaction reports the state, and the reaction handles the rejection.
    @Test("reading a promise's state does not handle or repeat its rejection", .needs(.promiseStatus))
    func looking() throws {
        let context = try JSContext()
        let errors = Box<[String]>([])
        context.uncaughtErrorHandler = { errors.value.append($0.message) }
        try context.withTurn {
            let unhandled = try JSPromise(context.evaluate("Promise.reject(new Error('unhandled'))"))
            #expect(unhandled.state == .rejected)
            let handled = try JSPromise(context.evaluate("Promise.reject(new Error('handled'))"))
            try context.evaluate("x => x.catch(() => {})").call(withArguments: [handled.value])
        }
        #expect(errors.value == ["unhandled"])
    }

    @Test("then runs in a microtask, and passes on results, errors, and values without a handler")
    func then() throws {
        let context = try JSContext()
        let log = Box<[String]>([])
        try context.withTurn {
            let (promise, resolvers) = try JSPromise.withResolvers(in: context)
            #expect(promise.state == .pending)
            let derived = try promise.then { value in
                log.value.append("value \(try value.decode(Int.self))")
                return try JSValue("next", in: context)
            }
            try derived.then { value in
                log.value.append("derived \(try value.decode(String.self))")
                throw BridgeError(BridgeErrorCode(rawValue: "shop.closed"), "closed")
            }
            .then { _ in
                log.value.append("never")
                return nil
            }
            .catch { error in
                log.value.append("caught \(try error.forProperty("code").decode(String.self))")
                return nil
            }
            try resolvers.resolve(with: 1)
            try resolvers.resolve(with: 2)
            try resolvers.reject(with: CancellationError())
            #expect(log.value.isEmpty)
        }
        #expect(log.value == ["value 1", "derived next", "caught shop.closed"])
    }

    @Test("Swift settles a promise that it has created, from any later turn, with values and errors")
    func resolvers() throws {
        let context = try JSContext()
        let (promise, resolvers) = try JSPromise.withResolvers(in: context)
        try context.globalObject.setValue(promise.value, forProperty: "ready")
        try context.evaluate(
            "var result; ready.catch(error => { result = `${error.code}: ${error.message}` })"
        )
        context.virtualMachine.collectGarbage()
        try resolvers.reject(with: BridgeError(.denied, "no grant"))
        #expect(try context.evaluate("result").toValue() == "denied: no grant")
        #expect(promise.state == .rejected)
    }

    private static let tamperings = [
        "Promise.prototype.then = function () { throw new Error('mine') }",
        "Promise.prototype.then = () => {}",
        "delete Promise.prototype.then",
        "Object.defineProperty(Promise.prototype, 'constructor', { get() { throw new Error('mine') } })",
        "Object.defineProperty(Promise, Symbol.species, { value: function (run) { run(() => {}, () => {}) } })",
        "Promise.resolve = () => 1; globalThis.Promise = undefined",
        "Object.prototype.then = function () {}",
    ]

    @Test("a script's changes of promises do not affect Swift's own", arguments: tamperings)
    func tampering(script: String) async throws {
        let runtime = try JavaScriptRuntime()
        try await runtime.evaluate(
            "globalThis.f = async x => { if (x < 0) throw new RangeError('negative'); return x + 1 }; \(script)"
        )
        #expect(try await runtime.callAsync("f", with: [1]) == 2)
        let error = try await #require(throws: JSException.self) {
            try await runtime.callAsync("f", with: [-1])
        }
        #expect(error.name == "RangeError")
        let ready = try await runtime.awaitPromise { context in
            let (promise, resolvers) = try JSPromise.withResolvers(in: context)
            try resolvers.resolve(with: "own")
            return promise.value
        }
        #expect(ready == "own")
    }

    @Test(
        "a script's changes of promises change no state immediately",
        .needs(.promiseStatus),
        arguments: tamperings
    )
    func tamperedState(script: String) throws {
        let context = try JSContext()
        try context.evaluate("{ \(script) }")
        try context.withTurn {
            let (promise, resolvers) = try JSPromise.withResolvers(in: context)
            try resolvers.resolve(with: "own")
            #expect(promise.state == .fulfilled)
        }
    }
}
