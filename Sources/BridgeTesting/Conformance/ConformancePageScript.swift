/// The page's side of ``ConformancePage``.
enum ConformancePageScript {
    /// A function of the host's `note(kind, text)` that makes the page and gives what the host works it with.
    static let text = #"""
        (function (host) {
            "use strict";
            const global = globalThis;
            const { stringify } = JSON;
            const slice = Function.prototype.call.bind(String.prototype.slice);
            // Longer texts are of no use to anybody, and take the host's memory.
            const maximumLength = 8388608;
            const bounded = (text) => text.length > maximumLength ? slice(text, 0, maximumLength) : text;
            const tell = (kind, text) => host(kind, bounded(text));
            const timers = [];
            const memo = {};
            let lastTimer = 0;
            let time = 0;

            function show(value) {
                if (typeof value === "string") return value;
                if (typeof value === "function") return "function";
                const text = stringify(value);
                return text === undefined ? String(value) : text;
            }
            function note(...parts) { tell("line", parts.map(show).join(" ")); }
            function describe(error) {
                return error instanceof Error ? error.name + ": " + error.message : show(error);
            }
            const publish = (name, value) => Object.defineProperty(global, name, {
                value, writable: true, enumerable: false, configurable: true,
            });

            // ---- timers

            function start(callback, delay, values, repeats) {
                const milliseconds = Number(delay) > 0 ? Number(delay) : 0;
                // One that repeats is due at once the first time only: the clock stands still within a step.
                const every = repeats ? Math.max(milliseconds, 1) : undefined;
                timers.push({ id: ++lastTimer, at: time + milliseconds, every, run: () => callback(...values) });
                return lastTimer;
            }
            function stop(id) {
                const index = timers.findIndex((timer) => timer.id === id);
                if (index >= 0) timers.splice(index, 1);
            }
            publish("setTimeout", (callback, delay, ...values) => start(callback, delay, values, false));
            publish("setInterval", (callback, delay, ...values) => start(callback, delay, values, true));
            publish("clearTimeout", stop);
            publish("clearInterval", stop);
            publish("reportError", (error) => tell("line", "uncaught " + describe(error)));

            // ---- console

            for (const level of ["debug", "log", "info", "warn", "error"]) {
                console[level] = (...parts) => tell("log", level + " " + parts.map(show).join(" "));
            }

            // ---- the document: frames carry signals, all else is a tree without meaning

            function load(url) {
                const [, scheme, host] = /^([a-z]+):\/\/([^/?#:]*)/i.exec(url) ?? [];
                if (/^yy$/i.test(scheme ?? "")) {
                    const returned = /^yy:\/\/return\/_fetchQueue\/(.*)$/i.exec(url);
                    if (returned !== null) tell("line", "returned " + decodeURIComponent(returned[1]));
                    else tell("signal", url);
                    return;
                }
                const isBridges = scheme !== undefined && /^(https|wvjbscheme)$/i.test(scheme);
                if (isBridges && host.toLowerCase() === "__wvjb_queue_message__") tell("signal", url);
                else if (isBridges && host.toLowerCase() === "__bridge_loaded__") tell("load", url);
                else tell("line", "loads " + url);
            }

            class Target {
                #listeners = [];
                addEventListener(type, listener, options) {
                    this.removeEventListener(type, listener);
                    this.#listeners.push({ type, listener, isOnce: options?.once === true });
                }
                removeEventListener(type, listener) {
                    this.#listeners = this.#listeners.filter((one) => one.type !== type || one.listener !== listener);
                }
                dispatchEvent(event) {
                    for (const { type, listener, isOnce } of this.#listeners) {
                        if (type !== event.type) continue;
                        if (isOnce) this.removeEventListener(type, listener);
                        if (typeof listener === "function") listener.call(this, event);
                        else listener?.handleEvent(event);
                    }
                    return true;
                }
            }

            class Element extends Target {
                #parent = null;
                #src = "";
                #attributes = new Map();
                style = {};
                children = [];
                constructor(tagName) {
                    super();
                    this.tagName = tagName.toUpperCase();
                }
                get parentNode() { return this.#parent; }
                get parentElement() { return this.#parent; }
                get src() { return this.#src; }
                set src(url) {
                    this.#src = String(url);
                    if (this.#parent !== null) this.#load();
                }
                #load() { if (this.tagName === "IFRAME" && this.#src !== "") load(this.#src); }
                appendChild(child) { return this.insertBefore(child, null); }
                insertBefore(child, next) {
                    child.remove();
                    const index = this.children.indexOf(next);
                    this.children.splice(index < 0 ? this.children.length : index, 0, child);
                    child.#parent = this;
                    child.#load();
                    return child;
                }
                removeChild(child) {
                    const index = this.children.indexOf(child);
                    if (index < 0) throw new Error("The node to be removed is not a child of this node.");
                    this.children.splice(index, 1);
                    child.#parent = null;
                    return child;
                }
                remove() { this.#parent?.removeChild(this); }
                setAttribute(name, value) {
                    this.#attributes.set(name, String(value));
                    if (name !== "style") this[name] = value;
                }
                getAttribute(name) {
                    return name === "src" && this.#src !== "" ? this.#src : this.#attributes.get(name) ?? null;
                }
                getElementsByTagName(name) {
                    const isWanted = (element) => name === "*" || element.tagName === String(name).toUpperCase();
                    return this.children.flatMap((child) => [
                        ...isWanted(child) ? [child] : [], ...child.getElementsByTagName(name),
                    ]);
                }
            }

            const root = new Element("html");
            const all = new Element("#document");
            all.children.push(root);
            const location = {
                get href() { return "about:blank"; },
                set href(url) { load(String(url)); },
                protocol: "about:", host: "", hostname: "", pathname: "blank", search: "", hash: "", origin: "null",
            };
            publish("window", global);
            publish("self", global);
            publish("navigator", { userAgent: "", platform: "", language: "en" });
            publish("location", location);
            publish("document", Object.assign(new Target(), {
                documentElement: root,
                head: root.appendChild(new Element("head")),
                body: root.appendChild(new Element("body")),
                location,
                readyState: "complete",
                createElement: (tagName) => new Element(String(tagName)),
                createEvent: () => ({ initEvent(type) { this.type = type; } }),
                getElementsByTagName: (name) => all.getElementsByTagName(name),
                getElementById: (id) => all.getElementsByTagName("*").find((element) => element.id === id) ?? null,
                querySelector: (selector) => String(selector).startsWith("#")
                    ? document.getElementById(slice(String(selector), 1))
                    : all.getElementsByTagName(selector)[0] ?? null,
            }));
            const events = new Target();
            for (const name of ["addEventListener", "removeEventListener", "dispatchEvent"]) {
                publish(name, (...values) => events[name](...values));
            }

            // ---- the functions by which the pages of other dialects reach their native side

            publish("webkit", {
                messageHandlers: new Proxy({}, {
                    get: (_, name) => ({
                        postMessage(body) {
                            if (name === "iOS_Native_FlushMessageQueue") tell("signal", name);
                            else if (name === "iOS_Native_InjectJavascript") tell("load", name);
                            else note("posted", body);
                        },
                    }),
                }),
            });
            publish("WVJBInterface", { notice: (text) => note("posted", text) });
            publish("prompt", (title, text) => {
                note("asked", title, text);
                return memo.answer ?? null;
            });
            publish("_dsbridge", {
                call(name, text) {
                    note("called", name, text);
                    return memo.answer ?? "{\"code\":0,\"data\":\"\"}";
                },
            });

            // ---- what the host works the page with

            return {
                run(text, globalName) { (0, eval)(text)(global[globalName], note, memo); },
                deliver(globalName, entryName, message) { global[globalName][entryName](message); },
                fetch(globalName, fetchName) {
                    const fetched = global[globalName][fetchName]();
                    return typeof fetched === "string" ? bounded(fetched) : fetched;
                },
                runTimer() {
                    let next;
                    for (const timer of timers) {
                        if (timer.at <= time && (next === undefined || timer.at < next.at)) next = timer;
                    }
                    if (next === undefined) return false;
                    if (next.every === undefined) timers.splice(timers.indexOf(next), 1);
                    else next.at += next.every;
                    try { next.run(); } catch (error) { tell("line", "uncaught " + describe(error)); }
                    return true;
                },
                advance(milliseconds) { time += milliseconds; },
                timerCount: () => timers.length,
            };
        })
        """#
}
