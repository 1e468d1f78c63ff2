// Made from JS/src/page by Scripts/bundle-scripts. Change the sources, then run it.
(function (host, bundles) {
"use strict";
const {
    ArrayIsArray, ObjectDefineProperty, ReflectApply, String, StringPrototypeIncludes, StringPrototypeSlice,
    StringPrototypeToLowerCase, StringPrototypeToUpperCase, TypeError, global, globalTarget, makeSafeMap,
    publishToHost, push, reportError,
} = bundles.engine;
// page/page.js
const { DOMException, Event, EventTarget, Function } = (global);
const publish = (name, value) => ObjectDefineProperty(global, name, {
    __proto__: null, value, writable: true, enumerable: false, configurable: true,
});
const lowered = (text) => StringPrototypeToLowerCase(String(text));
const isSpace = (unit) => unit === " " || unit === "\n" || unit === "\t" || unit === "\r" || unit === "\f";
function wordsOf(text) {
    const words = [];
    for (let start = 0; start < text.length;) {
        let end = start;
        while (end < text.length && !isSpace(text[end])) end++;
        if (end > start) push(words, StringPrototypeSlice(text, start, end));
        start = end + 1;
    }
    return words;
}
const has = (words, word) => {
    for (let index = 0; index < words.length; index++) if (words[index] === word) return true;
    return false;
};
const isNameUnit = (unit) => !isSpace(unit) && !StringPrototypeIncludes("#.[]=,>*:\"'+~()", unit);
function parseSelector(selector) {
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
    const compound = (isChild) => {
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
    const alternatives = [];
    do {
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
let pageHost;
let documentElement;
let hasMarkup = false;
class Node extends EventTarget {
    #parent = null;
    #first = null;
    #last = null;
    #previous = null;
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
        const list = [];
        for (let child = this.#first; child !== null; child = child.#next) push(list, child);
        return list;
    }
    get isConnected() {
        let outermost = this;
        while (outermost.#parent !== null) outermost = outermost.#parent;
        return outermost === documentElement;
    }
    contains(other) {
        for (let node = other; node instanceof Node; node = node.#parent) if (node === this) return true;
        return false;
    }
    appendChild(child) { return this.insertBefore(child, null); }
    insertBefore(child, next) {
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
    append(child) { this.appendChild(typeof child === "string" ? new Text(child) : child); }
    removeChild(child) {
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
    static after(node, within) {
        if (node.#first !== null) return node.#first;
        while (node !== within) {
            if (node.#next !== null) return node.#next;
            node = node.#parent;
        }
        return null;
    }
}
class Text extends Node {
    constructor(data) {
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
    #markup = null;
    style = {};
    constructor(tagName) {
        super();
        this.tagName = StringPrototypeToUpperCase(tagName);
    }
    get nodeType() { return 1; }
    get nodeName() { return this.tagName; }
    get ownerDocument() { return global.document; }
    get children() {
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
            contains: (name) => has(wordsOf(this.className), name),
            add: (name) => { if (!list.contains(name)) this.className += (this.className === "" ? "" : " ") + name; },
            remove: (name) => {
                const words = wordsOf(this.className);
                let rest = "";
                for (let index = 0; index < words.length; index++) {
                    if (words[index] !== name) rest += (rest === "" ? "" : " ") + words[index];
                }
                this.className = rest;
            },
            toggle: (name) => {
                const wasThere = list.contains(name);
                if (wasThere) list.remove(name);
                else list.add(name);
                return !wasThere;
            },
        };
        return list;
    }
    getAttribute(name) { return this.#attributes.get(lowered(name)) ?? null; }
    hasAttribute(name) { return this.getAttribute(name) !== null; }
    removeAttribute(name) { this.#attributes.delete(lowered(name)); }
    setAttribute(name, value) {
        const key = lowered(name);
        this.#attributes.set(key, String(value));
        if (key === "src" && this.isConnected) this.#load();
    }
    get innerHTML() { return this.#markup ?? this.textContent; }
    set innerHTML(markup) {
        this.textContent = "";
        this.#markup = String(markup);
    }
    get innerText() { return this.textContent; }
    set innerText(text) { this.textContent = text; }
    getElementsByTagName(name) { return this.querySelectorAll(String(name)); }
    getElementsByClassName(names) {
        const words = wordsOf(String(names));
        const list = [];
        for (let node = Node.after(this, this); node !== null; node = Node.after(node, this)) {
            if (node instanceof Element && words.length > 0 && node.#hasClasses(words)) push(list, node);
        }
        return list;
    }
    querySelectorAll(selector) {
        const alternatives = parseSelector(selector);
        const list = [];
        for (let node = Node.after(this, this); node !== null; node = Node.after(node, this)) {
            if (node instanceof Element && node.#matchesAny(alternatives)) push(list, node);
        }
        return list;
    }
    querySelector(selector) { return Element.find(this, selector); }
    matches(selector) { return this.#matchesAny(parseSelector(selector)); }
    closest(selector) {
        const alternatives = parseSelector(selector);
        for (let node = this; node !== null; node = node.parentElement) if (node.#matchesAny(alternatives)) return node;
        return null;
    }
    click() { this.dispatchEvent(new Event("click", { __proto__: null, cancelable: true })); }
    focus() { }
    blur() { }
    dispatchEvent(event) {
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
    #hasClasses(wanted) {
        if (wanted.length === 0) return true;
        const words = wordsOf(this.className);
        for (let index = 0; index < wanted.length; index++) if (!has(words, wanted[index])) return false;
        return true;
    }
    #matchesPart(part) {
        if (part.tag !== "*" && part.tag !== this.tagName) return false;
        if (part.id !== null && part.id !== this.id || !this.#hasClasses(part.classes)) return false;
        for (let index = 0; index < part.attributes.length; index++) {
            const { key, wanted } = part.attributes[index];
            const value = this.getAttribute(key);
            if (value === null || wanted !== null && value !== wanted) return false;
        }
        return true;
    }
    #matches(parts, last) {
        if (!this.#matchesPart(parts[last])) return false;
        if (last === 0) return true;
        for (let outer = this.parentElement; outer !== null; outer = outer.parentElement) {
            if (outer.#matches(parts, last - 1)) return true;
            if (parts[last].isChild) return false;
        }
        return false;
    }
    #matchesAny(alternatives) {
        for (let index = 0; index < alternatives.length; index++) {
            if (this.#matches(alternatives[index], alternatives[index].length - 1)) return true;
        }
        return false;
    }
    static connected(node) { if (node instanceof Element) node.#load(); }
    static find(root, selector) {
        const alternatives = parseSelector(selector);
        for (let node = Node.after(root, root); node !== null; node = Node.after(node, root)) {
            if (node instanceof Element && node.#matchesAny(alternatives)) return node;
        }
        return null;
    }
    static withID(root, id) {
        for (let node = root; node !== null; node = Node.after(node, root)) {
            if (node instanceof Element && node.#attributes.get("id") === id) return node;
        }
        return null;
    }
}
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
    createElement(tagName) { return new Element(String(tagName)); }
    createTextNode(data) { return new Text(data); }
    createEvent() { return new Event(""); }
    getElementById(id) {
        const name = String(id);
        const found = Element.withID(this.documentElement, name);
        if (found !== null || hasMarkup || !pageHost.makesElements) return found;
        const made = this.createElement("div");
        made.id = name;
        return this.body.appendChild(made);
    }
    getElementsByTagName(name) {
        const list = this.documentElement.getElementsByTagName(name);
        if (!this.documentElement.matches(String(name))) return list;
        const all = [this.documentElement];
        for (let index = 0; index < list.length; index++) push(all, list[index]);
        return all;
    }
    getElementsByClassName(names) { return this.documentElement.getElementsByClassName(names); }
    querySelector(selector) {
        if (this.documentElement.matches(selector)) return this.documentElement;
        return this.documentElement.querySelector(selector);
    }
    querySelectorAll(selector) { return this.documentElement.querySelectorAll(selector); }
}
function fireEvent(target, owner, type) {
    const event = new Event(type);
    const handler = owner["on" + type];
    try {
        if (typeof handler === "function") ReflectApply(handler, owner, [event]);
    } catch (error) {
        reportError(error);
    }
    target.dispatchEvent(event);
}
function publishListeners(events) {
    publish("addEventListener", (
        type, listener, options,
    ) => { events.addEventListener(type, listener, options); });
    publish("removeEventListener", (
        type, listener, options,
    ) => { events.removeEventListener(type, listener, options); });
    publish("dispatchEvent", (event) => events.dispatchEvent(event));
}
function makePage(given) {
    pageHost = given;
    documentElement = new Element("html");
    const load = (url) => { pageHost.load(String(url)); };
    const location = {
        get href() { return "about:blank"; },
        set href(url) { load(url); },
        assign: load, replace: load, reload() { },
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
    publish("alert", (text) => { pageHost.alert(text === undefined ? "" : String(text)); });
    if (!globalTarget.isOn) publishListeners(events);
    let current = document.body;
    function open(name, attributes) {
        const known = name === "html" ? documentElement : name === "head" ? document.head : name === "body" ? document.body : null;
        const element = known ?? new Element(name);
        for (let index = 0; index < attributes.length; index += 2) {
            element.setAttribute(attributes[index], attributes[index + 1]);
        }
        if (known === null) current.appendChild(element);
        current = element;
    }
    return {
        build(tokens) {
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
        runs(script) { document.currentScript = script; },
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
// page/index.js
publishToHost({ __proto__: null, makePage });
bundles.page = {
    __proto__: null,
    makePage,
};
})
