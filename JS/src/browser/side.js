// The script's side of the bridge in a browser. The bundles are those of the engine; the members of their host that Swift
// installs elsewhere are functions of the browser here. Each connection has a side of its own, so that no pending call, id
// or reference of a lost one remains.
import { makeScope } from "./scope.js";

// The timers of a side, by the bundles' own numbers.
function makeTimers(/** @type {BrowserSide} */ side) {
    /** @type {Map<number, number>} */
    const timers = new Map();
    return {
        start(/** @type {number} */ id, /** @type {number} */ milliseconds) {
            timers.set(id, window.setTimeout(() => {
                timers.delete(id);
                side.fireTimer?.(id);
            }, milliseconds));
        },
        stop(/** @type {number} */ id) {
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

function print(/** @type {string} */ level, /** @type {string} */ text) {
    /** @type {any} */ (console)[levels.has(level) ? level : "log"](text);
}

// The parts of an error are those of `describeInto`.
function report(/** @type {unknown} */ name, /** @type {unknown} */ message, /** @type {unknown} */ stack) {
    console.error(`${name}: ${message}\n${stack ?? ""}`);
}

function makeNative(
    /** @type {BrowserSide} */ side, /** @type {object} */ exports, /** @type {ReturnType<typeof makeTimers>} */ timers,
) {
    return {
        __proto__: null,
        call: (/** @type {(...values: unknown[]) => unknown} */ target, /** @type {unknown[]} */ ...values) => target(...values),
        takeFailure: () => new Error("A function of the page failed."),
        now: () => performance.now(),
        // The cells of values in process, which a text wire never uses.
        growOutgoing: () => new Float64Array(64),
        growIncoming: () => new Float64Array(64),
        consumeValue() {},
        reportError: report,
        noteFailure() {},
        reportRejection: report,
        startTimer: timers.start,
        stopTimer: timers.stop,
        loadBundle(/** @type {string} */ name) {
            const run = host.laterBundles[name];
            if (run === undefined) throw new Error(`The page has no bundle "${name}".`);
            run(side, exports);
        },
        print,
        displayWidth: (/** @type {string} */ text) => text.length,
        usesColors: () => false,
        consoleColumns: () => 0,
        proxyTarget() {},
        promiseState() {},
        promiseResult() {},
    };
}

// Ids that another page cannot know, in the form of Protocol.md.
function makeEpoch() {
    const numbers = crypto.getRandomValues(new Uint32Array(2));
    return "0_" + [...numbers].map((number) => number.toString(16).padStart(8, "0")).join("");
}

// All extensions: the other side is of this package too (`accepts` of bridge/state.js).
const everything = 63;

// The bytes of a message that every server of this package takes.
const longestMessage = 65536;

// Sends a queue of messages, one by one if they are too long together: parts of files and inputs may be of one turn.
function sendInParts(/** @type {string} */ text, /** @type {(text: string) => void} */ send) {
    // A character has at most three bytes.
    if (text.length * 3 <= longestMessage || new TextEncoder().encode(text).length <= longestMessage) send(text);
    else for (const message of JSON.parse(text)) send(JSON.stringify([message]));
}

// Starts a side. `send` gets each queue of messages as the text of a JSON array. All messages of one turn of the page go
// together.
export function makeSide(/** @type {(text: string) => void} */ send) {
    /** @type {BrowserSide} */
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
    // A turn for each message would be a timer of 4 ms for each in a browser.
    scope.WebViewJavascriptBridge.disableJavscriptAlertBoxSafetyTimeout();
    return {
        /** @type {PageBridge} */
        bridge: scope.bridge,
        // Takes a queue of messages. A text that is not one is dropped: the messages in it are lost, and no others.
        receive(/** @type {string} */ text) {
            let messages;
            try {
                messages = JSON.parse(text);
            } catch (error) {
                console.warn("A queue of messages is not JSON. " + error);
                return;
            }
            for (const message of Array.isArray(messages) ? messages : [messages]) side.takeMessage?.(message);
        },
        // Ends everything that waits for the other side.
        end(/** @type {string} */ reason) {
            if (isOver) return;
            side.disconnect?.({ code: "disconnected", msg: reason });
            isOver = true;
            timers.stopAll();
        },
    };
}
