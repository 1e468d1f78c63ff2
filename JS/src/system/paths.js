// Paths as scripts give them: strings, and URLs of files.
import { makeError } from "../bridge/errors.js";
import { read, textOf } from "../bridge/objects.js";
import { isObject } from "../engine/objects.js";
import {
    StringPrototypeIncludes, StringPrototypeIndexOf, StringPrototypeIsWellFormed, StringPrototypeSlice,
    StringPrototypeStartsWith, StringPrototypeToLowerCase, global,
} from "../engine/primordials.js";

const { decodeURIComponent } = global;

function before(/** @type {string} */ text, /** @type {string} */ mark) {
    const index = StringPrototypeIndexOf(text, mark);
    return index < 0 ? text : StringPrototypeSlice(text, 0, index);
}

function pathOfURL(/** @type {string} */ url) {
    if (!StringPrototypeStartsWith(url, "file:///")) {
        throw makeError("invalidArgument", "A URL of a file begins with \"file:///\"; this is " + textOf(url) + ".");
    }
    const encoded = StringPrototypeSlice(before(before(url, "?"), "#"), 7);
    // It would be another path than the URL shows.
    if (StringPrototypeIncludes(StringPrototypeToLowerCase(encoded), "%2f")) {
        throw makeError("invalidArgument", "The URL of a file has an encoded slash: " + textOf(url) + ".");
    }
    try {
        return decodeURIComponent(encoded);
    } catch {
        throw makeError("invalidArgument", "The URL of a file is not UTF-8: " + textOf(url) + ".");
    }
}

// Returns the path that a string or a URL names.
export function pathOf(/** @type {any} */ value) {
    let path = value;
    if (isObject(value)) {
        const url = read(value, "href");
        if (typeof url === "string") path = pathOfURL(url);
    }
    if (typeof path !== "string") {
        throw makeError("invalidArgument", "A path is a string or the URL of a file; this is " + textOf(value) + ".");
    }
    if (StringPrototypeIsWellFormed !== undefined && !StringPrototypeIsWellFormed(path)) {
        throw makeError("invalidArgument", "A path has no unpaired surrogates.");
    }
    return path;
}
