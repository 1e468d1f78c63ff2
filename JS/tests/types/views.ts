// Type tests of collection views, compiled and never run.

interface Person { id: number; name: string }

function views(people: Person[]): void {
    const view = bridge.collectionView({
        title: "People",
        source: people,
        layout: ({ unit }) => unit === "cell" ? "list" : { type: "grid", columns: 3 },
        cell: (person) => ({ spans: [person.name, { text: "!", style: "strong" }], accessories: ["checkmark", { label: "new" }] }),
        header: (section) => "section " + section,
        allowsMultipleSelection: true,
        onPrimaryAction: (person, path, own) => { own.deselectItem({ at: path }); console.log(person.name); },
        menu: (person) => [{ title: "Delete", isDestructive: true, action: () => "deleted " + person.id }],
        delegate: { shouldSelectItemAt: (path) => path.item > 0 },
        search: (query, own) => { own.status = query; },
        dragDelegate: {
            itemsForBeginning: (path) => [people[path.item]?.name ?? "", { "text/csv": "a" }],
            itemsForAddingTo: (path) => path.item === 0 ? null : ["b"],
        },
        dropDelegate: {
            canHandle: ({ types }) => types.includes("text/plain"),
            dropSessionDidUpdate: ({ destinationIndexPath }) => destinationIndexPath === undefined ? "forbidden" : "copy",
            async performDropWith({ items, destinationIndexPath }) { console.log(await items[0]?.text(), destinationIndexPath?.item); },
        },
    });
    bridge.collectionView({ source: people, search: true, layout: { type: "flow", sizeForItemAt: (path) => ({ width: path.item, height: 2 }) } });
    bridge.collectionView({
        source: people,
        layout: {
            type: "flow", headerReferenceSize: { width: 0, height: 30 }, insetForSectionAt: (section) => section === 0 ? 4 : { left: 8 },
            minimumLineSpacingForSectionAt: (section) => section, minimumInteritemSpacingForSectionAt: () => 2,
            referenceSizeForHeaderInSection: (section) => ({ width: 0, height: section * 10 }),
            referenceSizeForFooterInSection: () => ({ width: 0, height: 0 }),
        },
    });
    // @ts-expect-error only a flow layout asks for sizes
    bridge.collectionView({ source: people, layout: { type: "grid", sizeForItemAt: () => ({ width: 1, height: 2 }) } });
    // @ts-expect-error no such operation
    bridge.collectionView({ source: people, dropDelegate: { dropSessionDidUpdate: () => "link", performDropWith() {} } });
    // @ts-expect-error a text is searched by a function, or by the view
    bridge.collectionView({ source: people, search: "name" });
    view.performBatchUpdates(() => view.insertItems({ at: [[0, 1], { section: 0, item: 2 }] }), { completion: (finished) => console.log(finished) });
    view.scrollToItem({ at: [0, 3], scrollPosition: "centeredVertically" });
    const selected: RowPath[] = view.indexPathsForSelectedItems;
    console.log(selected.length, view.cellForItem({ at: selected[0] ?? [0, 0] })?.text);
    // @ts-expect-error a path has two indices
    view.selectItem({ at: [0] });
    // @ts-expect-error no such style
    bridge.collectionView({ source: people, cell: () => [["x", "blink"]] });
    // @ts-expect-error a view has a source
    bridge.collectionView({ cell: () => "x" });
    bridge.collectionView({ source: bridge.store().fetch("person"), cell: (row) => row.name });
    bridge.collectionView({
        source: people,
        layout: {
            collectionViewContentSize: { width: 10, height: 10 },
            layoutAttributesForElements: ({ in: rect }) => [{ indexPath: [0, 0], frame: rect }],
        },
    });
}
console.log(views);
