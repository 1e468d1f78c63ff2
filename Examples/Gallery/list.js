// A list and a sectioned list, whose data sources announce what changes: EZDataSource, in a script.
//
//     jsbridge browse Examples/Gallery/list.js                   (a list)
//     jsbridge browse --view menu Examples/Gallery/list.js       (sections)
//
// `a` opens the actions of a row: an inserted or moved row stays where your eyes are. `jsbridge serve` shows it in a page.
'use strict';

// ------------------------------------------------------------ a list: an array, and batches that say what was done to it

const groceries = [
    { id: 1, name: 'tea', count: 1 },
    { id: 2, name: 'bread', count: 2 },
    { id: 3, name: 'apples', count: 6 },
    { id: 4, name: 'soap', count: 1 },
];
let lastID = 4;

const list = bridge.collectionView({
    name: 'groceries',
    title: 'Groceries',
    source: groceries,
    cell: ({ name, count }) => ({ text: name, secondary: `${count} ×` }),
    menu: (item, path) => [
        { title: 'Add milk', action: () => list.performBatchUpdates(() => {
            lastID += 1;
            groceries.push({ id: lastID, name: 'milk', count: 1 });
            list.insertItems({ at: [{ section: 0, item: groceries.length - 1 }] });
        }) },
        { title: `One more ${item.name}`, action: () => list.performBatchUpdates(() => {
            groceries[path.item] = { ...item, count: item.count + 1 };
            list.reloadItems({ at: [path] });
        }) },
        { title: 'Move it to the top', isDisabled: path.item === 0, action: () => list.performBatchUpdates(() => {
            groceries.unshift(...groceries.splice(path.item, 1));
            list.moveItem({ at: path, to: { section: 0, item: 0 } });
        }) },
        { title: `Delete ${item.name}`, isDestructive: true, action: () => list.performBatchUpdates(() => {
            groceries.splice(path.item, 1);
            list.deleteItems({ at: [path] });
        }) },
    ],
});

// ------------------------------------------------------------ sections: a data source, whose reload() is the reload block

const sections = [
    { title: 'Starters', items: ['soup', 'salad'] },
    { title: 'Main', items: ['pie', 'fish'] },
    { title: 'Sweet', items: ['cake'] },
];

const menu = bridge.registerDataSource('menu', {
    numberOfSections: () => sections.length,
    numberOfItems: (section) => sections[section].items.length,
    item: (section, item) => sections[section].items[item],
    headerTitle: (section) => sections[section].title,
});

bridge.collectionView({
    name: 'menu',
    title: 'The menu',
    source: menu,
    menu: (dish, path) => [
        { title: `Move ${dish} to the last section`, isDisabled: path.section === sections.length - 1, action: () => {
            const last = sections.length - 1;
            sections[path.section].items.splice(path.item, 1);
            sections[last].items.push(dish);
            menu.reload([{ type: 'move', from: path, to: { section: last, item: sections[last].items.length - 1 } }]);
        } },
        { title: `Delete "${sections[path.section].title}"`, isDestructive: true, action: () => {
            sections.splice(path.section, 1);
            menu.reload([{ kind: 'section', type: 'delete', from: path.section }]);
        } },
    ],
});
