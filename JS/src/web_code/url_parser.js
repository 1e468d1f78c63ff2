// The engine's own parser of URLs, and the parts of a URL that it has found.
import { unitAt } from "../engine/encoding.js";
import { native } from "../engine/native.js";
import {
    StringPrototypeSlice, StringPrototypeStartsWith, StringPrototypeToLowerCase, StringPrototypeToWellFormed,
} from "../engine/primordials.js";
import { findHost, mayHavePrefix, withoutPrefixes } from "./ascii_hosts.js";

// The indexes of some of the parts.
const USER_START = 1, PASSWORD_END = 3, HOST_END = 4;
let /** @type {any} */ parse, /** @type {any} */ parser, /** @type {any} */ parts;

// Creates the parser. Returns the problem of a library whose parser is not known; null if there is none.
export function loadParser() {
    // The host sets these members, so they are own: a script may have put setters on Object.prototype.
    const made = { parse: undefined, parser: undefined, parts: undefined, problem: null };
    native.makeURLParser(made);
    ({ parse, parser, parts } = made);
    return made.problem;
}

// Returns the text of a URL, null for an invalid one, or false for a string that is too long. `parts` then has its
// parts.
/** @returns {any} */
export function parseText(/** @type {string} */ text, /** @type {string | undefined} */ base) {
    const result = parse(parser, text, base);
    // A string has an unpaired surrogate.
    if (result === true) {
        return parseText(StringPrototypeToWellFormed(text), base === undefined ? base : StringPrototypeToWellFormed(base));
    }
    if (result !== null) return result;
    if (base !== undefined && endsWithSlashOfScheme(text)) return parse(parser, withBackslash(text), base);
    return mayHavePrefix(base === undefined ? text : text + base) ? parseWithPrefix(text, base) : null;
}

// The engine refuses `http:/` with a base of the same scheme, and accepts it with a backslash, which means the same.
function lastIndex(/** @type {string} */ text) {
    let index = text.length - 1;
    while (index > 0 && unitAt.call(text, index) <= 32) index--;
    return index;
}
function endsWithSlashOfScheme(/** @type {string} */ text) {
    const last = lastIndex(text);
    return last > 0 && text[last] === "/" && text[last - 1] === ":";
}
const withBackslash = (/** @type {string} */ text) => StringPrototypeSlice(text, 0, lastIndex(text)) + "\\";

// Parses a URL that the engine refuses for its host alone (ascii_hosts.js).
function parseWithPrefix(/** @type {string} */ text, /** @type {string | undefined} */ base) {
    const place = findHost(text), basePlace = base === undefined ? undefined : findHost(base);
    const href = parse(parser, withHost(text, place), base === undefined ? base : withHost(base, basePlace));
    if (typeof href !== "string") return null;
    // The parts of the result are the same for a host of the same length.
    const start = parts[PASSWORD_END] + (parts[PASSWORD_END] > parts[USER_START] ? 1 : 0), end = parts[HOST_END];
    const found = StringPrototypeSlice(href, start, end);
    const name = hostAt(text, place, found) ?? hostAt(base, basePlace, found);
    return name === undefined ? null : StringPrototypeSlice(href, 0, start) + name + StringPrototypeSlice(href, end);
}

function withHost(/** @type {string} */ text, /** @type {any} */ place) {
    if (place === undefined) return text;
    const name = withoutPrefixes(StringPrototypeSlice(text, place.start, place.end));
    return StringPrototypeSlice(text, 0, place.start) + name + StringPrototypeSlice(text, place.end);
}

// Returns the host at a place in lower case, if it was parsed as the one that was found.
function hostAt(/** @type {any} */ text, /** @type {any} */ place, /** @type {string} */ found) {
    if (place === undefined) return undefined;
    const name = StringPrototypeSlice(text, place.start, place.end);
    return withoutPrefixes(name) === found ? StringPrototypeToLowerCase(name) : undefined;
}

// The state of a URL: its text and the ends of its parts in it. `params` is its URLSearchParams, and `isStale` means that
// the query is that of `params`.
export function makeState(/** @type {string} */ href, /** @type {string} */ text) {
    const state = {
        href, schemeEnd: parts[0], userStart: parts[1], userEnd: parts[2], passwordEnd: parts[3], hostEnd: parts[4],
        portEnd: parts[5], pathEnd: parts[6], queryEnd: parts[7], isOpaque: parts[8] === 1, params: null, isStale: false,
    };
    if (hasCredentials(state) && hasAddedPath(state) && endsWithHost(text)) removePath(state);
    return state;
}

// The engine adds a path to a URL with a user whose scheme is not special, if a query or a fragment follows its host.
const hasAddedPath = (/** @type {any} */ state) =>
    state.pathEnd === state.portEnd + 1 && state.href.length > state.pathEnd && !isSpecial(state);

function removePath(/** @type {any} */ state) {
    state.href = StringPrototypeSlice(state.href, 0, state.portEnd) + StringPrototypeSlice(state.href, state.pathEnd);
    state.pathEnd--;
    state.queryEnd--;
}

// Returns whether nothing but a query or a fragment follows a host.
function endsWithHost(/** @type {string} */ text) {
    let slashes = 0;
    for (let index = 0; index < text.length && slashes < 3; index++) {
        const unit = unitAt.call(text, index);
        if (unit === 35 || unit === 63) break;
        if (unit === 47) slashes++;
    }
    return slashes === 2;
}

// Replaces the URL of a state by another text. Returns false, and changes nothing, if that is not a URL.
export function setText(/** @type {any} */ state, /** @type {string} */ text) {
    const href = parseText(text, undefined);
    if (href === null || href === false) return false;
    state.href = href;
    state.schemeEnd = parts[0];
    state.userStart = parts[1];
    state.userEnd = parts[2];
    state.passwordEnd = parts[3];
    state.hostEnd = parts[4];
    state.portEnd = parts[5];
    state.pathEnd = parts[6];
    state.queryEnd = parts[7];
    state.isOpaque = parts[8] === 1;
    if (hasCredentials(state) && hasAddedPath(state) && endsWithHost(text)) removePath(state);
    return true;
}

// Replaces the scheme of a state. The rest remains as it is, but for a port that is the default one.
export function setScheme(/** @type {any} */ state, /** @type {string} */ scheme) {
    const removed = portOf(state) === defaultPort(scheme) ? state.portEnd - state.hostEnd : 0;
    const shift = scheme.length - state.schemeEnd;
    state.href = scheme + StringPrototypeSlice(state.href, state.schemeEnd, state.portEnd - removed)
        + StringPrototypeSlice(state.href, state.portEnd);
    state.schemeEnd += shift;
    state.userStart += shift;
    state.userEnd += shift;
    state.passwordEnd += shift;
    state.hostEnd += shift;
    state.portEnd += shift - removed;
    state.pathEnd += shift - removed;
    state.queryEnd += shift - removed;
}

// Replaces the query of a state by one that needs no parsing.
export function setQuery(/** @type {any} */ state, /** @type {string} */ query) {
    const start = StringPrototypeSlice(state.href, 0, state.pathEnd) + (query === "" ? "" : "?" + query);
    state.href = start + StringPrototypeSlice(state.href, state.queryEnd);
    state.queryEnd = start.length;
}

// ---------------------------------------------------------------- parts

export const schemeOf = (/** @type {any} */ state) => StringPrototypeSlice(state.href, 0, state.schemeEnd);
export const usernameOf = (/** @type {any} */ state) => StringPrototypeSlice(state.href, state.userStart, state.userEnd);
// Without the colon in front of it.
export const passwordOf = (/** @type {any} */ state) =>
    state.passwordEnd > state.userEnd ? StringPrototypeSlice(state.href, state.userEnd + 1, state.passwordEnd) : "";
export const hasCredentials = (/** @type {any} */ state) => state.passwordEnd > state.userStart;
const hostStart = (/** @type {any} */ state) => state.passwordEnd + (hasCredentials(state) ? 1 : 0);
export const hostnameOf = (/** @type {any} */ state) => StringPrototypeSlice(state.href, hostStart(state), state.hostEnd);
export const hostOf = (/** @type {any} */ state) => StringPrototypeSlice(state.href, hostStart(state), state.portEnd);
export const hasPort = (/** @type {any} */ state) => state.portEnd > state.hostEnd;
export const portOf = (/** @type {any} */ state) =>
    hasPort(state) ? StringPrototypeSlice(state.href, state.hostEnd + 1, state.portEnd) : "";
// A URL without a host has no `//` after its scheme.
export const hasHost = (/** @type {any} */ state) => state.userStart > state.schemeEnd + 1;

// Returns the path. In the text, `/.` is in front of a path that would begin an authority.
export function pathOf(/** @type {any} */ state) {
    const path = StringPrototypeSlice(state.href, state.portEnd, state.pathEnd);
    return !hasHost(state) && StringPrototypeStartsWith(path, "/.//") ? StringPrototypeSlice(path, 2) : path;
}

// Returns the query and the fragment with their first character, or "" if nothing follows that.
export const searchOf = (/** @type {any} */ state) =>
    state.queryEnd > state.pathEnd + 1 ? StringPrototypeSlice(state.href, state.pathEnd, state.queryEnd) : "";
export const hashOf = (/** @type {any} */ state) =>
    state.href.length > state.queryEnd + 1 ? StringPrototypeSlice(state.href, state.queryEnd) : "";

// Returns the default port of a special scheme, "" for `file`, undefined for another scheme.
export function defaultPort(/** @type {string} */ scheme) {
    switch (scheme) {
    case "http": case "ws": return "80";
    case "https": case "wss": return "443";
    case "ftp": return "21";
    case "file": return "";
    default: return undefined;
    }
}
export const isSpecial = (/** @type {any} */ state) => defaultPort(schemeOf(state)) !== undefined;
