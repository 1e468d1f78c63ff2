// Read-only arrays are data like other arrays, and so are sets and maps. Compiled, never run: an expected error
// (`@ts-expect-error`) that is missing is an error itself.

async function lists(source: HostDataSource<number>): Promise<void> {
    const items: readonly (number | null)[] = Object.freeze([1, null]);
    await bridge.callHandler("Page<Optional<Int>>", { items, first: 1 });
    await bridge.callHandler("Page<Optional<Int>>", { items: [1, 2], first: 1 } as const);
    await bridge.callHandler("Page<Optional<Int>>", { items: source.window(0, 0, 5), first: 1 });
    await bridge.callHandler("Page<Optional<Int>>", { items: [bridge.pipeline("give.either")], first: 1 });
    await bridge.callHandler("Point", Object.freeze([1, 2]));
    await bridge.callHandler("Point", source.window());
    // @ts-expect-error
    await bridge.callHandler("Page<Optional<Int>>", { items: Object.freeze(["a"]), first: 1 });
    // @ts-expect-error
    await bridge.callHandler("Point", [true] as const);
    await bridge.callHandler("Page<Optional<Int>>", { items: new Set([1, null]), first: 1 });
    await bridge.callHandler("Point", new Set([1, 2]));
    await bridge.callHandler("ByNumber", { names: new Map([["1", "a"]]) });
    await bridge.callHandler("Record", { id: 1, tags: new Map() });
    // @ts-expect-error
    await bridge.callHandler("Point", new Set([true]));
    // @ts-expect-error
    await bridge.callHandler("ByNumber", { names: new Map([["1", 5]]) });
    // @ts-expect-error
    await bridge.callHandler("Record", { id: 1, tags: new Map([[1, "a"]]) });
    // @ts-expect-error
    await bridge.callHandler("Record", { id: 1, tags: new Set(["a"]) });
}
void lists;
