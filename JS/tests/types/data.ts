// Type tests, compiled and never run: code that must type-check and, by @ts-expect-error, code that must not.

function queries(): void {
    const store = bridge.store("default");
    const query = store.fetch("airport", {
        sort: ["country", (row) => row.name.length, { key: (row) => row.elevation, ascending: false }],
        sectionBy: (row) => row.country,
        where: { elevation: { gt: 1000 } },
        filter: (row) => row.name !== null,
        window: { from: 0, to: 60 },
        limit: 10,
    });
    const stop: () => void = query.onChange((changes) => {
        const packed: Int32Array = changes.packed;
        const versions: number = changes.version - changes.oldVersion;
        for (const change of changes.items) {
            if (change.type === "insert") console.log(change.to.item, change.id);
            // @ts-expect-error an insert has no previous index
            if (change.type === "insert") console.log(change.from.item);
        }
        for (const { type, from, to, id } of changes.items) console.log(type, from?.item, to?.item, id);
        // @ts-expect-error some changes have no new index
        for (const { to } of changes.items) console.log(to.item);
        console.log(packed.length, versions, changes.merging(changes.inverse()).toString());
    });
    query.onChange(async () => { await undefined; });
    stop();
    const rows: readonly Row[] = query.window(0, 10, 20);
    console.log(rows[0].name, query.rows.length, query.setWindow({ from: 60, to: 120 }).count);
    const path: RowPath | undefined = query.indexOf(rows[0]);
    if (path) query.item(path);
    for (const row of query) console.log(row.$id);
    query.dispose();

    // @ts-expect-error rows are read-only
    rows[0].name = "other";
    // @ts-expect-error the array is read-only, too
    rows.push(rows[0]);
    // @ts-expect-error a key is not an object
    store.fetch("airport", { sort: () => ({}) });
    // @ts-expect-error a filter returns a boolean
    store.fetch("airport", { filter: () => "yes" });
    // @ts-expect-error the option does not exist
    store.fetch("airport", { order: "name" });
    const result: number = store.transaction(() => store.insert("airport", { name: "New" }));
    console.log(result);
}

function sources(): void {
    const list = [{ id: 1 }];
    const handle = bridge.registerDataSource("list", {
        numberOfItems: () => list.length,
        window: (section, from, to) => list.slice(from, to),
        headerTitle: () => "List",
        identifier: (item) => item.id,
        indexOf: (identifier) => ({ section: 0, item: list.findIndex((item) => String(item.id) === identifier) }),
        sortKeys: ["-id"],
    });
    const rule: "anchor" | "fallback" | "sortKey" | "section" | "proportion" | "top" | undefined
        = handle.restoreState(handle.saveState({ height: 5 }))?.rule;
    console.log(rule);
    // @ts-expect-error a path has a section
    bridge.registerDataSource("lost", { numberOfItems: 1, item: () => 1, indexOf: () => 1 });
    const before = new Int32Array([1, 2]);
    handle.reload(bridge.difference(before, new Int32Array([2])).items);
    handle.reload([{ kind: "section", type: "insert", to: 0 }, { type: "move", from: [0, 1], to: { section: 0, item: 0 } }]);
    // @ts-expect-error a source has a count
    bridge.registerDataSource("none", { item: () => 1 });
    // @ts-expect-error arrays of keys are of one kind
    bridge.difference(before, ["a"]);

    const order: Int32Array = bridge.order(list, (object) => object.id, { ascending: false });
    // @ts-expect-error a key is not an object
    bridge.order(list, (object) => object);
    const host = bridge.dataSource<{ name: string }>("people");
    const name: string | undefined = host.item(0, order[0])?.name;
    host.onChange((changes) => { if (!changes.all) console.log(changes.items.length, name); });
    for (const person of host) console.log(person.name);
    console.log(host.restoreState(JSON.stringify(host.saveState()))?.offset);
}
