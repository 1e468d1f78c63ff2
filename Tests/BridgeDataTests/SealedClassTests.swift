import BridgeData
import BridgeTesting
import JavaScriptBridge
import Stores
import StoresSQLite
import Testing

@Suite struct SealedClassTests {
    private func run(_ script: String) async throws -> [Value] {
        let results = Recorder<Value>()
        let bridge = try Bridge(
            data: DataConfiguration(stores: ["default": try SQLiteStore(location: .memory)])
        )
        try bridge.registerHandler("report") { (value: Value) in results.add(value) }
        try await bridge.load(
            .text(
                """
                const report = value => bridge.notify("report", value);
                const store = bridge.store();
                store.createEntity("x", { n: "integer" });
                const query = store.fetch("x", { sort: "n" });
                const snapshot = query.snapshot();
                query.onChange(changes => { query.close(); check({ store, query, snapshot, changes }); });
                store.insert("x", { n: 1 });

                """ + script,
                name: "sealed.js"
            )
        )
        await bridge.waitUntilIdle()
        return results.elements
    }

    @Test("scripts cannot construct a store, query, snapshot or change set", arguments: [0, 1, 2, 3])
    func constructors(index: Int) async throws {
        let results = try await run(
            """
            function check(objects) {
                const [name, object] = Object.entries(objects)[\(index)];
                const Class = object.constructor, errors = new Set();
                const tries = [
                    () => new Class(),
                    () => new Class("default"),
                    () => new Class(object),
                    () => new Class({}, "default", "x", {}),
                    () => Reflect.construct(Class, [{}, {}], Object),
                    () => new (class extends Class {})("default"),
                ];
                for (const attempt of tries) {
                    try { attempt(); errors.add("made") } catch (e) { errors.add(`${e instanceof TypeError} ${e.message}`) }
                }
                report([name, [...errors]]);
            }
            """
        )
        #expect(
            results == [
                [.string(["store", "query", "snapshot", "changes"][index]), ["true Illegal constructor"]]
            ]
        )
    }

    @Test("no member of a store, query, snapshot or change set gives a script a native object")
    func members() async throws {
        let results = try await run(
            """
            function check(objects) {
                const seen = new Set(), found = [];
                // What the classes have beyond what every function and object has.
                const walk = (value, path, depth) => {
                    if (Object(value) !== value || seen.has(value) || depth > 6) return;
                    seen.add(value);
                    const tag = Object.prototype.toString.call(value);
                    if (!["[object Object]", "[object Array]", "[object Function]", "[object GeneratorFunction]", "[object Generator]"].includes(tag)) found.push(path + " " + tag);
                    for (const key of Reflect.ownKeys(value)) {
                        const { value: member, get } = Object.getOwnPropertyDescriptor(value, key);
                        walk(member, path + "." + String(key), depth + 1);
                        walk(get, path + ".get " + String(key), depth + 1);
                    }
                };
                for (const [name, object] of Object.entries(objects)) {
                    walk(object, name, 0);
                    walk(Object.getPrototypeOf(object), name + ".prototype", 0);
                    const own = Reflect.ownKeys(object.constructor).filter(key => !["length", "name", "prototype"].includes(key));
                    if (own.length > 0 || Reflect.ownKeys(object).length > 0) found.push(name + " " + own.join());
                }
                report(found);
                // Foreign objects are refused in words, and show nothing.
                const { snapshot, changes } = objects;
                report([{}, null, 5, snapshot].map(other => { try { return snapshot.applying(other) } catch (e) { return e.code } }));
                report([{}, null, 5, changes].map(other => snapshot.equals(other)));
                report(snapshot.applying(changes).sections[0].ids.length);
            }
            """
        )
        let refusals = [Value](repeating: "invalidArgument", count: 4)
        #expect(results == [[], .array(refusals), [false, false, false, false], 1])
    }

    @Test("a script cannot change the shared members of stores, queries, snapshots, change sets and sources")
    func frozen() async throws {
        let results = try await run(
            """
            function check(objects) {
                for (const object of Object.values(objects)) {
                    const prototype = Object.getPrototypeOf(object);
                    report([Object.isFrozen(prototype), Reflect.set(prototype, "merging", 5)]);
                }
            }
            """
        )
        #expect(results == .init(repeating: [true, false], count: 4))
    }
}
