// The setters of a URL (https://url.spec.whatwg.org/#api). Each writes the new part into the text of the URL, and parses
// that. What the parser would take for the end of the part is refused or escaped before, as the standard's parser does
// that sets one part alone.
import { unitAt } from "../engine/encoding.js";
import {
    StringPrototypeIncludes, StringPrototypeSlice, StringPrototypeStartsWith, StringPrototypeToLowerCase,
} from "../engine/primordials.js";
import { escape, isDigit, isLetter, rewrite } from "./text_rewriting.js";
import {
    defaultPort, hasCredentials, hasHost, hasPort, hostnameOf, isSpecial, passwordOf, pathOf, schemeOf, setScheme,
    setText, usernameOf,
} from "./url_parser.js";

const beforeHost = (/** @type {any} */ state) => StringPrototypeSlice(state.href, 0, state.userStart);
const afterPath = (/** @type {any} */ state) => StringPrototypeSlice(state.href, state.pathEnd);

// The parser ignores tabs and newlines.
const withoutTabs = (/** @type {string} */ text) => rewrite(
    text, (unit) => unit === 9 || unit === 10 || unit === 13 ? "" : undefined,
);
// The parser ignores controls and spaces at the end of its input, where a part may be.
const isControl = (/** @type {number} */ unit) => unit <= 32;
function withEscapedEnd(/** @type {string} */ text) {
    let end = text.length;
    while (end > 0 && isControl(unitAt.call(text, end - 1))) end--;
    return end === text.length
        ? text : StringPrototypeSlice(text, 0, end) + escape(StringPrototypeSlice(text, end), isControl);
}

// The characters of a user's name and password that are escaped; those above 0x7E are escaped anyway.
const isEscapedInUser = (/** @type {number} */ unit) =>
    isControl(unit) || unit < 0x7F && StringPrototypeIncludes("\"#<>?^`{}/:;=@[\\]|", asciiOf(unit));
const ascii = " !\"#$%&'()*+,-./0123456789:;<=>?@ABCDEFGHIJKLMNOPQRSTUVWXYZ[\\]^_`abcdefghijklmnopqrstuvwxyz{|}~";
const asciiOf = (/** @type {number} */ unit) => ascii[unit - 32];

// ---------------------------------------------------------------- scheme, user

export function setProtocol(/** @type {any} */ state, /** @type {string} */ value) {
    const text = withoutTabs(value);
    let end = 0;
    while (end < text.length) {
        const unit = unitAt.call(text, end);
        const isInside = isLetter(unit) || end > 0 && (isDigit(unit) || unit === 43 || unit === 45 || unit === 46);
        if (!isInside) break;
        end++;
    }
    if (end === 0 || end < text.length && text[end] !== ":") return;
    const scheme = StringPrototypeToLowerCase(StringPrototypeSlice(text, 0, end));
    if ((defaultPort(scheme) !== undefined) !== isSpecial(state)) return;
    if (scheme === "file" && (hasCredentials(state) || hasPort(state))) return;
    if (schemeOf(state) === "file" && hostnameOf(state) === "") return;
    setScheme(state, scheme);
}

const cannotHaveUser = (/** @type {any} */ state) => hostnameOf(state) === "" || schemeOf(state) === "file";

function setUser(/** @type {any} */ state, /** @type {string} */ username, /** @type {string} */ password) {
    const user = username + (password === "" ? "" : ":" + password);
    const rest = StringPrototypeSlice(state.href, state.passwordEnd + (hasCredentials(state) ? 1 : 0));
    setText(state, beforeHost(state) + user + (user === "" ? "" : "@") + rest);
}

export function setUsername(/** @type {any} */ state, /** @type {string} */ value) {
    if (!cannotHaveUser(state)) setUser(state, escape(value, isEscapedInUser), passwordOf(state));
}

export function setPassword(/** @type {any} */ state, /** @type {string} */ value) {
    if (!cannotHaveUser(state)) setUser(state, usernameOf(state), escape(value, isEscapedInUser));
}

// ---------------------------------------------------------------- host, port

// Returns the port that a string begins with; undefined if it has none, or one above 65535.
function portIn(/** @type {string} */ text, /** @type {number} */ start) {
    let end = start, port = 0;
    for (; end < text.length && isDigit(unitAt.call(text, end)); end++) {
        port = port * 10 + unitAt.call(text, end) - 48;
        if (port > 65535) return undefined;
    }
    return end === start ? undefined : port;
}

export function setPort(/** @type {any} */ state, /** @type {string} */ value) {
    if (cannotHaveUser(state)) return;
    let port;
    if (value !== "") {
        port = portIn(withoutTabs(value), 0);
        if (port === undefined) return;
    }
    const start = StringPrototypeSlice(state.href, 0, state.hostEnd);
    setText(state, start + (port === undefined ? "" : ":" + port) + StringPrototypeSlice(state.href, state.portEnd));
}

// Returns the index of the character that ends a host.
function endOfHost(/** @type {string} */ text, /** @type {boolean} */ isFile, /** @type {boolean} */ isSpecialHost) {
    let isInside = false;
    for (let index = 0; index < text.length; index++) {
        const unit = unitAt.call(text, index);
        if (unit === 47 || unit === 63 || unit === 35 || unit === 92 && isSpecialHost) return index;
        if (unit === 58 && !isInside && !isFile) return index;
        if (unit === 91) isInside = true;
        else if (unit === 93) isInside = false;
    }
    return text.length;
}

// Of the characters that no host may have, those that the parser would take for another part or ignore.
const isRefusedInHost = (/** @type {string} */ name) =>
    StringPrototypeIncludes(name, "@") || StringPrototypeIncludes(name, " ") || StringPrototypeIncludes(name, "\0");
const isDriveLetter = (/** @type {string} */ text) =>
    text.length === 2 && isLetter(unitAt.call(text, 0)) && (text[1] === ":" || text[1] === "|");

export function setHost(/** @type {any} */ state, /** @type {string} */ value, /** @type {boolean} */ isNameOnly) {
    if (state.isOpaque) return;
    const text = withoutTabs(value), isFile = schemeOf(state) === "file", isSpecialHost = isSpecial(state);
    const end = endOfHost(text, isFile, isSpecialHost);
    const name = StringPrototypeSlice(text, 0, end);
    const hasColon = end < text.length && text[end] === ":";
    if (hasColon && (isNameOnly || name === "")) return;
    if (name === "" && (isSpecialHost ? !isFile : hasCredentials(state) || hasPort(state))) return;
    if (isRefusedInHost(name) || isFile && isDriveLetter(name)) return;
    const port = hasColon ? portIn(text, end + 1) : undefined;
    const user = StringPrototypeSlice(state.href, state.userStart, state.passwordEnd + (hasCredentials(state) ? 1 : 0));
    const portText = port === undefined ? StringPrototypeSlice(state.href, state.hostEnd, state.portEnd) : ":" + port;
    setText(state, schemeOf(state) + "://" + user + withEscapedEnd(name) + portText + pathOf(state) + afterPath(state));
}

// ---------------------------------------------------------------- path, query, fragment

export function setPathname(/** @type {any} */ state, /** @type {string} */ value) {
    if (state.isOpaque) return;
    const isSpecialPath = isSpecial(state);
    let path = withEscapedEnd(rewrite(withoutTabs(value), (unit) => unit === 63 ? "%3F" : unit === 35 ? "%23" : undefined));
    const isSeparated = path !== "" && (path[0] === "/" || path[0] === "\\" && isSpecialPath);
    if (!isSeparated && (path !== "" || isSpecialPath || !hasHost(state))) path = "/" + path;
    const start = StringPrototypeSlice(state.href, 0, state.portEnd) + (hasHost(state) ? "" : "/.");
    setText(state, start + path + afterPath(state));
}

export function setSearch(/** @type {any} */ state, /** @type {string} */ value) {
    let query = "";
    if (value !== "") {
        const text = StringPrototypeStartsWith(value, "?") ? StringPrototypeSlice(value, 1) : value;
        query = "?" + withEscapedEnd(rewrite(withoutTabs(text), (unit) => unit === 35 ? "%23" : undefined));
    }
    const start = StringPrototypeSlice(state.href, 0, state.pathEnd);
    setText(state, start + query + StringPrototypeSlice(state.href, state.queryEnd));
}

export function setHash(/** @type {any} */ state, /** @type {string} */ value) {
    let fragment = "";
    if (value !== "") {
        const text = StringPrototypeStartsWith(value, "#") ? StringPrototypeSlice(value, 1) : value;
        fragment = "#" + withEscapedEnd(withoutTabs(text));
    }
    setText(state, StringPrototypeSlice(state.href, 0, state.queryEnd) + fragment);
}
