// Made from JS/src/browser by Scripts/bundle-scripts. Change the sources, then run it.
(function (host, bundles) {
"use strict";
// browser/backoff.js
function makeBackoff({ first, longest, random }) {
    let attempts = 0;
    return {
        get attempts() { return attempts; },
        next() {
            const whole = Math.min(longest, first * 2 ** Math.min(attempts, 30));
            attempts++;
            return whole / 2 + whole / 2 * random();
        },
        reset() { attempts = 0; },
    };
}
// browser/scope.js
const names = [
    "Array", "ArrayBuffer", "BigInt", "Boolean", "DataView", "Date", "Error", "FinalizationRegistry", "Function", "Map",
    "Number", "Object", "Promise", "Proxy", "RangeError", "RegExp", "Set", "String", "Symbol", "TypeError", "Uint8Array",
    "WeakMap", "WeakRef", "decodeURIComponent", "encodeURIComponent",
];
function makeScope() {
    const scope = { __proto__: null };
    for (const name of names) scope[name] = (globalThis)[name];
    return scope;
}
// browser/side.js
function makeTimers(side) {
    const timers = new Map();
    return {
        start(id, milliseconds) {
            timers.set(id, window.setTimeout(() => {
                timers.delete(id);
                side.fireTimer?.(id);
            }, milliseconds));
        },
        stop(id) {
            window.clearTimeout(timers.get(id));
            timers.delete(id);
        },
        stopAll() {
            for (const timer of timers.values()) window.clearTimeout(timer);
            timers.clear();
        },
    };
}
const levels = new Set(["debug", "log", "info", "warn", "error"]);
function print(level, text) {
    (console)[levels.has(level) ? level : "log"](text);
}
function report(name, message, stack) {
    console.error(`${name}: ${message}\n${stack ?? ""}`);
}
function makeNative(
    side, exports, timers,
) {
    return {
        __proto__: null,
        call: (target, ...values) => target(...values),
        takeFailure: () => new Error("A function of the page failed."),
        now: () => performance.now(),
        growOutgoing: () => new Float64Array(64),
        growIncoming: () => new Float64Array(64),
        consumeValue() {},
        reportError: report,
        noteFailure() {},
        reportRejection: report,
        startTimer: timers.start,
        stopTimer: timers.stop,
        loadBundle(name) {
            const run = host.laterBundles[name];
            if (run === undefined) throw new Error(`The page has no bundle "${name}".`);
            run(side, exports);
        },
        print,
        displayWidth: (text) => text.length,
        usesColors: () => false,
        consoleColumns: () => 0,
        proxyTarget() {},
        promiseState() {},
        promiseResult() {},
    };
}
function makeEpoch() {
    const numbers = crypto.getRandomValues(new Uint32Array(2));
    return "0_" + [...numbers].map((number) => number.toString(16).padStart(8, "0")).join("");
}
const everything = 63;
const longestMessage = 65536;
function sendInParts(text, send) {
    if (text.length * 3 <= longestMessage || new TextEncoder().encode(text).length <= longestMessage) send(text);
    else for (const message of JSON.parse(text)) send(JSON.stringify([message]));
}
function makeSide(send) {
    const side = { __proto__: null };
    const exports = { __proto__: null };
    const timers = makeTimers(side);
    let isSignaled = false, isOver = false;
    const flush = () => {
        isSignaled = false;
        if (isOver) return;
        const text = side.takeQueue?.();
        if (text !== undefined && text !== "[]") sendInParts(text, send);
    };
    Object.assign(side, {
        native: makeNative(side, exports, timers),
        maximumDepth: 512, maximumNodes: 1000000, maximumPayloadBytes: 67108864, maximumTypedArrayBytes: Infinity,
        maximumCauses: 32, maximumReferences: 10000, maximumTopics: 1000, capturesAsyncStacks: false,
        mode: "text", epoch: makeEpoch(), defaultTimeout: 0, peerAccepts: everything,
        signal() {
            if (isSignaled || isOver) return;
            isSignaled = true;
            queueMicrotask(flush);
        },
    });
    const scope = makeScope();
    host.runBridge(scope, side, exports);
    side.installBridge?.();
    scope.WebViewJavascriptBridge.disableJavscriptAlertBoxSafetyTimeout();
    return {
        bridge: scope.bridge,
        receive(text) {
            let messages;
            try {
                messages = JSON.parse(text);
            } catch (error) {
                console.warn("A queue of messages is not JSON. " + error);
                return;
            }
            for (const message of Array.isArray(messages) ? messages : [messages]) side.takeMessage?.(message);
        },
        end(reason) {
            if (isOver) return;
            side.disconnect?.({ code: "disconnected", msg: reason });
            isOver = true;
            timers.stopAll();
        },
    };
}
// browser/connection.js
function keepConnected(
    { url, token, opened, lost },
) {
    const backoff = makeBackoff({ first: 200, longest: 8000, random: Math.random });
    let timer;
    let current;
    let isClosed = false;
    function connect() {
        timer = undefined;
        const socket = new WebSocket(url, ["jsbridge", "token." + token]);
        current = socket;
        let side;
        socket.onopen = () => {
            side = makeSide((text) => { if (socket.readyState === WebSocket.OPEN) socket.send(text); });
            opened(side.bridge, () => { backoff.reset(); });
        };
        socket.onmessage = ({ data }) => { if (typeof data === "string") side?.receive(data); };
        socket.onclose = ({ reason }) => {
            side?.end(reason === "" ? "The connection to the server was lost." : reason);
            if (isClosed || socket !== current) return;
            const wait = backoff.next();
            lost({ wasOpen: side !== undefined, attempts: backoff.attempts });
            timer = window.setTimeout(connect, wait);
        };
    }
    const hurry = () => {
        if (timer === undefined || document.hidden) return;
        window.clearTimeout(timer);
        connect();
    };
    document.addEventListener("visibilitychange", hurry);
    window.addEventListener("online", hurry);
    window.addEventListener("pagehide", () => { isClosed = true; });
    window.addEventListener("pageshow", ({ persisted }) => {
        if (!persisted) return;
        isClosed = false;
        if (timer === undefined) connect();
    });
    connect();
}
// browser/index.js

bundles.browser = {
    __proto__: null,
    keepConnected, makeBackoff, makeSide, sendInParts,
};
})
