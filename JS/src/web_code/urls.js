// The behavior of URL.
import { needArguments, needNew } from "../engine/interfaces.js";
import { Error, StringPrototypeSlice, StringPrototypeToWellFormed, TypeError } from "../engine/primordials.js";
import { usePart } from "../web/parts.js";
import { URL, makeURL, readParams, readURL } from "../web/urls.js";
import { parseForm, serializeForm } from "./form_encoding.js";
import {
    hashOf, hostOf, hostnameOf, loadParser, makeState, parseText, passwordOf, pathOf, portOf, schemeOf, searchOf,
    setQuery, setText, usernameOf,
} from "./url_parser.js";
import { setHash, setHost, setPassword, setPathname, setPort, setProtocol, setSearch, setUsername } from "./url_setters.js";

// An origin by its scheme: of the special schemes, all but `file` have one.
const hasOrigin = (/** @type {string} */ scheme) =>
    scheme === "http" || scheme === "https" || scheme === "ws" || scheme === "wss" || scheme === "ftp";

export function loadURLs() {
    const problem = loadParser();
    if (problem !== null) throw new Error(problem);

    function stateOf(/** @type {unknown} */ value) {
        const state = readURL(value);
        if (state === undefined) throw new TypeError("this is not a URL");
        return state;
    }

    function need(/** @type {unknown} */ value) {
        const state = stateOf(value);
        if (state.isStale) {
            // In this order: a time limit may terminate a script anywhere.
            setQuery(state, serializeForm(readParams(state.params).pairs));
            state.isStale = false;
        }
        return state;
    }

    // ------------------------------------------------------------ construction

    const shortened = (/** @type {string} */ text) =>
        "\"" + (text.length > 100 ? StringPrototypeSlice(text, 0, 100) + "..." : text) + "\"";

    function refuse(/** @type {string} */ text, /** @type {string | undefined} */ base, /** @type {null | false} */ result) {
        const place = base === undefined ? "" : " with the base " + shortened(base);
        throw new TypeError("Invalid URL: " + shortened(text) + place + (result === false ? " is too long" : ""));
    }

    function construct(
        /** @type {any} */ newTarget, /** @type {number} */ count, /** @type {any} */ url, /** @type {any} */ base,
    ) {
        needNew(newTarget, "URL");
        needArguments(count, 1, "URL");
        const text = `${url}`, baseText = base === undefined ? undefined : `${base}`;
        const href = parseText(text, baseText);
        if (href === null || href === false) refuse(text, baseText, href);
        return makeURL(newTarget, makeState(href, text));
    }

    function parseOrNull(/** @type {any} */ url, /** @type {any} */ base) {
        const text = `${url}`, baseText = base === undefined ? undefined : `${base}`;
        const href = parseText(text, baseText);
        return href === false ? null : href;
    }

    function parse(/** @type {number} */ count, /** @type {any} */ url, /** @type {any} */ base) {
        needArguments(count, 1, "URL.parse");
        const text = `${url}`, href = parseOrNull(text, base);
        return href === null ? null : makeURL(URL, makeState(href, text));
    }

    function canParse(/** @type {number} */ count, /** @type {any} */ url, /** @type {any} */ base) {
        needArguments(count, 1, "URL.canParse");
        return parseOrNull(url, base) !== null;
    }

    // ------------------------------------------------------------ attributes

    function originOf(/** @type {any} */ state) {
        const scheme = schemeOf(state);
        if (hasOrigin(scheme)) return scheme + "://" + hostOf(state);
        if (scheme !== "blob") return "null";
        // The origin of the URL that its path is.
        const path = pathOf(state), inner = parseText(path, undefined);
        if (inner === null || inner === false) return "null";
        const innerState = makeState(inner, path), innerScheme = schemeOf(innerState);
        return innerScheme === "http" || innerScheme === "https" ? innerScheme + "://" + hostOf(innerState) : "null";
    }

    // The parameters of an object that has been made follow each change of the query.
    function parseParams(/** @type {any} */ state) {
        if (state.params === null) return;
        const search = searchOf(state);
        readParams(state.params).pairs = parseForm(StringPrototypeSlice(search, 1));
    }

    // The query need not be written for it.
    function searchParams(/** @type {unknown} */ url) {
        const state = stateOf(url);
        return state.params ??= usePart("searchParams").makeOf(state, StringPrototypeSlice(searchOf(state), 1));
    }

    function setHref(/** @type {unknown} */ url, /** @type {any} */ value) {
        const state = need(url), text = `${value}`;
        if (!setText(state, text)) refuse(text, undefined, null);
        parseParams(state);
    }

    const getter = (/** @type {(state: any) => string} */ get) => (/** @type {unknown} */ url) => get(need(url));
    const setter = (/** @type {(state: any, value: string, option: boolean) => void} */ set, option = false) => (
        /** @type {unknown} */ url, /** @type {any} */ value,
    ) => {
        const state = need(url);
        set(state, StringPrototypeToWellFormed(`${value}`), option);
    };

    // Returns the attributes for console, in the order of Node.
    function members(/** @type {unknown} */ url) {
        const state = need(url);
        /** @type {any} */
        const pairs = { __proto__: null, length: 0 };
        const add = (/** @type {string} */ name, /** @type {unknown} */ value) => {
            pairs[pairs.length] = { name, value };
            pairs.length += 1;
        };
        add("href", state.href);
        add("origin", originOf(state));
        add("protocol", schemeOf(state) + ":");
        add("username", usernameOf(state));
        add("password", passwordOf(state));
        add("host", hostOf(state));
        add("hostname", hostnameOf(state));
        add("port", portOf(state));
        add("pathname", pathOf(state));
        add("search", searchOf(state));
        add("searchParams", searchParams(url));
        add("hash", hashOf(state));
        return pairs;
    }

    return {
        __proto__: null, construct, parse, canParse, searchParams, setHref, members,
        href: (/** @type {unknown} */ url) => need(url).href,
        origin: getter(originOf),
        protocol: getter((state) => schemeOf(state) + ":"),
        username: getter(usernameOf), password: getter(passwordOf), host: getter(hostOf), hostname: getter(hostnameOf),
        port: getter(portOf), pathname: getter(pathOf), search: getter(searchOf), hash: getter(hashOf),
        setProtocol: setter(setProtocol), setUsername: setter(setUsername), setPassword: setter(setPassword),
        setHost: setter(setHost), setHostname: setter(setHost, true), setPort: setter(setPort),
        setPathname: setter(setPathname), setHash: setter(setHash),
        setSearch: setter((state, value) => {
            setSearch(state, value);
            parseParams(state);
        }),
    };
}
