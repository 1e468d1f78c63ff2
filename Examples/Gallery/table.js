// A table over an NSFetchedResultsController: rows of a store in sections, and its delegate's changes one by one.
//
//     jsbridge browse Examples/Gallery/table.js
//
// `a` opens the actions of a row: each is a transaction, after which the status has the changes of the delegate. With
// `source: cities` instead of `table` the view follows the query by itself; here the changes pass through the script, as
// between beginUpdates and endUpdates of a UITableView. `jsbridge serve` shows it in a page.
'use strict';

const store = bridge.store();
store.createEntity('city', {
    name: { type: 'string', unique: true, optional: false },
    country: 'string',
    people: 'integer',
});
const save = (name, country, people) => store.upsert('city', 'name', { name, country, people });
store.transaction(() => {
    save('Gdańsk', 'PL', 486);
    save('Kraków', 'PL', 806);
    save('Graz', 'AT', 303);
    save('Köln', 'DE', 1087);
    save('Ulm', 'DE', 129);
});

// The fetched results controller.
const cities = store.fetch('city', {
    where: { people: { gt: 200 } },
    sort: ['country', { key: 'people', ascending: false }],
    sectionBy: 'country',
});

// The data source of the table.
const table = {
    numberOfSections: () => cities.numberOfSections,
    numberOfItems: (section) => cities.numberOfItems(section),
    item: (section, item) => cities.item(section, item),
    headerTitle: (section) => cities.section(section).name,
};

const tableView = bridge.collectionView({
    name: 'cities',
    title: 'Cities of more than 200 thousand',
    source: table,
    cell: ({ name, people }) => ({ text: name, secondary: `${people} thousand` }),
    header: (section) => [[cities.section(section).name, 'strong'], [`  ${cities.section(section).count}`, 'secondary']],
    menu: (city) => [
        { title: `${city.name} doubles`, action: () => store.update('city', city, { people: city.people * 2 }) },
        { title: `${city.name} shrinks to 100`, action: () => store.update('city', city, { people: 100 }) },
        { title: 'Ulm grows, Gdańsk too, and Oslo is new', action: () => store.transaction(() => {
            save('Ulm', 'DE', 1200);
            save('Gdańsk', 'PL', 900);
            save('Oslo', 'NO', 709);
        }) },
    ],
});

// The delegate of the controller: all changes of a transaction, in one batch.
cities.onChange((changes) => {
    const reports = [];
    tableView.performBatchUpdates(() => {
        for (const { type, from, to } of changes.sections) {
            reports.push(`section: ${type}`);
            if (type === 'insert') tableView.insertSections(to);
            else if (type === 'delete') tableView.deleteSections(from);
            else tableView.moveSection({ section: from, toSection: to });
        }
        for (const { type, from, to } of changes.items) {
            reports.push(`row: ${type}`);
            if (type === 'insert') tableView.insertItems({ at: [to] });
            else if (type === 'delete') tableView.deleteItems({ at: [from] });
            else if (type === 'move') tableView.moveItem({ at: from, to });
            else tableView.reloadItems({ at: [from] });
        }
    });
    tableView.status = reports.join(', ');
});
