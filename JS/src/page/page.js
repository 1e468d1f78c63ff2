// A page without a browser: `window`, a document whose frames carry signals, and the events of its lifecycle. It
// provides only the parts that scripts written for a web view use: it has no layout, drawing or fetching. The text
// transport has one page for its context, and the conformance check one for each vector.
import { globalTarget } from "../engine/events.js";
import { push } from "../engine/objects.js";
import {
    ArrayIsArray, ObjectDefineProperty, ReflectApply, makeSafeMap, String, StringPrototypeIncludes,
    StringPrototypeSlice, StringPrototypeToLowerCase, StringPrototypeToUpperCase, TypeError, global,
} from "../engine/primordials.js";
import { reportError } from "../engine/uncaught.js";

const { DOMException, Event, EventTarget, Function } = /** @type {any} */ (global);

const publish = (/** @type {string} */ name, /** @type {unknown} */ value) => ObjectDefineProperty(global, name, {
    __proto__: null, value, writable: true, enumerable: false, configurable: true,
});
const lowered = (/** @type {string} */ text) => StringPrototypeToLowerCase(String(text));
const isSpace = (/** @type {string} */ unit) => unit === " " || unit === "\n" || unit === "\t" || unit === "\r" || unit === "\f";

// Splits a string into words.
function wordsOf(/** @type {string} */ text) {
    /** @type {any} */
    const words = [];
    for (let start = 0; start < text.length;) {
        let end = start;
        while (end < text.length && !isSpace(text[end])) end++;
        if (end > start) push(words, StringPrototypeSlice(text, start, end));
        start = end + 1;
    }
    return words;
}

const has = (/** @type {string[]} */ words, /** @type {any} */ word) => {
    for (let index = 0; index < words.length; index++) if (words[index] === word) return true;
    return false;
};

// ---------------------------------------------------------------- selectors

const isNameUnit = (/** @type {string} */ unit) => !isSpace(unit) && !StringPrototypeIncludes("#.[]=,>*:\"'+~()", unit);

// Returns a list of alternatives, each a list of `{ tag, id, classes, attributes, isChild }` from left to right.
function parseSelector(/** @type {string} */ selector) {
    const text = String(selector);
    const refuse = () => new DOMException("\"" + text + "\" is not a selector that this page understands.", "SyntaxError");
    let at = 0;
    const skip = () => {
        const start = at;
        while (at < text.length && isSpace(text[at])) at++;
        return at > start;
    };
    const name = () => {
        const start = at;
        while (at < text.length && isNameUnit(text[at])) at++;
        if (at === start) throw refuse();
        return StringPrototypeSlice(text, start, at);
    };
    const value = () => {
        const quote = text[at];
        if (quote !== "\"" && quote !== "'") return name();
        const start = ++at;
        while (at < text.length && text[at] !== quote) at++;
        return StringPrototypeSlice(text, start, at++);
    };
    const compound = (/** @type {boolean} */ isChild) => {
        const part = { __proto__: null, tag: "*", id: null, classes: [], attributes: [], isChild };
        const start = at;
        if (text[at] === "*") at++;
        else if (at < text.length && isNameUnit(text[at])) part.tag = StringPrototypeToUpperCase(name());
        while (at < text.length && !isSpace(text[at]) && text[at] !== "," && text[at] !== ">") {
            const sign = text[at++];
            if (sign === "#") part.id = name();
            else if (sign === ".") push(part.classes, name());
            else if (sign === "[") {
                skip();
                const key = lowered(name());
                skip();
                let wanted = null;
                if (text[at] === "=") {
                    at++;
                    skip();
                    wanted = value();
                    skip();
                }
                if (text[at++] !== "]") throw refuse();
                push(part.attributes, { __proto__: null, key, wanted });
            } else throw refuse();
        }
        if (at === start) throw refuse();
        return part;
    };
    /** @type {any} */
    const alternatives = [];
    do {
        /** @type {any} */
        const parts = [];
        skip();
        push(parts, compound(false));
        for (;;) {
            const isApart = skip();
            if (at >= text.length || text[at] === ",") break;
            const isChild = text[at] === ">";
            if (isChild) {
                at++;
                skip();
            } else if (!isApart) throw refuse();
            push(parts, compound(isChild));
        }
        push(alternatives, parts);
    } while (text[at++] === ",");
    return alternatives;
}

// ---------------------------------------------------------------- elements

// Set by `makePage`: a context has one page.
/** @type {any} */
let pageHost;
/** @type {any} */
let documentElement;
let hasMarkup = false;

class Node extends EventTarget {
    /** @type {any} */
    #parent = null;
    /** @type {any} */
    #first = null;
    /** @type {any} */
    #last = null;
    /** @type {any} */
    #previous = null;
    /** @type {any} */
    #next = null;

    constructor() {
        super();
    }
    get parentNode() { return this.#parent; }
    get parentElement() { return this.#parent; }
    get firstChild() { return this.#first; }
    get nextSibling() { return this.#next; }
    get lastChild() { return this.#last; }
    get previousSibling() { return this.#previous; }
    get childNodes() {
        /** @type {any} */
        const list = [];
        for (let child = this.#first; child !== null; child = child.#next) push(list, child);
        return list;
    }
    get isConnected() {
        let outermost = this;
        while (outermost.#parent !== null) outermost = outermost.#parent;
        return outermost === documentElement;
    }
    contains(/** @type {any} */ other) {
        for (let node = other; node instanceof Node; node = node.#parent) if (node === this) return true;
        return false;
    }
    appendChild(/** @type {any} */ child) { return this.insertBefore(child, null); }
    insertBefore(/** @type {any} */ child, /** @type {any} */ next) {
        if (!(#parent in Object(child))) throw new TypeError("The child of an element must be a node.");
        if (child.contains(this)) {
            throw new DOMException("An element cannot contain itself.", "HierarchyRequestError");
        }
        child.remove();
        const following = next instanceof Node && next.#parent === this ? next : null;
        const previous = following === null ? this.#last : following.#previous;
        child.#parent = this;
        child.#previous = previous;
        child.#next = following;
        if (previous === null) this.#first = child;
        else previous.#next = child;
        if (following === null) this.#last = child;
        else following.#previous = child;
        if (this.isConnected) {
            for (let node = child; node !== null; node = Node.after(node, child)) Element.connected(node);
        }
        return child;
    }
    append(/** @type {any} */ child) { this.appendChild(typeof child === "string" ? new Text(child) : child); }
    removeChild(/** @type {any} */ child) {
        if (!(#parent in Object(child)) || child.#parent !== this) {
            throw new DOMException("The node to be removed is not a child of this node.", "NotFoundError");
        }
        child.remove();
        return child;
    }
    remove() {
        const parent = this.#parent;
        if (parent === null) return;
        if (this.#previous === null) parent.#first = this.#next;
        else this.#previous.#next = this.#next;
        if (this.#next === null) parent.#last = this.#previous;
        else this.#next.#previous = this.#previous;
        this.#parent = this.#previous = this.#next = null;
    }
    /** @returns {string} */
    get textContent() {
        let text = "";
        for (let node = Node.after(this, this); node !== null; node = Node.after(node, this)) {
            if (node instanceof Text) text += node.data;
        }
        return text;
    }
    set textContent(text) {
        while (this.#first !== null) this.#first.remove();
        if (String(text) !== "") this.appendChild(new Text(String(text)));
    }
    // Returns the next node in document order inside another node. The loop avoids recursion, because a script can
    // make a tree of any depth.
    static after(/** @type {any} */ node, /** @type {any} */ within) {
        if (node.#first !== null) return node.#first;
        while (node !== within) {
            if (node.#next !== null) return node.#next;
            node = node.#parent;
        }
        return null;
    }
}

class Text extends Node {
    constructor(/** @type {unknown} */ data) {
        super();
        this.data = String(data);
    }
    get nodeType() { return 3; }
    get nodeName() { return "#text"; }
    get textContent() { return this.data; }
    set textContent(text) { this.data = String(text); }
}

class Element extends Node {
    #attributes = makeSafeMap();
    /** @type {string | null} */
    #markup = null;
    style = {};

    constructor(/** @type {any} */ tagName) {
        super();
        this.tagName = StringPrototypeToUpperCase(tagName);
    }
    get nodeType() { return 1; }
    get nodeName() { return this.tagName; }
    get ownerDocument() { return global.document; }
    get children() {
        /** @type {any} */
        const list = [];
        for (let child = this.firstChild; child !== null; child = child.nextSibling) {
            if (child instanceof Element) push(list, child);
        }
        return list;
    }
    get firstElementChild() { return this.children[0] ?? null; }
    get src() { return this.getAttribute("src") ?? ""; }
    set src(url) { this.setAttribute("src", url); }
    get id() { return this.getAttribute("id") ?? ""; }
    set id(name) { this.setAttribute("id", name); }
    get className() { return this.getAttribute("class") ?? ""; }
    set className(names) { this.setAttribute("class", names); }
    get classList() {
        const list = {
            contains: (/** @type {string} */ name) => has(wordsOf(this.className), name),
            add: (/** @type {string} */ name) => { if (!list.contains(name)) this.className += (this.className === "" ? "" : " ") + name; },
            remove: (/** @type {string} */ name) => {
                const words = wordsOf(this.className);
                let rest = "";
                for (let index = 0; index < words.length; index++) {
                    if (words[index] !== name) rest += (rest === "" ? "" : " ") + words[index];
                }
                this.className = rest;
            },
            toggle: (/** @type {string} */ name) => {
                const wasThere = list.contains(name);
                if (wasThere) list.remove(name);
                else list.add(name);
                return !wasThere;
            },
        };
        return list;
    }
    getAttribute(/** @type {string} */ name) { return this.#attributes.get(lowered(name)) ?? null; }
    hasAttribute(/** @type {string} */ name) { return this.getAttribute(name) !== null; }
    removeAttribute(/** @type {string} */ name) { this.#attributes.delete(lowered(name)); }
    setAttribute(/** @type {string} */ name, /** @type {unknown} */ value) {
        const key = lowered(name);
        this.#attributes.set(key, String(value));
        if (key === "src" && this.isConnected) this.#load();
    }
    // Markup that a script writes is stored, not parsed.
    get innerHTML() { return this.#markup ?? this.textContent; }
    set innerHTML(markup) {
        this.textContent = "";
        this.#markup = String(markup);
    }
    /** @returns {string} */
    get innerText() { return this.textContent; }
    set innerText(text) { this.textContent = text; }

    getElementsByTagName(/** @type {string} */ name) { return this.querySelectorAll(String(name)); }
    getElementsByClassName(/** @type {string[]} */ names) {
        const words = wordsOf(String(names));
        /** @type {any} */
        const list = [];
        for (let node = Node.after(this, this); node !== null; node = Node.after(node, this)) {
            if (node instanceof Element && words.length > 0 && node.#hasClasses(words)) push(list, node);
        }
        return list;
    }
    querySelectorAll(/** @type {string} */ selector) {
        const alternatives = parseSelector(selector);
        /** @type {any} */
        const list = [];
        for (let node = Node.after(this, this); node !== null; node = Node.after(node, this)) {
            if (node instanceof Element && node.#matchesAny(alternatives)) push(list, node);
        }
        return list;
    }
    querySelector(/** @type {string} */ selector) { return Element.find(this, selector); }
    matches(/** @type {string} */ selector) { return this.#matchesAny(parseSelector(selector)); }
    closest(/** @type {string} */ selector) {
        const alternatives = parseSelector(selector);
        for (let /** @type {any} */ node = this; node !== null; node = node.parentElement) if (node.#matchesAny(alternatives)) return node;
        return null;
    }

    click() { this.dispatchEvent(new Event("click", { __proto__: null, cancelable: true })); }
    focus() { /* nothing has the focus */ }
    blur() { /* nothing has the focus */ }
    // The event handler of a property or attribute runs before the listeners.
    dispatchEvent(/** @type {any} */ event) {
        const type = "on" + event.type;
        let handler = this[type];
        const source = this.#attributes.get(type);
        try {
            if (typeof handler !== "function" && source !== undefined) handler = new Function("event", source);
            if (typeof handler === "function" && ReflectApply(handler, this, [event]) === false) event.preventDefault();
        } catch (error) {
            reportError(error);
        }
        return super.dispatchEvent(event);
    }

    #load() {
        const url = this.#attributes.get("src");
        if (this.tagName === "IFRAME" && url !== undefined && url !== "") pageHost.load(url);
    }
    #hasClasses(/** @type {any} */ wanted) {
        if (wanted.length === 0) return true;
        const words = wordsOf(this.className);
        for (let index = 0; index < wanted.length; index++) if (!has(words, wanted[index])) return false;
        return true;
    }
    #matchesPart(/** @type {any} */ part) {
        if (part.tag !== "*" && part.tag !== this.tagName) return false;
        if (part.id !== null && part.id !== this.id || !this.#hasClasses(part.classes)) return false;
        for (let index = 0; index < part.attributes.length; index++) {
            const { key, wanted } = part.attributes[index];
            const value = this.getAttribute(key);
            if (value === null || wanted !== null && value !== wanted) return false;
        }
        return true;
    }
    #matches(/** @type {any[]} */ parts, /** @type {any} */ last) {
        if (!this.#matchesPart(parts[last])) return false;
        if (last === 0) return true;
        for (let outer = this.parentElement; outer !== null; outer = outer.parentElement) {
            if (outer.#matches(parts, last - 1)) return true;
            if (parts[last].isChild) return false;
        }
        return false;
    }
    #matchesAny(/** @type {any} */ alternatives) {
        for (let index = 0; index < alternatives.length; index++) {
            if (this.#matches(alternatives[index], alternatives[index].length - 1)) return true;
        }
        return false;
    }
    static connected(/** @type {ListNode} */ node) { if (node instanceof Element) node.#load(); }
    static find(/** @type {any} */ root, /** @type {string} */ selector) {
        const alternatives = parseSelector(selector);
        for (let node = Node.after(root, root); node !== null; node = Node.after(node, root)) {
            if (node instanceof Element && node.#matchesAny(alternatives)) return node;
        }
        return null;
    }
    static withID(/** @type {any} */ root, /** @type {any} */ id) {
        for (let node = root; node !== null; node = Node.after(node, root)) {
            if (node instanceof Element && node.#attributes.get("id") === id) return node;
        }
        return null;
    }
}

// ---------------------------------------------------------------- the document

class Document extends EventTarget {
    documentElement = documentElement;
    head = this.documentElement.appendChild(new Element("head"));
    body = this.documentElement.appendChild(new Element("body"));
    readyState = "complete";
    currentScript = null;
    cookie = "";
    constructor() {
        super();
    }
    get nodeType() { return 9; }
    get location() { return global.location; }
    set location(url) { global.location = url; }
    get defaultView() { return global; }
    get title() { return Element.find(this.documentElement, "title")?.textContent ?? ""; }
    set title(text) {
        const title = Element.find(this.documentElement, "title") ?? this.head.appendChild(new Element("title"));
        title.textContent = text;
    }
    createElement(/** @type {any} */ tagName) { return new Element(String(tagName)); }
    createTextNode(/** @type {unknown} */ data) { return new Text(data); }
    createEvent() { return new Event(""); }
    getElementById(/** @type {any} */ id) {
        const name = String(id);
        const found = Element.withID(this.documentElement, name);
        if (found !== null || hasMarkup || !pageHost.makesElements) return found;
        const made = this.createElement("div");
        made.id = name;
        return this.body.appendChild(made);
    }
    getElementsByTagName(/** @type {string} */ name) {
        const list = this.documentElement.getElementsByTagName(name);
        if (!this.documentElement.matches(String(name))) return list;
        const all = [this.documentElement];
        for (let index = 0; index < list.length; index++) push(all, list[index]);
        return all;
    }
    getElementsByClassName(/** @type {string[]} */ names) { return this.documentElement.getElementsByClassName(names); }
    querySelector(/** @type {string} */ selector) {
        if (this.documentElement.matches(selector)) return this.documentElement;
        return this.documentElement.querySelector(selector);
    }
    querySelectorAll(/** @type {string} */ selector) { return this.documentElement.querySelectorAll(selector); }
}

// Calls the event handler that a page set on an object, and dispatches the event to its listeners.
function fireEvent(/** @type {any} */ target, /** @type {any} */ owner, /** @type {string} */ type) {
    const event = new Event(type);
    const handler = owner["on" + type];
    try {
        if (typeof handler === "function") ReflectApply(handler, owner, [event]);
    } catch (error) {
        reportError(error);
    }
    target.dispatchEvent(event);
}

// ---------------------------------------------------------------- the page

// Publishes the methods of a target as those of the window.
function publishListeners(/** @type {any} */ events) {
    publish("addEventListener", (
        /** @type {string} */ type, /** @type {(...values: any[]) => any} */ listener, /** @type {any} */ options,
    ) => { events.addEventListener(type, listener, options); });
    publish("removeEventListener", (
        /** @type {string} */ type, /** @type {(...values: any[]) => any} */ listener, /** @type {any} */ options,
    ) => { events.removeEventListener(type, listener, options); });
    publish("dispatchEvent", (/** @type {any} */ event) => events.dispatchEvent(event));
}

// Publishes a page on top of the host's functions. `load(url)` receives the URLs of frames in the document and of
// `location`, and `alert(text)` the texts of alerts. With `makesElements`, a lookup by id creates a missing element
// until the page has markup, for scripts whose markup is not here.
export function makePage(/** @type {any} */ given) {
    pageHost = given;
    documentElement = new Element("html");
    const load = (/** @type {string} */ url) => { pageHost.load(String(url)); };
    const location = {
        get href() { return "about:blank"; },
        set href(url) { load(url); },
        assign: load, replace: load, reload() { /* the host loads pages */ },
        protocol: "about:", host: "", hostname: "", pathname: "blank", search: "", hash: "", origin: "null",
        toString: () => "about:blank",
    };
    const document = new Document();
    const events = globalTarget.isOn ? global : new EventTarget();
    publish("window", global);
    publish("self", global);
    publish("navigator", { userAgent: "", platform: "", language: "en", languages: ["en"], onLine: false });
    ObjectDefineProperty(global, "location", {
        __proto__: null, get: () => location, set: load, enumerable: false, configurable: true,
    });
    publish("document", document);
    publish("alert", (/** @type {string} */ text) => { pageHost.alert(text === undefined ? "" : String(text)); });
    if (!globalTarget.isOn) publishListeners(events);

    let current = document.body;
    function open(/** @type {string} */ name, /** @type {any} */ attributes) {
        const known = name === "html" ? documentElement : name === "head" ? document.head : name === "body" ? document.body : null;
        const element = known ?? new Element(name);
        for (let index = 0; index < attributes.length; index += 2) {
            element.setAttribute(attributes[index], attributes[index + 1]);
        }
        if (known === null) current.appendChild(element);
        current = element;
    }

    return {
        // Adds elements to the document: `[name, attributes]` opens an element, a string is a text node, null
        // closes an element. Returns the element that was opened last.
        build(/** @type {any} */ tokens) {
            let last = null;
            for (let index = 0; index < tokens.length; index++) {
                const token = tokens[index];
                if (token === null) current = current.parentElement ?? documentElement;
                else if (ArrayIsArray(token)) {
                    open(token[0], token[1]);
                    last = current;
                } else current.appendChild(new Text(token));
            }
            return last;
        },
        begin() {
            hasMarkup = true;
            document.readyState = "loading";
            current = documentElement;
        },
        runs(/** @type {any} */ script) { document.currentScript = script; },
        // All of the markup is complete; the scripts that wait for it run now.
        interact() {
            document.currentScript = null;
            document.readyState = "interactive";
            fireEvent(document, document, "readystatechange");
        },
        endContent() {
            fireEvent(document, document, "DOMContentLoaded");
            fireEvent(events, {}, "DOMContentLoaded");
        },
        complete() {
            document.readyState = "complete";
            fireEvent(document, document, "readystatechange");
            const source = document.body.getAttribute("onload");
            if (typeof global.onload !== "function" && source !== null) {
                try { global.onload = new Function("event", source); } catch (error) { reportError(error); }
            }
            fireEvent(events, global, "load");
        },
    };
}
