// 28,000 airports in a collection view: sections by country, a menu, details, and a change of 12,000 rows in one transaction.
//
//     jsbridge browse Examples/Gallery/airports.js
//
// `a` opens the menu of a row: "Apply the release of 2026" changes the store in one transaction, and the view follows it
// by one batch.
'use strict';

const releases = ['../Airports/Data/airports-2025-09.csv', '../Airports/Data/airports-2026-09.csv'];

const store = bridge.store();
store.createEntity('airport', {
    icao: { type: 'string', unique: true, optional: false },
    name: 'string',
    city: 'string',
    subd: 'string',
    country: 'string',
    elevation: 'double',
    lat: 'double',
    lon: 'double',
    tz: 'string',
});
store.importCSV(releases[0], { entity: 'airport', mode: 'insert' });

const airports = store.fetch('airport', { sort: ['country', 'name'], sectionBy: 'country' });

const place = ({ city, subd }) => [city, subd].filter((part) => part).join(', ');
const meters = (feet) => (feet === null ? '' : `${Math.round(feet * 0.3048)} m`);

const view = bridge.collectionView({
    name: 'airports',
    title: `${airports.count} airports`,
    source: airports,

    // Called once for each version of a row.
    cell: (airport) => ({
        spans: [[airport.icao, 'strong'], `  ${airport.name ?? ''}`, [`  ${place(airport)}`, 'secondary']],
        secondary: meters(airport.elevation),
    }),

    header: (section) => {
        const { name, count } = airports.section(section);
        return [[name, 'strong'], [`  ${count}`, 'secondary']];
    },

    onPrimaryAction: (airport) => {
        view.status = `${airport.name} is at ${airport.lat.toFixed(3)}, ${airport.lon.toFixed(3)}, time zone ${airport.tz}`;
    },

    menu: (airport) => [
        { title: `Delete ${airport.icao}`, isDestructive: true, action: () => { store.delete('airport', airport); return `${airport.icao} is deleted`; } },
        { title: 'Raise it by 100 m', isDisabled: airport.elevation === null, action: () => {
            store.update('airport', airport, { elevation: airport.elevation + 328 });
        } },
        { title: 'Apply the release of 2026', action: () => {
            const { inserted, deleted, updated } = store.importCSV(releases[1], { entity: 'airport', key: 'icao', mode: 'replace' });
            return `${inserted} airports were added, ${deleted} removed, ${updated} changed`;
        } },
    ],
});

// The charts stand beside the rows in a page, and under the key `c` in a terminal.
const drawElevations = () => console.chart(airports, { column: 'elevation', title: 'elevation in feet' });
drawElevations();

airports.onChange((changes) => {
    view.title = `${airports.count} airports`;
    view.status = changes.toString();
    console.chart(changes, { title: 'the last change' });
    drawElevations();
});
