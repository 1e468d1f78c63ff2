// The script of a WebViewJavascriptBridge page, which has a view: the program selects, scrolls and updates by its handlers.
//
//     jsbridge browse Examples/Gallery/page.js
//
// `a` calls the handlers as a program does, Enter calls the program. GalleryExample is such a program: `swift run
// GalleryExample page` loads this file; jsbridge has no handlers. `jsbridge serve` shows the view in a page.
'use strict';

const cities = Object.entries({
    Graz: 303, Kraków: 806, Köln: 1087, Lyon: 522, Malmö: 351, Oslo: 709, Ostrava: 285, Oulu: 214, Pisa: 89, Plzeň: 188, Porto: 232,
    Riga: 605, Split: 161, Tartu: 97, Tampere: 255, Trento: 118, Turin: 847, Turku: 202, Ulm: 129, Utrecht: 362, Vaduz: 6, Varna: 312,
    Vilnius: 602, Zagreb: 664, Zürich: 434,
}).map(([name, people]) => ({ name, people }));
const pathOf = (name) => ({ section: 0, item: cities.findIndex((city) => city.name === name) });

// The handlers of this page, which the program calls by name.
const handlers = {
    select({ name }, responseCallback) {
        view.selectItem({ at: pathOf(name), scrollPosition: 'nearest' });
        responseCallback({ selected: view.indexPathsForSelectedItems.map(({ item }) => cities[item].name) });
    },

    scroll({ name }, responseCallback) {
        view.scrollToItem({ at: pathOf(name), scrollPosition: 'top' });
        responseCallback({ contentOffset: view.contentOffset });
    },

    update({ name, people }, responseCallback) {
        view.performBatchUpdates(() => {
            const at = pathOf(name);
            if (at.item < 0) {
                cities.unshift({ name, people });
                view.insertItems({ at: [{ section: 0, item: 0 }] });
            } else {
                cities[at.item] = { name, people };
                view.reloadItems({ at: [at] });
            }
        });
        responseCallback({ count: cities.length });
    },
};

const call = (name, data) => {
    handlers[name](data, (response) => { view.status = `${name}: ${JSON.stringify(response)}`; });
};

const view = bridge.collectionView({
    name: 'cities',
    title: 'Cities',
    source: cities,
    cell: ({ name, people }) => ({ text: name, secondary: `${people} thousand` }),
    onPrimaryAction: (city) => setupWebViewJavascriptBridge((bridge) => {
        view.status = `the program was notified that ${city.name} was opened`;
        bridge.callHandler('cityOpened', { name: city.name }, ({ seen }) => {
            view.status = `the program has ${seen ? '' : 'not '}seen ${city.name}`;
        });
    }),
    menu: ({ name, people }) => [
        { title: 'select Oslo', action: () => call('select', { name: 'Oslo' }) },
        { title: 'scroll to Riga', action: () => call('scroll', { name: 'Riga' }) },
        { title: `update ${name}`, action: () => call('update', { name, people: people + 1 }) },
        { title: 'update Bern, which is new', action: () => call('update', { name: 'Bern', people: 134 }) },
    ],
});

// As every page of WebViewJavascriptBridge begins.
function setupWebViewJavascriptBridge(callback) {
    if (globalThis.WebViewJavascriptBridge) return callback(WebViewJavascriptBridge);
    if (globalThis.WVJBCallbacks) return WVJBCallbacks.push(callback);
    globalThis.WVJBCallbacks = [callback];
}

setupWebViewJavascriptBridge((bridge) => {
    for (const name in handlers) bridge.registerHandler(name, handlers[name]);
});
