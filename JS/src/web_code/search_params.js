// The behavior of URLSearchParams. The state of an object has the pairs, and the state of its URL if it is that of one.
import { useEvents } from "../engine/events.js";
import { needArguments, needNew } from "../engine/interfaces.js";
import { isObject, push } from "../engine/objects.js";
import {
    ArrayPrototypeSort, ObjectDefineProperty, ObjectGetOwnPropertyDescriptor, ObjectSetPrototypeOf, ReflectApply,
    ReflectDeleteProperty, ReflectOwnKeys, StringPrototypeSlice, StringPrototypeStartsWith, StringPrototypeToWellFormed,
    SymbolIterator, SymbolToStringTag, TypeError, makeSafeMap,
} from "../engine/primordials.js";
import { IteratorPrototype, URLSearchParams, makeParams, readParams } from "../web/urls.js";
import { makePairs, parseForm, serializeForm } from "./form_encoding.js";

// A value as a string without unpaired surrogates (USVString).
const usv = (/** @type {any} */ value) => StringPrototypeToWellFormed(`${value}`);

export function loadSearchParams() {
    function need(/** @type {unknown} */ value) {
        const state = readParams(value);
        if (state === undefined) throw new TypeError("this is not a URLSearchParams");
        return state;
    }

    // The query of a URL is written when something reads it next, since a script may make many changes.
    function noteChange(/** @type {any} */ state) {
        if (state.url !== null) state.url.isStale = true;
    }

    // ------------------------------------------------------------ construction

    const complaint = "URLSearchParams takes a string, an object, or pairs of a name and a value";

    function pairsOfSequence(/** @type {any} */ sequence, /** @type {any} */ method) {
        const pairs = makePairs();
        useEvents().iterate(sequence, method, complaint, (/** @type {any} */ element) => {
            let count = 0, name = "", value = "";
            useEvents().eachElement(element, complaint, (/** @type {any} */ part) => {
                const text = usv(part);
                if (count === 0) name = text;
                else value = text;
                count++;
            });
            if (count !== 2) throw new TypeError("a pair has a name and a value, not " + count + " elements");
            pairs[pairs.length] = { name, value };
        });
        return pairs;
    }

    function pairsOfRecord(/** @type {any} */ record) {
        const pairs = makePairs(), indexes = makeSafeMap();
        const keys = ReflectOwnKeys(record);
        for (let index = 0; index < keys.length; index++) {
            const descriptor = ObjectGetOwnPropertyDescriptor(record, keys[index]);
            if (descriptor === undefined || !descriptor.enumerable) continue;
            const name = usv(keys[index]), value = usv(record[keys[index]]);
            const known = indexes.get(name);
            // Two keys may become the same name.
            if (known !== undefined) pairs[known].value = value;
            else {
                indexes.set(name, pairs.length);
                pairs[pairs.length] = { name, value };
            }
        }
        return pairs;
    }

    function pairsOf(/** @type {any} */ init) {
        if (init === undefined) return makePairs();
        if (isObject(init)) {
            if (useEvents().isPlainArray(init)) return pairsOfSequence(init, undefined);
            const method = init[SymbolIterator];
            return method === undefined || method === null ? pairsOfRecord(init) : pairsOfSequence(init, method);
        }
        const text = usv(init);
        return parseForm(StringPrototypeStartsWith(text, "?") ? StringPrototypeSlice(text, 1) : text);
    }

    function construct(/** @type {any} */ newTarget, /** @type {any} */ init) {
        needNew(newTarget, "URLSearchParams");
        return makeParams(newTarget, { pairs: pairsOf(init), url: null });
    }

    // ------------------------------------------------------------ operations

    function append(
        /** @type {unknown} */ params, /** @type {number} */ count, /** @type {unknown} */ name, /** @type {unknown} */ value,
    ) {
        const state = need(params);
        needArguments(count, 2, "append");
        const pair = { name: usv(name), value: usv(value) };
        state.pairs[state.pairs.length] = pair;
        noteChange(state);
    }

    function remove(
        /** @type {unknown} */ params, /** @type {number} */ count, /** @type {unknown} */ name, /** @type {unknown} */ value,
    ) {
        const state = need(params);
        needArguments(count, 1, "delete");
        const nameText = usv(name), valueText = value === undefined ? undefined : usv(value);
        const rest = makePairs();
        for (let index = 0; index < state.pairs.length; index++) {
            const pair = state.pairs[index];
            const isMatch = pair.name === nameText && (valueText === undefined || pair.value === valueText);
            if (!isMatch) rest[rest.length] = pair;
        }
        state.pairs = rest;
        noteChange(state);
    }

    function get(/** @type {unknown} */ params, /** @type {number} */ count, /** @type {unknown} */ name) {
        const { pairs } = need(params);
        needArguments(count, 1, "get");
        const text = usv(name);
        for (let index = 0; index < pairs.length; index++) if (pairs[index].name === text) return pairs[index].value;
        return null;
    }

    function getAll(/** @type {unknown} */ params, /** @type {number} */ count, /** @type {unknown} */ name) {
        const { pairs } = need(params);
        needArguments(count, 1, "getAll");
        const text = usv(name);
        /** @type {any[]} */
        const values = [];
        for (let index = 0; index < pairs.length; index++) if (pairs[index].name === text) push(values, pairs[index].value);
        return values;
    }

    function has(
        /** @type {unknown} */ params, /** @type {number} */ count, /** @type {unknown} */ name, /** @type {unknown} */ value,
    ) {
        const { pairs } = need(params);
        needArguments(count, 1, "has");
        const nameText = usv(name), valueText = value === undefined ? undefined : usv(value);
        for (let index = 0; index < pairs.length; index++) {
            const pair = pairs[index];
            if (pair.name === nameText && (valueText === undefined || pair.value === valueText)) return true;
        }
        return false;
    }

    function set(
        /** @type {unknown} */ params, /** @type {number} */ count, /** @type {unknown} */ name, /** @type {unknown} */ value,
    ) {
        const state = need(params);
        needArguments(count, 2, "set");
        const nameText = usv(name), valueText = usv(value);
        const pairs = makePairs();
        let isSet = false;
        for (let index = 0; index < state.pairs.length; index++) {
            const pair = state.pairs[index];
            if (pair.name !== nameText) pairs[pairs.length] = pair;
            else if (!isSet) {
                pairs[pairs.length] = { name: nameText, value: valueText };
                isSet = true;
            }
        }
        if (!isSet) pairs[pairs.length] = { name: nameText, value: valueText };
        state.pairs = pairs;
        noteChange(state);
    }

    const compareNames = (/** @type {any} */ left, /** @type {any} */ right) =>
        left.name < right.name ? -1 : left.name > right.name ? 1 : 0;

    function sort(/** @type {unknown} */ params) {
        const state = need(params);
        ArrayPrototypeSort(state.pairs, compareNames);
        noteChange(state);
    }

    // ------------------------------------------------------------ iteration

    function forEach(
        /** @type {unknown} */ params, /** @type {number} */ count, /** @type {any} */ callback, /** @type {unknown} */ receiver,
    ) {
        const state = need(params);
        needArguments(count, 1, "forEach");
        if (typeof callback !== "function") throw new TypeError("forEach takes a function, not a " + typeof callback);
        for (let index = 0; index < state.pairs.length; index++) {
            const { name, value } = state.pairs[index];
            ReflectApply(callback, receiver, [value, name, params]);
        }
    }

    const namesAndValues = (/** @type {any} */ pair) => [pair.name, pair.value];
    const names = (/** @type {any} */ pair) => pair.name;
    const values = (/** @type {any} */ pair) => pair.value;

    class ParamsIterator {
        #state;
        #select;
        #index = 0;
        constructor(/** @type {any} */ state, /** @type {(pair: any) => unknown} */ select) {
            this.#state = state;
            this.#select = select;
        }
        next() {
            if (!isObject(this) || !(#state in this)) throw new TypeError("this is not an iterator of a URLSearchParams");
            const { pairs } = this.#state;
            if (this.#index >= pairs.length) return { value: undefined, done: true };
            const select = this.#select;
            return { value: select(pairs[this.#index++]), done: false };
        }
    }
    const { prototype } = ParamsIterator;
    ObjectSetPrototypeOf(prototype, IteratorPrototype);
    ReflectDeleteProperty(prototype, "constructor");
    ObjectDefineProperty(prototype, "next", { __proto__: null, enumerable: true });
    ObjectDefineProperty(prototype, SymbolToStringTag, { __proto__: null, value: "URLSearchParams Iterator", configurable: true });

    return {
        __proto__: null, construct, append, remove, get, getAll, has, set, sort, forEach,
        size: (/** @type {unknown} */ params) => need(params).pairs.length,
        toString: (/** @type {unknown} */ params) => serializeForm(need(params).pairs),
        entries: (/** @type {unknown} */ params) => new ParamsIterator(need(params), namesAndValues),
        keys: (/** @type {unknown} */ params) => new ParamsIterator(need(params), names),
        values: (/** @type {unknown} */ params) => new ParamsIterator(need(params), values),
        // For URL.
        makeOf: (/** @type {any} */ url, /** @type {string} */ query) => makeParams(URLSearchParams, { pairs: parseForm(query), url }),
    };
}
