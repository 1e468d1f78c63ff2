// What calls take and refuse, compiled and never run: made of the list in TypeShapeTests.swift. What is said to be
// an error, and is none, is one.

async function calls(): Promise<void> {

    await bridge.callHandler("Plain", { id: 1, list: [], table: {}, role: "guest", raw: "one", level: 1, inner: { flag: true }});
    await bridge.callHandler("Plain", { id: 1, list: [], table: {}, role: "guest", raw: "one", level: 1, inner: { flag: true }, name: null, inners: [], class: 255 });
    await bridge.callHandler("Plain", { id: 5n, name: "n", list: [1, 1.5], table: { a: true }, role: "admin", raw: "two", level: 0, inner: { flag: false }, inners: [{ flag: true }] });
    await bridge.callHandler("Plain", { id: 1, list: [], table: {}, role: "guest", raw: "one", level: 1, inner: { flag: true }, class: 256 });
    // @ts-expect-error
    await bridge.callHandler("Plain", {});
    // @ts-expect-error
    await bridge.callHandler("Plain", 5);
    // @ts-expect-error
    await bridge.callHandler("Plain", null);
    // @ts-expect-error
    await bridge.callHandler("Plain", []);
    // @ts-expect-error
    await bridge.callHandler("Plain", { id: 1, list: [], table: {}, role: "guest", raw: "one", level: 1, inner: { flag: true }, name: 5 });
    // @ts-expect-error
    await bridge.callHandler("Plain", { id: 1, list: [], table: {}, role: "guest", raw: "one", level: 1, inner: { flag: true }, inners: [{}] });
    // @ts-expect-error
    await bridge.callHandler("Plain", { id: 1, list: [], table: {}, role: "guest", raw: "one", level: 1, inner: { flag: true }, class: true });
    // @ts-expect-error
    await bridge.callHandler("Plain", { id: 1, list: [], table: {}, role: "other", raw: "one", level: 1, inner: { flag: true } });
    // @ts-expect-error
    await bridge.callHandler("Plain", { id: "1", list: [], table: {}, role: "guest", raw: "one", level: 1, inner: { flag: true } });
    // @ts-expect-error
    await bridge.callHandler("Plain", { id: 1, list: [], table: {}, role: "guest", raw: "three", level: 1, inner: { flag: true } });
    // @ts-expect-error
    await bridge.callHandler("Plain", { id: 1, list: [], table: {}, role: "guest", raw: "one", level: 2, inner: { flag: true } });
    // @ts-expect-error
    await bridge.callHandler("Plain", { id: 1, list: [], table: {}, role: "guest", raw: "one", level: 1, inner: { flag: true }, nam: "n" });

    await bridge.callHandler("Omitted", { id: 1 });
    await bridge.callHandler("Omitted", { id: 1, cache: [] });
    // @ts-expect-error
    await bridge.callHandler("Omitted", {});

    await bridge.callHandler("Empty", {});

    await bridge.callHandler("Page<Optional<Int>>", { items: [1, null], first: null });
    await bridge.callHandler("Page<Optional<Int>>", { items: [], first: 1 });
    await bridge.callHandler("Page<Optional<Int>>", { items: Object.freeze([1, null]), first: null });
    // @ts-expect-error
    await bridge.callHandler("Page<Optional<Int>>", { items: ["a"], first: 1 });
    // @ts-expect-error
    await bridge.callHandler("Page<Optional<Int>>", { first: 1 });
    // @ts-expect-error
    await bridge.callHandler("Page<Optional<Int>>", { items: [] });
    // @ts-expect-error
    await bridge.callHandler("Page<Optional<Int>>", { items: [], first: 1, last: 1 });

    await bridge.callHandler("Node", { value: 1, next: { value: 2 } });
    // @ts-expect-error
    await bridge.callHandler("Node", { value: 1, next: {} });
    // @ts-expect-error
    await bridge.callHandler("Node", { value: 1, nxt: null });

    await bridge.callHandler("Tree", { name: "a", children: [{ name: "b", children: [] }] });
    // @ts-expect-error
    await bridge.callHandler("Tree", { name: "a", children: [{ name: "b" }] });
    // @ts-expect-error
    await bridge.callHandler("Tree", { name: "a", children: [], size: 1 });

    await bridge.callHandler("Figure", { circle: { radius: 1 } });
    await bridge.callHandler("Figure", { nothing: {} });
    await bridge.callHandler("Figure", { circle: { radius: 1 }, nothing: {} });
    // @ts-expect-error
    await bridge.callHandler("Figure", 5);
    // @ts-expect-error
    await bridge.callHandler("Figure", {});
    // @ts-expect-error
    await bridge.callHandler("Figure", { circle: {} });
    // @ts-expect-error
    await bridge.callHandler("Figure", { square: { side: "a" } });
    // @ts-expect-error
    await bridge.callHandler("Figure", { circel: { radius: 1 } });

    await bridge.callHandler("Formula", { sum: { _0: { number: { _0: 1 } }, _1: { number: { _0: 2 } } } });
    await bridge.callHandler("Formula", { named: { _0: "a" } });
    await bridge.callHandler("Formula", { named: { _0: "a", as: { number: { _0: 1 } } } });
    // @ts-expect-error
    await bridge.callHandler("Formula", { sum: { _0: { number: { _0: 1 } } } });
    // @ts-expect-error
    await bridge.callHandler("Formula", { sum: { _0: 1, _1: 2 } });
    // @ts-expect-error
    await bridge.callHandler("Formula", { named: { _0: "a", as: 1 } });

    await bridge.callHandler("LooseFigure", { circle: { radius: 1 } });
    await bridge.callHandler("LooseFigure", { circle: {} });
    await bridge.callHandler("LooseFigure", {});
    // @ts-expect-error
    await bridge.callHandler("LooseFigure", 5);

    await bridge.callHandler("HoldsFigure", { name: "a", figure: { nothing: {} } });
    // @ts-expect-error
    await bridge.callHandler("HoldsFigure", { figure: { nothing: {} } });
    // @ts-expect-error
    await bridge.callHandler("HoldsFigure", { name: "a" });
    // @ts-expect-error
    await bridge.callHandler("HoldsFigure", { name: "a", figure: {} });
    // @ts-expect-error
    await bridge.callHandler("HoldsFigure", { name: "a", figure: { nothing: {} }, nam: "a" });

    await bridge.callHandler("Moments", { date: new Date(0), bytes: new Uint8Array(1), amount: 1, page: "http://a", key: "E621E1F8-C36C-495A-93FC-0C247A3E6E5F", ratio: 1 });
    await bridge.callHandler("Moments", { date: "2020-01-01T00:00:00Z", bytes: new ArrayBuffer(1), amount: 1.5, page: "http://a", key: "E621E1F8-C36C-495A-93FC-0C247A3E6E5F", ratio: 1 });
    await bridge.callHandler("Moments", { date: new Date(0), bytes: new DataView(new ArrayBuffer(1)), amount: 5n, page: "http://a", key: "E621E1F8-C36C-495A-93FC-0C247A3E6E5F", ratio: 1 });
    await bridge.callHandler("Moments", { date: new Date(0), bytes: new Uint16Array(2), amount: "1.25", page: "http://a", key: "E621E1F8-C36C-495A-93FC-0C247A3E6E5F", ratio: 1 });
    // @ts-expect-error
    await bridge.callHandler("Moments", { date: 5, bytes: new Uint8Array(1), amount: 1, page: "http://a", key: "E621E1F8-C36C-495A-93FC-0C247A3E6E5F", ratio: 1 });
    // @ts-expect-error
    await bridge.callHandler("Moments", { date: new Date(0), bytes: [1], amount: 1, page: "http://a", key: "E621E1F8-C36C-495A-93FC-0C247A3E6E5F", ratio: 1 });
    // @ts-expect-error
    await bridge.callHandler("Moments", { date: new Date(0), bytes: new Uint8Array(1), amount: true, page: "http://a", key: "E621E1F8-C36C-495A-93FC-0C247A3E6E5F", ratio: 1 });

    await bridge.callHandler("Record", { id: 1, tags: { a: "b" } });
    // @ts-expect-error
    await bridge.callHandler("Record", { id: 1, tags: { a: 1 } });

    await bridge.callHandler("Holder", { date: { a: 1 }, text: { a: 1 }, array: { a: 1, bytes: new Uint8Array(1) }, moment: new Date(0) });
    // @ts-expect-error
    await bridge.callHandler("Holder", { date: new Date(0), text: { a: 1 }, array: { a: 1, bytes: new Uint8Array(1) }, moment: new Date(0) });

    await bridge.callHandler("ByKey", { scores: { x: 1, y: 2 } });
    await bridge.callHandler("ByKey", { scores: {} });
    await bridge.callHandler("ByKey", { scores: { z: 1 } });
    // @ts-expect-error
    await bridge.callHandler("ByKey", { scores: ["x", 1] });
    // @ts-expect-error
    await bridge.callHandler("ByKey", { scores: { x: "a" } });

    await bridge.callHandler("Wrapped", { name: "a" });
    await bridge.callHandler("Wrapped", { name: "a", isNew: true });
    // @ts-expect-error
    await bridge.callHandler("Wrapped", { name: "a", isNew: 1 });
    // @ts-expect-error
    await bridge.callHandler("Wrapped", { isNew: true });
    // @ts-expect-error
    await bridge.callHandler("Wrapped", { name: "a", isNw: true });

    await bridge.callHandler("Twice", { b: [null, 1] });
    await bridge.callHandler("Twice", { a: null, b: [] });
    // @ts-expect-error
    await bridge.callHandler("Twice", { a: "a", b: [] });
    // @ts-expect-error
    await bridge.callHandler("Twice", { a: 1 });
    // @ts-expect-error
    await bridge.callHandler("Twice", { b: [], c: 1 });

    await bridge.callHandler("ByRaw", { scores: ["one", 1] });
    // @ts-expect-error
    await bridge.callHandler("ByRaw", { scores: { one: 1 } });

    await bridge.callHandler("ByNumber", { names: { 1: "a" } });
    // @ts-expect-error
    await bridge.callHandler("ByNumber", { names: { 1: 1 } });

    await bridge.callHandler("IntOrString", 1);
    await bridge.callHandler("IntOrString", "abc");
    await bridge.callHandler("IntOrString", 5n);
    // @ts-expect-error
    await bridge.callHandler("IntOrString", true);
    // @ts-expect-error
    await bridge.callHandler("IntOrString", null);
    // @ts-expect-error
    await bridge.callHandler("IntOrString", []);
    // @ts-expect-error
    await bridge.callHandler("IntOrString", {});

    await bridge.callHandler("HoldsEither", { id: "abc", name: "n" });
    await bridge.callHandler("HoldsEither", { id: 1, name: "n" });
    // @ts-expect-error
    await bridge.callHandler("HoldsEither", { id: true, name: "n" });
    // @ts-expect-error
    await bridge.callHandler("HoldsEither", { name: "n" });
    // @ts-expect-error
    await bridge.callHandler("HoldsEither", { id: 1, name: "n", nam: 1 });

    await bridge.callHandler("TextOrObject", "abc");
    await bridge.callHandler("TextOrObject", { name: "abc" });
    // @ts-expect-error
    await bridge.callHandler("TextOrObject", 5);
    // @ts-expect-error
    await bridge.callHandler("TextOrObject", {});
    // @ts-expect-error
    await bridge.callHandler("TextOrObject", { name: 5 });
    // @ts-expect-error
    await bridge.callHandler("TextOrObject", { name: "abc", nam: 1 });

    await bridge.callHandler("OneOrMany", { flag: true });
    await bridge.callHandler("OneOrMany", [{ flag: true }]);
    await bridge.callHandler("OneOrMany", []);
    // @ts-expect-error
    await bridge.callHandler("OneOrMany", 5);
    // @ts-expect-error
    await bridge.callHandler("OneOrMany", {});
    // @ts-expect-error
    await bridge.callHandler("OneOrMany", [5]);

    await bridge.callHandler("Maybe", 5);
    await bridge.callHandler("Maybe", null);
    // @ts-expect-error
    await bridge.callHandler("Maybe", "a");
    // @ts-expect-error
    await bridge.callHandler("Maybe", {});

    await bridge.callHandler("AnyCode", 5);
    await bridge.callHandler("AnyCode", null);
    await bridge.callHandler("AnyCode", [1, { a: ["b", null, true] }]);

    await bridge.callHandler("TakesAll", 5);
    await bridge.callHandler("TakesAll", null);
    await bridge.callHandler("TakesAll", { name: "a" });
    await bridge.callHandler("TakesAll", { name: 5 });
    await bridge.callHandler("TakesAll", []);

    await bridge.callHandler("Role", "admin");
    // @ts-expect-error
    await bridge.callHandler("Role", "Admin");
    // @ts-expect-error
    await bridge.callHandler("Role", "other");
    // @ts-expect-error
    await bridge.callHandler("Role", 5);

    await bridge.callHandler("Lenient", "known");
    await bridge.callHandler("Lenient", "new");
    // @ts-expect-error
    await bridge.callHandler("Lenient", 5);

    await bridge.callHandler("AnyCase", "low");
    await bridge.callHandler("AnyCase", "HIGH");
    await bridge.callHandler("AnyCase", "other");
    // @ts-expect-error
    await bridge.callHandler("AnyCase", 5);

    await bridge.callHandler("Hiding", "shown");
    await bridge.callHandler("Hiding", "hidden");
    // @ts-expect-error
    await bridge.callHandler("Hiding", "other");

    await bridge.callHandler("Sign", -1);
    await bridge.callHandler("Sign", 1);
    await bridge.callHandler("Sign", 1n);
    // @ts-expect-error
    await bridge.callHandler("Sign", 0);
    // @ts-expect-error
    await bridge.callHandler("Sign", 0n);
    // @ts-expect-error
    await bridge.callHandler("Sign", "1");

    await bridge.callHandler("Spelled", "low");
    await bridge.callHandler("Spelled", "HIGH");
    await bridge.callHandler("Spelled", "other");
    // @ts-expect-error
    await bridge.callHandler("Spelled", 5);

    await bridge.callHandler("Forgiving", { name: "a" });
    await bridge.callHandler("Forgiving", { name: "a", limit: 5 });
    await bridge.callHandler("Forgiving", { name: "a", limit: "many" });
    // @ts-expect-error
    await bridge.callHandler("Forgiving", {});
    // @ts-expect-error
    await bridge.callHandler("Forgiving", { limit: 5 });
    // @ts-expect-error
    await bridge.callHandler("Forgiving", { name: 5 });

    await bridge.callHandler("Defaulted", { name: "a" });
    await bridge.callHandler("Defaulted", { name: "a", limit: 5 });
    await bridge.callHandler("Defaulted", { name: "a", limit: null });
    // @ts-expect-error
    await bridge.callHandler("Defaulted", {});
    // @ts-expect-error
    await bridge.callHandler("Defaulted", { name: "a", limit: "many" });
    // @ts-expect-error
    await bridge.callHandler("Defaulted", { name: "a", limt: 5 });

    await bridge.callHandler("Contains", { name: "a" });
    await bridge.callHandler("Contains", { name: "a", limit: 5 });
    await bridge.callHandler("Contains", { name: "a", limit: null });
    // @ts-expect-error
    await bridge.callHandler("Contains", {});
    // @ts-expect-error
    await bridge.callHandler("Contains", { name: "a", limit: "many" });
    // @ts-expect-error
    await bridge.callHandler("Contains", { name: "a", limt: 5 });

    await bridge.callHandler("NilChecked", {});
    await bridge.callHandler("NilChecked", { x: null });
    await bridge.callHandler("NilChecked", { x: 1 });
    // @ts-expect-error
    await bridge.callHandler("NilChecked", { x: "a" });
    // @ts-expect-error
    await bridge.callHandler("NilChecked", { y: 1 });

    await bridge.callHandler("NilWanted", { x: null });
    await bridge.callHandler("NilWanted", { x: 1 });
    // @ts-expect-error
    await bridge.callHandler("NilWanted", { x: "a" });
    // @ts-expect-error
    await bridge.callHandler("NilWanted", {});

    await bridge.callHandler("TwoKeys", { name: "a" });
    await bridge.callHandler("TwoKeys", { title: "a" });
    await bridge.callHandler("TwoKeys", { label: "a" });
    await bridge.callHandler("TwoKeys", { name: 5, label: "a" });
    await bridge.callHandler("TwoKeys", {});
    // @ts-expect-error
    await bridge.callHandler("TwoKeys", 5);

    await bridge.callHandler("EitherKey", { id: 1 });
    await bridge.callHandler("EitherKey", { identifier: 1 });
    await bridge.callHandler("EitherKey", {});
    // @ts-expect-error
    await bridge.callHandler("EitherKey", 5);

    await bridge.callHandler("Either", { id: 1, tags: {} });
    await bridge.callHandler("Either", { flag: true });
    await bridge.callHandler("Either", { id: 1 });
    // @ts-expect-error
    await bridge.callHandler("Either", 5);

    await bridge.callHandler("Flattened", { id: 1, tags: {}, note: "a" });
    // @ts-expect-error
    await bridge.callHandler("Flattened", { tags: {}, note: "a" });
    // @ts-expect-error
    await bridge.callHandler("Flattened", { id: 1, tags: {} });

    await bridge.callHandler("Versioned", { name: "a" });
    await bridge.callHandler("Versioned", { version: 1, name: "a" });
    await bridge.callHandler("Versioned", { version: 2, title: "a" });
    await bridge.callHandler("Versioned", { version: 2 });
    // @ts-expect-error
    await bridge.callHandler("Versioned", 5);
    // @ts-expect-error
    await bridge.callHandler("Versioned", { version: "a", name: "a" });

    await bridge.callHandler("ByText", { kind: "circle", radius: 1 });
    await bridge.callHandler("ByText", { kind: "rect", width: 1 });
    await bridge.callHandler("ByText", { kind: "none" });
    await bridge.callHandler("ByText", { kind: "circle" });
    // @ts-expect-error
    await bridge.callHandler("ByText", { radius: 1 });
    // @ts-expect-error
    await bridge.callHandler("ByText", { kind: 5 });

    await bridge.callHandler("ByKeyType", { kind: "circle", radius: 1 });
    await bridge.callHandler("ByKeyType", { kind: "none" });
    await bridge.callHandler("ByKeyType", { kind: "circle" });
    // @ts-expect-error
    await bridge.callHandler("ByKeyType", { radius: 1 });
    // @ts-expect-error
    await bridge.callHandler("ByKeyType", { kind: 5 });

    await bridge.callHandler("ByElse", { kind: "circle", radius: 1 });
    await bridge.callHandler("ByElse", { kind: "rect", width: 1 });
    await bridge.callHandler("ByElse", { kind: "circle" });
    // @ts-expect-error
    await bridge.callHandler("ByElse", { radius: 1 });

    await bridge.callHandler("ByFlag", { all: true });
    await bridge.callHandler("ByFlag", { all: false, ids: [1] });
    await bridge.callHandler("ByFlag", { all: false });
    // @ts-expect-error
    await bridge.callHandler("ByFlag", { ids: [1] });
    // @ts-expect-error
    await bridge.callHandler("ByFlag", { all: "a" });

    await bridge.callHandler("ByCase", { kind: "circle", radius: 1 });
    await bridge.callHandler("ByCase", { kind: "dot" });
    await bridge.callHandler("ByCase", { kind: "rect", width: 1 });
    await bridge.callHandler("ByCase", { kind: "circle" });
    // @ts-expect-error
    await bridge.callHandler("ByCase", { radius: 1 });

    await bridge.callHandler("Tagged", { type: "text", value: "a" });
    await bridge.callHandler("Tagged", { type: "number", value: 1 });
    await bridge.callHandler("Tagged", { type: "new", more: 1 });
    await bridge.callHandler("Tagged", { type: "text" });
    // @ts-expect-error
    await bridge.callHandler("Tagged", { value: "a" });
    // @ts-expect-error
    await bridge.callHandler("Tagged", 5);

    await bridge.callHandler("Message", { type: "record", id: 1, tags: {} });
    await bridge.callHandler("Message", { type: "inner", flag: true });
    await bridge.callHandler("Message", { type: "new" });
    // @ts-expect-error
    await bridge.callHandler("Message", { id: 1, tags: {} });

    await bridge.callHandler("Envelope", { type: "record", id: 1, tags: {} });
    await bridge.callHandler("Envelope", { type: "new" });
    // @ts-expect-error
    await bridge.callHandler("Envelope", {});

    await bridge.callHandler("AnyMessage", { type: "record", id: 1, tags: {} });
    await bridge.callHandler("AnyMessage", { type: "new" });
    // @ts-expect-error
    await bridge.callHandler("AnyMessage", {});

    await bridge.callHandler("AnyObject", { a: 1, b: [] });
    await bridge.callHandler("AnyObject", {});
    // @ts-expect-error
    await bridge.callHandler("AnyObject", 5);

    await bridge.callHandler("Checked", { page: "http://a", name: "a" });
    await bridge.callHandler("Checked", { page: "http://a" });
    // @ts-expect-error
    await bridge.callHandler("Checked", { name: "a" });

    await bridge.callHandler("Lossy", [1, 2]);
    await bridge.callHandler("Lossy", []);
    await bridge.callHandler("Lossy", [1, "a"]);
    // @ts-expect-error
    await bridge.callHandler("Lossy", 5);
    // @ts-expect-error
    await bridge.callHandler("Lossy", {});

    await bridge.callHandler("Skipping", [1, 2]);
    await bridge.callHandler("Skipping", []);
    await bridge.callHandler("Skipping", ["a", 1]);
    // @ts-expect-error
    await bridge.callHandler("Skipping", 5);
    // @ts-expect-error
    await bridge.callHandler("Skipping", {});

    await bridge.callHandler("Point", [1, 2]);
    await bridge.callHandler("Point", [1, 2, "a"]);
    await bridge.callHandler("Point", [1]);
    // @ts-expect-error
    await bridge.callHandler("Point", {});
    // @ts-expect-error
    await bridge.callHandler("Point", [true, true]);

    await bridge.callHandler("Order", ["none"]);
    await bridge.callHandler("Order", ["move", 1]);
    await bridge.callHandler("Order", ["move"]);
    await bridge.callHandler("Order", [5]);
    // @ts-expect-error
    await bridge.callHandler("Order", {});

    await bridge.callHandler("Command", ["move", 1]);
    await bridge.callHandler("Command", ["stop", true]);
    // @ts-expect-error
    await bridge.callHandler("Command", {});

    await bridge.callHandler("Derived", { extra: "a", id: 1 });
    // @ts-expect-error
    await bridge.callHandler("Derived", { id: 1 });
    // @ts-expect-error
    await bridge.callHandler("Derived", { extra: "a" });
    // @ts-expect-error
    await bridge.callHandler("Derived", { extra: "a", id: 1, ids: 1 });

    await bridge.callHandler("SuperDerived", { extra: "a", super: { id: 1 } });
    // @ts-expect-error
    await bridge.callHandler("SuperDerived", { super: { id: 1 } });

    await bridge.callHandler("Inside", { position: { x: 1 }, list: [1] });
    await bridge.callHandler("Inside", { position: {}, list: [] });
    // @ts-expect-error
    await bridge.callHandler("Inside", { list: [1] });

    await bridge.callHandler("Numbered", {});
    await bridge.callHandler("Numbered", { item0: 1, item1: 2, more0: null });
    // @ts-expect-error
    await bridge.callHandler("Numbered", 5);
}
void calls;
