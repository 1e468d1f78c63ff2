// Tasks in an order of your own: an item is moved within its section and to the other one.
//
//     jsbridge browse Examples/Gallery/reorder.js
//
// `m` lifts the row, j and k move it, Enter drops it, Escape returns it; or drag it with the mouse. The first task of today
// stays the first: the delegate proposes another place. `jsbridge serve` shows it in a page: drag the handle.
'use strict';

const sections = [
    { title: 'Today', tasks: ['wake up', 'write', 'walk', 'read'] },
    { title: 'Later', tasks: ['wait', 'paint the door'] },
];

const view = bridge.collectionView({
    name: 'tasks',
    title: 'Tasks',
    source: {
        numberOfSections: sections.length,
        numberOfItems: (section) => sections[section].tasks.length,
        item: (section, item) => sections[section].tasks[item],
        headerTitle: (section) => sections[section].title,
    },
    cell: (task, path) => ({ text: task, accessories: isFixed(path) ? [{ label: 'first' }] : ['reorder'] }),

    // The names of UICollectionViewDataSource and UICollectionViewDelegate.
    delegate: {
        canMoveItemAt: (path) => !isFixed(path),

        targetIndexPathForMoveOfItem: ({ toProposedIndexPath: path }) => (isFixed(path) ? { section: 0, item: 1 } : path),

        // Called once, when the item is dropped at another place. The view shows it there already.
        moveItemAt: ({ at, to }) => {
            const [task] = sections[at.section].tasks.splice(at.item, 1);
            sections[to.section].tasks.splice(to.item, 0, task);
            view.status = sections.map(({ title, tasks }) => `${title}: ${tasks.join(', ')}`).join('; ');
        },
    },

    // The same, for who cannot drag.
    menu: (task, path) => [
        { title: path.section === 0 ? 'Later' : 'Today', isDisabled: isFixed(path), action: () => view.performBatchUpdates(() => {
            const to = { section: 1 - path.section, item: sections[1 - path.section].tasks.length };
            sections[path.section].tasks.splice(path.item, 1);
            sections[to.section].tasks.push(task);
            view.moveItem({ at: path, to });
        }) },
    ],
});

function isFixed({ section, item }) { return section === 0 && item === 0; }
