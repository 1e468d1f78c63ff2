// Data sources that scripts implement. Native memory calls the functions of an entry, never the script's object. Each
// result is validated here, so that an invalid one is an error that names the source, the member and the result.
import { isPromise, kindOf } from "./checks.js";
import { dataHost } from "../data/native.js";
import { rowsPerStep } from "./rows.js";
import { isObject, push } from "../engine/objects.js";
import { replaceNoted } from "../engine/registrations.js";
import {
    ArrayIsArray, Error, ObjectDefineProperty, ObjectFreeze, ReflectApply, makeSafeMap, String,
    StringPrototypeIsWellFormed, StringPrototypeSlice, TypeError, WeakMap, WeakMapPrototypeGet, WeakMapPrototypeSet,
} from "../engine/primordials.js";

// The maximum index of a path with 32 bits, and the maximum number of sections that are asked for their counts.
const maximumItems = 2147483647;
const maximumSections = 100000;

function failure(/** @type {string} */ code, /** @type {string} */ message, /** @type {any} */ cause) {
    const error = cause === undefined ? new Error(message) : new Error(message, /** @type {ErrorOptions} */ ({ __proto__: null, cause: cause.value }));
    ObjectDefineProperty(error, "code", { __proto__: null, value: code, configurable: true, writable: true });
    return error;
}

// Returns a short description of a result, without running any of its code.
function excerpt(/** @type {unknown} */ value) {
    switch (typeof value) {
    case "string": return "the string '" + (value.length > 40 ? StringPrototypeSlice(value, 0, 40) + "..." : value) + "'";
    case "number": case "boolean": case "undefined": return String(value);
    case "bigint": return "a bigint";
    default: return kindOf(value) === "object" ? "an object" : kindOf(value);
    }
}

function wrong(
    /** @type {string} */ name, /** @type {string} */ member, /** @type {any} */ wanted, /** @type {any} */ answer,
) {
    return failure("decodeFailed", "the data source '" + name + "' answered " + member + " with " + excerpt(answer) + ", not with " + wanted);
}

let entryCount = 0;

// A data source that a script registered under a name: its object, and its followers.
export class Entry {
    // Fields are own properties whatever Object.prototype has: an assignment would call a setter that a script put
    // there.
    name;
    number = ++entryCount;
    source;
    followers = makeSafeMap();
    nextFollower = 1;
    pruneAt = 8;
    // The index of each identity when all items were asked, and the counts then; undefined after a change was
    // announced.
    /** @type {any} */ places;

    constructor(/** @type {string} */ name, /** @type {any} */ source) {
        this.name = name;
        this.source = source;
    }

    // Reads a member of the script's object, whose getter is the script's code, too.
    #member(/** @type {any} */ member) {
        try { return this.source[member]; } catch (value) { throw this.#failed(member, value); }
    }

    #failed(/** @type {string | undefined} */ member, /** @type {unknown} */ value) {
        return failure("handlerFailed", "the data source '" + this.name + "' failed in " + member, { __proto__: null, value });
    }

    // Calls a function of the script's object, which must return its result: its caller cannot wait for a promise.
    #call(/** @type {string} */ member, /** @type {any} */ method, /** @type {any[]} */ values) {
        let answer;
        try {
            answer = ReflectApply(method, this.source, values);
            if (!isPromise(answer)) return answer;
        } catch (value) {
            throw this.#failed(member, value);
        }
        throw this.#promised(member, "with a promise");
    }

    #promised(/** @type {string} */ member, /** @type {string} */ what) {
        return failure("decodeFailed", "the data source '" + this.name + "' answered " + member + " " + what + ": " + member + " must return its value, not a promise", undefined);
    }

    // Returns a count: a number, or the result of a function; undefined if the source has none.
    #count(/** @type {string} */ member, /** @type {any[]} */ values, /** @type {number} */ maximum) {
        const property = this.#member(member);
        if (property === undefined) return undefined;
        const answer = typeof property === "function" ? this.#call(member, property, values) : property;
        if (typeof answer !== "number" || answer % 1 !== 0 || !(answer >= 0) || answer > maximum) {
            throw wrong(this.name, member, answer > maximum && answer % 1 === 0 ? "a count up to " + maximum : "a count", answer);
        }
        return answer;
    }

    #itemCount(/** @type {number} */ section) { return this.#count("numberOfItems", [section], maximumItems) ?? 0; }

    numberOfSections() {
        return this.#count("numberOfSections", [], maximumItems) ?? (this.#itemCount(0) > 0 ? 1 : 0);
    }

    // Returns the count of a section; a section that does not exist has no items, whatever the source says.
    numberOfItems(/** @type {number} */ section) {
        if (!(section >= 0) || section >= (this.#count("numberOfSections", [], maximumItems) ?? 1)) return 0;
        return this.#itemCount(section);
    }

    // Returns the counts of all sections.
    counts() {
        const sections = this.numberOfSections();
        if (sections > maximumSections) throw wrong(this.name, "numberOfSections", "a count up to " + maximumSections, sections);
        /** @type {any} */
        const counts = [];
        for (let section = 0; section < sections; section++) push(counts, this.#itemCount(section));
        return counts;
    }

    // Returns a range of items of a section, clipped to the items that exist.
    window(/** @type {number} */ section, /** @type {number} */ from, /** @type {number} */ to) {
        const count = this.numberOfItems(section);
        const end = to < count ? to : count;
        const start = from > 0 ? from : 0;
        return start < end ? this.read(section, start, end) : [];
    }

    // Returns the items of a range that exists.
    read(/** @type {number} */ section, /** @type {number} */ from, /** @type {number} */ to) {
        const window = this.#member("window");
        if (typeof window === "function") {
            const rows = this.#call("window", window, [section, from, to]);
            const wanted = "an array of " + (to - from) + " items";
            if (!ArrayIsArray(rows)) throw wrong(this.name, "window", wanted, rows);
            let length, isPending;
            // A proxy of an array answers these with a function of the script. An `async` function makes all elements
            // promises, so the first one is enough.
            try {
                length = rows.length;
                isPending = length > 0 && isPromise(rows[0]);
            } catch (value) { throw this.#failed("window", value); }
            if (length !== to - from) {
                throw failure("decodeFailed", "the data source '" + this.name + "' answered window with an array of " + excerpt(length) + ", not with " + wanted);
            }
            if (isPending) throw this.#promised("window", "with an array of promises");
            return rows;
        }
        const item = this.#member("item");
        if (typeof item !== "function") {
            throw failure("invalidArgument", "the data source '" + this.name + "' has neither window(section, from, to) nor item(section, item)");
        }
        /** @type {any} */
        const rows = [];
        for (let index = from; index < to; index++) push(rows, this.#call("item", item, [section, index]));
        return rows;
    }

    // Returns a title, or undefined; `member` is headerTitle or footerTitle.
    title(/** @type {string} */ member, /** @type {number} */ section) {
        if (!(section >= 0) || section >= (this.#count("numberOfSections", [], maximumItems) ?? 1)) return undefined;
        const property = this.#member(member);
        const answer = typeof property === "function" ? this.#call(member, property, [section]) : undefined;
        if (answer === undefined || answer === null) return undefined;
        if (typeof answer !== "string") throw wrong(this.name, member, "a string or null", answer);
        return answer;
    }

    // ------------------------------------------------------------ identities

    // Returns the identity of an item as a string; undefined without a permanent one. The number 1 and the string
    // "1" are the same.
    #identityOf(/** @type {any} */ item, /** @type {number} */ section, /** @type {number} */ index) {
        const identifier = this.#member("identifier");
        let answer = item;
        if (typeof identifier === "function") answer = this.#call("identifier", identifier, [item, section, index]);
        else if (isObject(item)) {
            try { answer = item.$id ?? item.id; } catch (value) { throw this.#failed("an item's id", value); }
        }
        if (answer === undefined || answer === null) return undefined;
        if (typeof answer === "string") return answer;
        if (typeof answer === "bigint" || typeof answer === "number" && answer - answer === 0) return String(answer);
        throw wrong(this.name, "identifier", "a string or a number", answer);
    }

    // Returns the item at an index in an array of one; an empty array if it does not exist.
    #itemAt(
        /** @type {number} */ section, /** @type {number} */ index,
    ) { return this.window(section, index, index + 1); }

    identity(/** @type {number} */ section, /** @type {number} */ index) {
        const items = this.#itemAt(section, index);
        return items.length === 0 ? undefined : this.#identityOf(items[0], section, index);
    }

    // Returns the path of an identity, as [section, item].
    placeOf(/** @type {any} */ identity) {
        const indexOf = this.#member("indexOf");
        if (typeof indexOf === "function") return this.#answeredPlace(this.#call("indexOf", indexOf, [identity]), identity);
        for (let isAgain = false; ; isAgain = true) {
            const places = isAgain || this.places === undefined ? this.#findPlaces() : this.places;
            const isFresh = places !== this.places;
            this.places = places;
            const place = places.map.get(identity);
            if (place !== undefined && this.identity(place[0], place[1]) === identity) return place;
            // The items are asked again if the source has changed without announcing it.
            if (isFresh || place === undefined && this.#hasCounts(places.counts)) return undefined;
        }
    }

    #answeredPlace(/** @type {any} */ answer, /** @type {any} */ identity) {
        if (answer === undefined || answer === null) return undefined;
        const wanted = "a path { section, item } that has it";
        if (!isObject(answer)) throw wrong(this.name, "indexOf", wanted, answer);
        let section, item;
        try { ({ section, item } = answer); } catch (value) { throw this.#failed("indexOf", value); }
        if (typeof section !== "number" || typeof item !== "number" || !(item >= 0) || item % 1 !== 0
            || section % 1 !== 0 || this.identity(section, item) !== identity) {
            throw wrong(this.name, "indexOf", wanted, answer);
        }
        return [section, item];
    }

    #hasCounts(/** @type {any} */ before) {
        const counts = this.counts();
        if (counts.length !== before.length) return false;
        for (let section = 0; section < counts.length; section++) if (counts[section] !== before[section]) return false;
        return true;
    }

    // Asks every item for its identity; of two with the same identity the first is used.
    #findPlaces() {
        const counts = this.counts();
        const map = makeSafeMap();
        for (let section = 0; section < counts.length; section++) {
            for (let from = 0; from < counts[section]; from += rowsPerStep) {
                const to = from + rowsPerStep < counts[section] ? from + rowsPerStep : counts[section];
                const items = this.read(section, from, to);
                for (let index = 0; index < to - from; index++) {
                    const identity = this.#identityOf(items[index], section, from + index);
                    if (identity !== undefined && !map.has(identity)) map.set(identity, [section, from + index]);
                }
            }
        }
        return { __proto__: null, map, counts };
    }

    // Returns the type of the items as a string: archives with another one are refused.
    schema() {
        const schema = this.#member("schema");
        if (schema === undefined || schema === null) return "source:" + this.name;
        if (typeof schema !== "string") throw wrong(this.name, "schema", "a string", schema);
        return schema;
    }

    // Returns the identity of a section: its identifier, or else its title, or else its index.
    sectionIdentity(/** @type {number} */ section) {
        const identifier = this.#member("sectionIdentifier");
        if (typeof identifier !== "function") return this.title("headerTitle", section) ?? section;
        const answer = this.#call("sectionIdentifier", identifier, [section]);
        if (typeof answer !== "string" && typeof answer !== "number") throw wrong(this.name, "sectionIdentifier", "a string or a number", answer);
        return answer;
    }

    // Returns the properties by which items are ordered, a descending one with a minus.
    sortKeys() {
        const keys = this.#member("sortKeys");
        if (keys === undefined || keys === null) return [];
        if (!ArrayIsArray(keys)) throw wrong(this.name, "sortKeys", "an array of names", keys);
        /** @type {any} */
        const names = [];
        for (let index = 0; index < keys.length; index++) {
            if (typeof keys[index] !== "string") throw wrong(this.name, "sortKeys", "an array of names", keys[index]);
            push(names, keys[index]);
        }
        return names;
    }

    sortValues(/** @type {number} */ section, /** @type {number} */ index, /** @type {string[]} */ names) {
        const items = this.#itemAt(section, index);
        if (items.length === 0) return undefined;
        /** @type {any} */
        const values = [];
        for (let number = 0; number < names.length; number++) {
            const name = names[number][0] === "-" ? StringPrototypeSlice(names[number], 1) : names[number];
            let value;
            try { value = items[0][name]; } catch (error) { throw this.#failed("the member '" + name + "' of an item", error); }
            push(values, value ?? null);
        }
        return values;
    }

    notify(/** @type {any} */ changes) {
        this.places = undefined;
        const end = this.nextFollower;
        this.followers.forEach((/** @type {any} */ follow, /** @type {any} */ id) => {
            if (id < end && !follow(changes)) this.followers.delete(id);
        });
    }

    // Adds a follower. `follow(changes)` announces a change, `follow()` only asks; both return whether the follower
    // is still alive.
    follow(/** @type {any} */ follow) {
        // A released follower returns false. Released ones are removed when the map has doubled, at constant
        // amortized cost.
        if (this.followers.size >= this.pruneAt) {
            this.followers.forEach((
                /** @type {any} */ other, /** @type {any} */ id,
            ) => { if (!other()) this.followers.delete(id); });
            this.pruneAt = this.followers.size < 4 ? 8 : this.followers.size * 2;
        }
        this.followers.set(this.nextFollower++, follow);
    }
}

const sources = makeSafeMap();
// The entries of the objects that registerDataSource has returned.
const registrations = new WeakMap();
export const registeredEntry = (/** @type {any} */ value) => isObject(value) ? WeakMapPrototypeGet(registrations, value) : undefined;

export function registerDataSource(
    /** @type {string | undefined} */ name, /** @type {string | undefined} */ source,
) {
    if (typeof name !== "string") throw new TypeError("a data source's name must be a string");
    if (!StringPrototypeIsWellFormed(name)) {
        throw new TypeError("a data source's name must not contain a lone surrogate: the host could not request it");
    }
    if (!isObject(source)) throw new TypeError("a data source is an object with numberOfItems and window or item");
    const entry = new Entry(name, source);
    const replaced = sources.get(name);
    replaceNoted(sources, name, entry, () => { entry.notify("all"); });
    // A mirror of the name shows this source from now on.
    if (replaced !== undefined) replaced.notify("all");
    const registration = ObjectFreeze({
        name,
        reload(changes = "all") {
            if (changes !== "all" && !ArrayIsArray(changes)) throw new TypeError("changes are 'all' or a list");
            entry.notify(changes);
        },
        remove() {
            if (sources.get(name) !== entry) return;
            sources.delete(name);
            entry.notify("all");
        },
        saveState(view = {}) { return dataHost.saveSourceState(name, entry, view); },
        restoreState(
            /** @type {any} */ archive, view = {},
        ) { return dataHost.restoreSourceState(name, entry, archive, view); },
    });
    WeakMapPrototypeSet(registrations, registration, entry);
    return registration;
}

export const dataSource = (/** @type {string} */ name) => sources.get(name);
export const bindMethod = (/** @type {any} */ entry, /** @type {string} */ name) => {
    const method = entry[name];
    // Methods with fewer parameters ignore the others; a rest parameter would read Symbol.iterator.
    return (
        /** @type {any} */ first, /** @type {any} */ second, /** @type {any} */ third,
    ) => ReflectApply(method, entry, [first, second, third]);
};
export const dataSourceNames = () => {
    /** @type {any} */
    const names = [];
    sources.forEach((/** @type {any} */ entry, /** @type {string} */ name) => { push(names, name); });
    return names;
};
