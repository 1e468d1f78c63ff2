// A view that comes back to its rows: the position is saved by their names, as with UIDataSourceModelAssociation.
//
//     jsbridge browse Examples/Gallery/restoration.js
//
// Scroll somewhere, mark rows with Space, and open the actions with `a`: save, then change the order or delete rows, scroll
// away, and restore. The status says by which rule the position was found. `jsbridge serve` shows it in a page.
'use strict';

// A thousand words, each the same in every run.
const makeWords = () => Array.from({ length: 1000 }, (_, number) => ({ id: (number * 7919 % 1000003).toString(36).padStart(4, '0') }));
const byName = (a, b) => (a.id < b.id ? -1 : 1);
const backwards = ({ id }) => [...id].reverse().join('');
const byEnd = (a, b) => (backwards(a) < backwards(b) ? -1 : 1);
let words = makeWords().sort(byName);

// The identifiers of rows are their `id`; with another member, `identifier` returns it.
const source = bridge.registerDataSource('words', {
    numberOfItems: () => words.length,
    window: (section, from, to) => words.slice(from, to),
    identifier: ({ id }) => id,
});

const rules = {
    anchor: 'the first row is still there',
    fallback: 'the first row is gone, a neighbor of it is there',
    sortKey: 'all of them are gone, the place in the order is known',
    section: 'all of them are gone, the section is there',
    proportion: 'all of them are gone, the content is scrolled as far as before',
    top: 'nothing is known',
};

let archive;

const change = (newWords) => {
    words = newWords;
    source.reload();
    return `${words.length} words`;
};

const view = bridge.collectionView({
    name: 'words',
    title: 'Words',
    source,
    cell: ({ id }) => ({ text: id, secondary: backwards({ id }) }),
    menu: (word, { item }) => [
        { title: 'Save the position', action: () => {
            archive = view.saveState();
            return `saved in ${archive.length} characters`;
        } },
        { title: 'Order the words by their ends', action: () => change([...words].sort(byEnd)) },
        { title: `Delete ${word.id}`, isDestructive: true, action: () => change(words.filter(({ id }) => id !== word.id)) },
        { title: 'Delete the 100 words around it', isDestructive: true, action: () =>
            change(words.filter((_, index) => Math.abs(index - item) > 50)) },
        { title: 'All words again', action: () => change(makeWords().sort(byName)) },
        { title: 'Restore the position', isDisabled: archive === undefined, action: () => {
            const rule = view.restoreState(archive);
            return `by ${rule}: ${rules[rule]}`;
        } },
    ],
});
