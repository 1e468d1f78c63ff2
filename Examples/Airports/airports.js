// Two real releases of a list of airports, a year apart (DATA.md has their origin). The first is imported and shown in
// sections. The second is applied in one transaction while two live queries of the store have listeners. The change sets
// are checked against the store.
//
// `make run` runs it. Lines that differ between runs begin with '~'; the others are in expected.txt.
'use strict';

const releases = ['Data/airports-2025-09.csv', 'Data/airports-2026-09.csv'];

// The same rows in two orders.
const orders = [
    { title: 'by country and subdivision', sort: ['country', 'subd', 'name'], sectionBy: ['country', 'subd'] },
    { title: 'by country', sort: ['country', 'name'], sectionBy: 'country' },
];

// The sections to show: some of their letters have combining marks that no single character includes.
const shown = ['IR / Az̄arbayjan-e-Gharbi', 'IS / Northwest', 'OM / Az̧-Z̧ahirah', 'VN / Hải-Phong'];

const grouped = (number) => String(number).replace(/\B(?=(\d{3})+$)/g, ',');
const sum = (counts) => Object.entries(counts).map(([what, count]) => `${grouped(count)} ${what}`).join(', ');

function heading(text) {
    console.log(`\n${text}\n${'='.repeat(text.length)}`);
}

function timed(what, body) {
    const start = Date.now();
    const result = body();
    console.log(`~ ${what} in ${Date.now() - start} ms`);
    return result;
}

// ------------------------------------------------------------------------------------------ the first release

heading(`The first release, ${releases[0]}`);

const store = bridge.store('default');
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
const first = timed('imported', () => store.importCSV(releases[0], { entity: 'airport', mode: 'insert' }));
console.log(`${grouped(first.rows)} airports`);

const sources = orders.map((order) => {
    const { title, ...request } = order;
    const source = timed(`fetched ${title}`, () => store.fetch('airport', request));
    console.log(`${title}: ${grouped(source.numberOfSections)} sections, ${grouped(source.count)} rows`);
    return { title, request, source };
});

// ------------------------------------------------------------------------------------------ sections and rows

heading('A few sections, by country and subdivision');

const { source: sectioned } = sources[0];
const sections = Array.from({ length: sectioned.numberOfSections }, (_, index) => (
    { index, ...sectioned.section(index) }));
const largest = sections.reduce((best, section) => (section.count > best.count ? section : best));
const chosen = [...sections.filter((section) => shown.includes(section.keys.join(' / '))), largest];

console.table(chosen.map(({ index, keys: [country, subdivision], count }) => (
    { section: index, country, subdivision, airports: count })));

for (const { index, keys, count } of chosen) {
    // A window reads only these rows, however long the section is.
    const from = Math.max(0, Math.floor(count / 2) - 2);
    const rows = sectioned.window(index, from, from + 4);
    console.log(`\n${keys.join(', ')}: ${grouped(from + 1)} to ${grouped(from + rows.length)} of ${grouped(count)}`);
    console.table(rows, ['icao', 'name', 'city', 'elevation', 'lat', 'lon', 'tz']);
}

// ------------------------------------------------------------------------------------------ the second release

heading(`The second release, ${releases[1]}, applied while two sources listen`);

const content = (source) => new Map([...source].map((row) => [row.$id, JSON.stringify(row)]));
const rowsBefore = content(sectioned);
const delivered = [];
for (const entry of sources) {
    const orderBefore = entry.source.snapshot();
    const stop = entry.source.onChange((changes) => {
        // A query without listeners does not keep the run from ending.
        stop();
        delivered.push({ ...entry, orderBefore, changes });
        if (delivered.length === sources.length) reportAll();
    });
}

const second = timed('applied', () =>
    store.transaction(() => store.importCSV(releases[1], { entity: 'airport', key: 'icao', mode: 'replace' })));
console.log(`${grouped(second.rows)} airports: ${grouped(second.inserted)} inserted, ${grouped(second.updated)} updated, `
    + `${grouped(second.unchanged)} as they were; ${grouped(second.deleted)} deleted`);
// Before this turn ends, each listener is called once, with one change set for the whole transaction.

function reportAll() {
    const rowsAfter = content(store.fetch('airport'));
    for (const { title, request, source, orderBefore, changes } of delivered) {
        console.log(`\n${title}: ${grouped(source.numberOfSections)} sections, ${grouped(source.count)} rows`);
        console.log(`  sections: ${sum(changes.counts.sections)}`);
        console.log(`  rows: ${sum(changes.counts.rows)}`);
        console.log(`~ change set ${changes.milliseconds.toFixed(1)} ms after the commit`);

        // Compares the change set with the database.
        const fresh = store.fetch('airport', request).snapshot();
        const orderAfter = orderBefore.applying(changes);
        const checks = {
            'applied to the old order it gives that of a fresh fetch': orderAfter.equals(fresh),
            'its inverse leads back to the old order': orderAfter.applying(changes.inverse()).equals(orderBefore),
            'rows that it does not name are as they were': othersAgree(changes, fresh, rowsAfter),
        };
        for (const [what, holds] of Object.entries(checks)) console.log(`  ${what}: ${holds ? 'yes' : 'NO'}`);
        if (!Object.values(checks).every(Boolean)) throw new Error(`the change set ${title} is wrong`);
    }
}

function othersAgree(changes, fresh, rowsAfter) {
    const { sections } = fresh;
    const named = changes.items.filter(({ type }) => type === 'insert' || type === 'update');
    const renewed = new Set(named.map(({ to }) => sections[to.section].ids[to.item]));
    return [...rowsAfter].every(([id, text]) => renewed.has(id) || rowsBefore.get(id) === text);
}

// ------------------------------------------------------------------------------------------ calls, both ways

// `jsbridge run` calls this handler from Swift after the script has run. Its result is the exit status.
bridge.registerHandler('main', async ({ arguments: words, store: place }) => {
    heading('Calls, both ways');
    console.log(`Swift called main with ${words.length} arguments and a ${place.kind} store`);
    const { script, engine, variables } = await bridge.callHandler('jsbridge.environment', { variables: ['LANG'] });
    console.log(`Swift replied with the name of the script, ${script.split('/').pop()}`);
    console.log(`~ its engine is JavaScriptCore ${engine.version}, LANG is ${variables.LANG ?? 'not set'}`);
    return delivered.length === sources.length ? 0 : 1;
});
