// Letters in a flow layout: reused cells, a header that stays at the edge, and a shelf behind each section.
//
//     jsbridge browse Examples/Gallery/flow.js
//
// Scroll (PageDown, G, g), and Enter says how few views were made for the letters that you saw. `a` changes the layout: the
// letters at the top stay in view. `jsbridge serve` shows it in a page, where the shelf has a color.
'use strict';

const alphabets = [
    ['Greek', 0x3B1, 25], ['Cyrillic', 0x430, 32], ['Armenian', 0x561, 38], ['Georgian', 0x10D0, 33],
    ['Cherokee', 0x13A0, 80], ['Hiragana', 0x3041, 86], ['Katakana', 0x30A1, 90], ['Yi', 0xA000, 1165], ['Hangul', 0xAC00, 11172],
];

// Lengths are characters of a terminal, or pixels of a page.
const flow = ({ unit }) => (unit === 'cell' ? {
    type: 'flow',
    itemSize: { width: 12, height: 2 },
    minimumLineSpacing: 1,
    minimumInteritemSpacing: 2,
    sectionInset: { top: 1, left: 1, bottom: 1, right: 1 },
    headerReferenceSize: { width: 0, height: 1 },
    sectionHeadersPinToVisibleBounds: true,
    backgroundKind: 'shelf',
} : {
    type: 'flow',
    itemSize: { width: 120, height: 64 },
    minimumLineSpacing: 12,
    minimumInteritemSpacing: 12,
    sectionInset: 16,
    headerReferenceSize: { width: 0, height: 32 },
    sectionHeadersPinToVisibleBounds: true,
    backgroundKind: 'shelf',
});

let displayed = 0;

const view = bridge.collectionView({
    name: 'letters',
    title: 'Letters',
    layout: flow,

    // The data source: rows are made when they are asked for.
    source: {
        numberOfSections: alphabets.length,
        numberOfItems: (section) => alphabets[section][2],
        item: (section, item) => alphabets[section][1] + item,
        headerTitle: (section) => alphabets[section][0],
    },

    // The cell and the supplementary view.
    cell: (code) => ({
        text: [[String.fromCodePoint(code), 'strong']],
        secondary: `U+${code.toString(16).toUpperCase().padStart(4, '0')}`,
    }),
    header: (section) => [[alphabets[section][0], 'strong'], [`  ${alphabets[section][2]} letters`, 'secondary']],

    delegate: {
        willDisplay: () => { displayed += 1; },
    },

    onPrimaryAction: () => {
        const { created, recycled } = view.counters;
        view.status = `${displayed} letters were shown by ${created} views, which were reused ${recycled} times`;
    },

    menu: () => [
        { title: 'Flow', action: () => view.setCollectionViewLayout(flow) },
        { title: 'A list', action: () => view.setCollectionViewLayout('list') },
        { title: 'A grid of four columns', action: () => view.setCollectionViewLayout({ type: 'grid', columns: 4 }) },
    ],
});
