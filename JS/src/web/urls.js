// URL and URLSearchParams by the URL Standard (https://url.spec.whatwg.org).
import { isObject } from "../engine/objects.js";
import {
    ObjectDefineProperty, ObjectGetOwnPropertyDescriptor, ObjectGetPrototypeOf, ObjectKeys, ReflectConstruct, SymbolIterator,
} from "../engine/primordials.js";
import { addReader } from "../engine/shown_members.js";
import { usePart } from "./parts.js";
import { publishClass } from "./publishing.js";

const useURL = () => usePart("url");
const useParams = () => usePart("searchParams");

// The objects are those of two classes, whose prototypes are the public ones: a private field that is added to an object
// of another constructor takes 350 ns of 800, and Reflect.construct 100 (measured on 2.50.6). No script reaches the classes.
let /** @type {any} */ stateOfURL, /** @type {any} */ stateOfParams;
class URLObject {
    #state;
    static {
        stateOfURL = (/** @type {any} */ value) => isObject(value) && #state in value ? value.#state : undefined;
    }
    constructor(/** @type {any} */ state) { this.#state = state; }
}
class ParamsObject {
    #state;
    static {
        stateOfParams = (/** @type {any} */ value) => isObject(value) && #state in value ? value.#state : undefined;
    }
    constructor(/** @type {any} */ state) { this.#state = state; }
}
export const readURL = stateOfURL, readParams = stateOfParams;
export const makeURL = (/** @type {any} */ newTarget, /** @type {any} */ state) =>
    newTarget === URL ? new URLObject(state) : ReflectConstruct(URLObject, [state], newTarget);
export const makeParams = (/** @type {any} */ newTarget, /** @type {any} */ state) =>
    newTarget === URLSearchParams ? new ParamsObject(state) : ReflectConstruct(ParamsObject, [state], newTarget);

function withMembers(/** @type {any} */ prototype, /** @type {object} */ members) {
    const names = ObjectKeys(members);
    for (let index = 0; index < names.length; index++) {
        const descriptor = /** @type {any} */ (ObjectGetOwnPropertyDescriptor(members, names[index]));
        ObjectDefineProperty(prototype, names[index], descriptor);
    }
    return prototype;
}

export function URL(/** @type {string} */ url, base = undefined) {
    return useURL().construct(new.target, arguments.length, url, base);
}
publishClass("URL", URL, withMembers(URLObject.prototype, {
    get href() { return useURL().href(this); },
    set href(value) { useURL().setHref(this, value); },
    get origin() { return useURL().origin(this); },
    get protocol() { return useURL().protocol(this); },
    set protocol(value) { useURL().setProtocol(this, value); },
    get username() { return useURL().username(this); },
    set username(value) { useURL().setUsername(this, value); },
    get password() { return useURL().password(this); },
    set password(value) { useURL().setPassword(this, value); },
    get host() { return useURL().host(this); },
    set host(value) { useURL().setHost(this, value); },
    get hostname() { return useURL().hostname(this); },
    set hostname(value) { useURL().setHostname(this, value); },
    get port() { return useURL().port(this); },
    set port(value) { useURL().setPort(this, value); },
    get pathname() { return useURL().pathname(this); },
    set pathname(value) { useURL().setPathname(this, value); },
    get search() { return useURL().search(this); },
    set search(value) { useURL().setSearch(this, value); },
    get searchParams() { return useURL().searchParams(this); },
    get hash() { return useURL().hash(this); },
    set hash(value) { useURL().setHash(this, value); },
    toString() { return useURL().href(this); },
    toJSON() { return useURL().href(this); },
}));
const statics = {
    parse(/** @type {string} */ url, base = undefined) { return useURL().parse(arguments.length, url, base); },
    canParse(/** @type {string} */ url, base = undefined) { return useURL().canParse(arguments.length, url, base); },
};
const { parse, canParse } = statics;
ObjectDefineProperty(URL, "parse", { __proto__: null, value: parse, writable: true, enumerable: true, configurable: true });
ObjectDefineProperty(URL, "canParse", { __proto__: null, value: canParse, writable: true, enumerable: true, configurable: true });

// The prototype of the prototypes of all iterators.
export const IteratorPrototype = ObjectGetPrototypeOf(ObjectGetPrototypeOf(/** @type {any} */ ([])[SymbolIterator]()));

export function URLSearchParams(init = undefined) { return useParams().construct(new.target, init); }
publishClass("URLSearchParams", URLSearchParams, withMembers(ParamsObject.prototype, {
    get size() { return useParams().size(this); },
    append(/** @type {string} */ name, /** @type {string} */ value) { useParams().append(this, arguments.length, name, value); },
    delete(/** @type {string} */ name, value = undefined) { useParams().remove(this, arguments.length, name, value); },
    get(/** @type {string} */ name) { return useParams().get(this, arguments.length, name); },
    getAll(/** @type {string} */ name) { return useParams().getAll(this, arguments.length, name); },
    has(/** @type {string} */ name, value = undefined) { return useParams().has(this, arguments.length, name, value); },
    set(/** @type {string} */ name, /** @type {string} */ value) { useParams().set(this, arguments.length, name, value); },
    sort() { useParams().sort(this); },
    toString() { return useParams().toString(this); },
    entries() { return useParams().entries(this); },
    forEach(/** @type {(value: string, name: string, params: object) => void} */ callback, thisArg = undefined) {
        useParams().forEach(this, arguments.length, callback, thisArg);
    },
    keys() { return useParams().keys(this); },
    values() { return useParams().values(this); },
}));
ObjectDefineProperty(URLSearchParams.prototype, SymbolIterator, {
    __proto__: null, value: URLSearchParams.prototype.entries, writable: true, enumerable: false, configurable: true,
});

addReader((/** @type {unknown} */ value) => {
    if (stateOfURL(value) !== undefined) return { __proto__: null, isMap: false, pairs: useURL().members(value) };
    const params = stateOfParams(value);
    return params === undefined ? undefined : { __proto__: null, isMap: true, pairs: params.pairs };
});
