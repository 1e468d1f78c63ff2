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
    bridge.collectionView({
        source: people,
        layout: {
            type: "compositional", interSectionSpacing: 1,
            sectionProvider: (section, { containerSize }) => section === 0 ? { list: { rowSpacing: 1 } } : {
                group: {
                    axis: "horizontal", layoutSize: { heightDimension: { estimated: 3 } }, interItemSpacing: 1,
                    subitems: [
                        { layoutSize: { widthDimension: { fractionalWidth: 0.5 } }, contentInsets: { left: 1 } },
                        { axis: "vertical", layoutSize: { widthDimension: containerSize.width / 2 }, subitem: { layoutSize: {} }, count: 2 },
                    ],
                },
                interGroupSpacing: 1, contentInsets: 1, orthogonalScrollingBehavior: "groupPaging",
                boundarySupplementaryItems: [{ elementKind: "header", layoutSize: { heightDimension: 1 }, pinToVisibleBounds: true }],
                decorationItems: [{ elementKind: "shelf" }],
            },
        },
        contentInset: ({ unit }) => unit === "cell" ? 1 : { top: 16 },
        backgroundView: "nothing here", remembersLastFocusedIndexPath: true,
        delegate: {
            shouldUpdateFocusIn: ({ previouslyFocusedIndexPath, nextFocusedIndexPath }) => previouslyFocusedIndexPath?.item !== nextFocusedIndexPath.item,
            willDisplaySupplementaryView: ({ forElementKind, at }) => { console.log(forElementKind, at.section); },
            willEndDragging: ({ targetContentOffset }) => Math.round(targetContentOffset),
        },
    });
    const [group, size] = [{ axis: "vertical", layoutSize: {}, subitems: [{ layoutSize: {} }] } as const, { heightDimension: { estimated: 2 } }];
    bridge.collectionView({ source: people, layout: { type: "compositional", section: { group } } });
    // @ts-expect-error a compositional layout has a section, or a function for each
    bridge.collectionView({ source: people, layout: { type: "compositional" } });
    // @ts-expect-error a group has an axis
    bridge.collectionView({ source: people, layout: { type: "compositional", section: { group: { layoutSize: size, subitems: [] } } } });
    // @ts-expect-error a section scrolls in one of five ways
    bridge.collectionView({ source: people, layout: { type: "compositional", section: { group, orthogonalScrollingBehavior: "snap" } } });
    // @ts-expect-error a supplementary view is a header or a footer
    bridge.collectionView({ source: people, layout: { type: "compositional", section: { group, boundarySupplementaryItems: [{ elementKind: "badge", layoutSize: size }] } } });
    // @ts-expect-error only a flow layout asks for sizes
    bridge.collectionView({ source: people, layout: { type: "grid", sizeForItemAt: () => ({ width: 1, height: 2 }) } });
    // @ts-expect-error no such operation
    bridge.collectionView({ source: people, dropDelegate: { dropSessionDidUpdate: () => "link", performDropWith() {} } });
    // @ts-expect-error a text is searched by a function, or by the view
    bridge.collectionView({ source: people, search: "name" });
    view.performBatchUpdates(() => view.insertItems({ at: [[0, 1], { section: 0, item: 2 }] }), { completion: (finished) => console.log(finished) });
    view.scrollToItem({ at: [0, 3], scrollPosition: "centeredVertically" });
    view.contentInset = { top: 2 };
    view.backgroundView = [["none", "secondary"]];
    view.selectionFollowsFocus = view.contentInset.top > 1 && !view.isDragging;
    view.setContentOffset(10, { animated: true });
    view.setCollectionViewLayout("grid", { animated: true, completion: (finished) => { console.log(finished); } });
    console.log(view.supplementaryView({ forElementKind: "header", at: [0, 0] })?.text, view.layoutAttributesForSupplementaryElement({ ofKind: "footer", at: [0, 0] })?.frame.y);
    // @ts-expect-error true while the user scrolls, as the renderer says
    view.isDragging = true;
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
            layoutAttributesForElements: ({ in: rect }) => [{ indexPath: [0, 0], frame: rect, transform: [1, 0, 0, 1, 4, 4] }],
            initialLayoutAttributesForAppearingItem: ({ at }) => ({ indexPath: at, frame: { x: 0, y: 0, width: 1, height: 1 }, alpha: 0 }),
            targetIndexPath: ({ forInteractivelyMovingItem, withPosition }) => withPosition.y > 0 ? forInteractivelyMovingItem : null,
        },
    });
}
console.log(views);
