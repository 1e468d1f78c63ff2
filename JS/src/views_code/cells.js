// The contents of cells: what a script returns for an item, checked and written as a record of primitive values. A content
// is made once for each version of a row, never for a frame.
import { choicesOf, requireMembers } from "./members.js";
import { isPromise, kindOf } from "../data_code/checks.js";
import { isObject, push } from "../engine/objects.js";
import {
    ArrayIsArray, Error, String, StringPrototypeIsWellFormed, StringPrototypeSlice, TypeError, WeakMap,
    WeakMapPrototypeGet, WeakMapPrototypeSet, makeSafeMap,
} from "../engine/primordials.js";
import { reportError } from "../engine/uncaught.js";

const styles = {
    __proto__: null, plain: true, strong: true, secondary: true, match: true, failure: true, accent: true, inserted: true,
    deleted: true, moved: true, updated: true,
};
const accessories = { __proto__: null, disclosure: true, checkmark: true, reorder: true };
const members = { __proto__: null, text: true, spans: true, secondary: true, image: true, accessories: true, indentation: true };

// Text crosses as UTF-16 without lone surrogates: each is shown as U+FFFD, as in JSON.
export function wellFormed(/** @type {string} */ text) {
    if (StringPrototypeIsWellFormed(text)) return text;
    let result = "";
    for (let index = 0; index < text.length; index++) {
        const pair = StringPrototypeSlice(text, index, index + 2), unit = StringPrototypeSlice(text, index, index + 1);
        if (pair.length === 2 && !StringPrototypeIsWellFormed(unit) && StringPrototypeIsWellFormed(pair)) {
            result += pair;
            index++;
        } else {
            result += StringPrototypeIsWellFormed(unit) ? unit : "\uFFFD";
        }
    }
    return result;
}

// Refuses a promise as the answer of a function: a frame cannot wait.
export function refusePromise(/** @type {any} */ answer, /** @type {string} */ what) {
    if (isPromise(answer)) throw new TypeError(what + " must return its value, not a promise: a frame cannot wait");
    return answer;
}

function textOf(/** @type {any} */ value, /** @type {string} */ what) {
    switch (typeof value) {
    case "string": return wellFormed(value);
    case "number": case "bigint": case "boolean": return String(value);
    case "undefined": return "";
    default:
        if (value === null) return "";
        throw new TypeError(what + " is a string, not " + kindOf(value));
    }
}

function spanOf(/** @type {any} */ span) {
    if (!isObject(span)) return [textOf(span, "a span"), "plain"];
    const isPair = ArrayIsArray(span);
    const text = isPair ? span[0] : span.text;
    const style = isPair ? span[1] : span.style;
    if (style !== undefined && !(typeof style === "string" && style in styles)) {
        throw new TypeError("a style is " + choicesOf(styles) + ", not " + (typeof style === "string" ? "'" + style + "'" : kindOf(style)));
    }
    return [textOf(text, "the text of a span"), style ?? "plain"];
}

// Returns text as a string, or as an array of spans.
function styledText(/** @type {any} */ value, /** @type {string} */ what) {
    if (!ArrayIsArray(value)) return textOf(value, what);
    /** @type {any} */
    const spans = [];
    for (let index = 0; index < value.length; index++) push(spans, spanOf(value[index]));
    return spans;
}

function accessoryOf(/** @type {any} */ value) {
    if (typeof value === "string" && value in accessories) return [value];
    if (isObject(value)) {
        const { label, outline } = value;
        if (label !== undefined) return ["label", textOf(label, "a label")];
        if (typeof outline === "boolean") return ["outline", outline];
    }
    throw new TypeError("an accessory is 'disclosure', 'checkmark', 'reorder', { label } or { outline: true or false }, not " + kindOf(value));
}

// Returns the content that a function of the script returned, as [text, secondary, image, accessories, indentation].
export function contentOf(/** @type {any} */ answer, /** @type {string} */ what) {
    if (ArrayIsArray(answer) || !isObject(answer)) return [styledText(answer, "a cell"), "", "", [], 0];
    refusePromise(answer, what);
    requireMembers(answer, members, "a content", ". A view of objects needs the option cell");
    const { text, spans, secondary, image, accessories: marks, indentation = 0 } = answer;
    if (typeof indentation !== "number" || !(indentation >= 0 && indentation <= 100)) {
        throw new TypeError("the indentation of a cell is a number from 0 to 100, not " + (typeof indentation === "number" ? indentation : kindOf(indentation)));
    }
    /** @type {any} */
    const list = [];
    if (marks !== undefined && !ArrayIsArray(marks)) throw new TypeError("the accessories of a cell are an array, not " + kindOf(marks));
    for (let index = 0; marks !== undefined && index < marks.length; index++) push(list, accessoryOf(marks[index]));
    return [styledText(spans ?? text, "the text of a cell"), styledText(secondary, "the secondary text of a cell"), textOf(image, "the image of a cell"), list, indentation];
}

// Returns the message of an error for people.
export function messageOf(/** @type {any} */ error) {
    try { return wellFormed(String(error instanceof Error ? error.message : error)); } catch { return ""; /* Its own text fails, too. */ }
}

// Returns the content that shows an error in place of what a function of the script should have returned, and reports it.
export function failedContent(/** @type {string} */ what, /** @type {any} */ error) {
    reportError(error);
    return [[[what + " failed: " + messageOf(error), "failure"]], "", "", [], 0];
}

// The contents that were made, by the rows that they show.
export class CellCache {
    #make;
    #maximum;
    // The contents of rows of stores by `$id`, and of primitive items by themselves; of other objects, by the object.
    #byKey = makeSafeMap();
    #byObject = new WeakMap();
    #usesPath;

    constructor(/** @type {any} */ make, /** @type {number} */ maximum) {
        this.#make = make;
        this.#maximum = maximum;
        // A function with a second parameter reads the path, and gives other contents after each change: none is kept.
        this.#usesPath = make.length > 1;
    }

    content(/** @type {any} */ item, /** @type {number} */ section, /** @type {number} */ index, /** @type {boolean} */ isRow) {
        if (this.#usesPath) return this.#made(item, { section, item: index });
        const isHeldByObject = !isRow && isObject(item);
        const key = isRow ? item.$id : item;
        const known = isHeldByObject ? WeakMapPrototypeGet(this.#byObject, item) : this.#byKey.get(key);
        if (known !== undefined) return known;
        const content = this.#made(item, undefined);
        if (isHeldByObject) {
            WeakMapPrototypeSet(this.#byObject, item, content);
        } else {
            if (this.#byKey.size >= this.#maximum) this.#byKey.clear();
            this.#byKey.set(key, content);
        }
        return content;
    }

    #made(/** @type {any} */ item, /** @type {any} */ path) {
        const make = this.#make;
        try {
            return contentOf(path === undefined ? make(item) : make(item, path), "cell");
        } catch (error) {
            return failedContent("cell", error);
        }
    }

    // Forgets the contents of rows that a change names; all of them if it is not known which.
    forget(/** @type {any} */ ids) {
        if (ids === undefined) {
            this.#byKey.clear();
            this.#byObject = new WeakMap();
            return;
        }
        for (let index = 0; index < ids.length; index++) this.#byKey.delete(ids[index]);
    }
}
