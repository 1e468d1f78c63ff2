// Paths of items, as scripts write them and as the host reads them.
import { kindOf } from "../data_code/checks.js";
import { isObject, push } from "../engine/objects.js";
import { ArrayIsArray, TypeError } from "../engine/primordials.js";

const maximum = 2147483647;

function isIndex(/** @type {unknown} */ value) {
    return typeof value === "number" && value >= 0 && value <= maximum && value % 1 === 0;
}

// Returns a path as [section, item]. `what` names it in the error.
export function pathOf(/** @type {any} */ value, /** @type {string} */ what) {
    const isPair = ArrayIsArray(value) && value.length === 2;
    const section = isPair ? value[0] : isObject(value) ? value.section : undefined;
    const item = isPair ? value[1] : isObject(value) ? value.item : undefined;
    if (!isIndex(section) || !isIndex(item)) {
        throw new TypeError(what + " is a path { section, item }, not " + (isObject(value) ? "an object without two indices from 0 to " + maximum : kindOf(value)));
    }
    return [section, item];
}

export function pathsOf(/** @type {any} */ value, /** @type {string} */ what) {
    if (!ArrayIsArray(value)) throw new TypeError(what + " is an array of paths, not " + kindOf(value));
    /** @type {any} */
    const paths = [];
    for (let index = 0; index < value.length; index++) push(paths, pathOf(value[index], "an element of " + what));
    return paths;
}

export function sectionOf(/** @type {any} */ value, /** @type {string} */ what) {
    if (!isIndex(value)) throw new TypeError(what + " is the index of a section, not " + kindOf(value));
    return value;
}

// Returns the sections of an array, or a single one, as an array.
export function sectionsOf(/** @type {any} */ value, /** @type {string} */ what) {
    if (!ArrayIsArray(value)) return [sectionOf(value, what)];
    /** @type {any} */
    const sections = [];
    for (let index = 0; index < value.length; index++) push(sections, sectionOf(value[index], "an element of " + what));
    return sections;
}

export function numberOf(/** @type {any} */ value, /** @type {string} */ what) {
    if (typeof value !== "number" || value !== value) {
        throw new TypeError(what + " is a number, not " + (value === value ? kindOf(value) : "NaN"));
    }
    return value;
}

export const shownPath = (/** @type {number} */ section, /** @type {number} */ item) => ({ section, item });
