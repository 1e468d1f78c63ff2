// Made from JS/src/system by Scripts/bundle-scripts. Change the sources, then run it.
(function (host, bundles) {
"use strict";
const {
    ArrayBufferIsView, ArrayIsArray, MathFloor, ObjectDefineProperty, ObjectFreeze, ObjectGetOwnPropertyDescriptor,
    ObjectGetPrototypeOf, ObjectHasOwn, ObjectSetPrototypeOf, Promise, PromiseReject, PromiseResolve, Proxy,
    StringPrototypeIncludes, StringPrototypeIndexOf, StringPrototypeIsWellFormed, StringPrototypeSlice,
    StringPrototypeStartsWith, StringPrototypeToLowerCase, SymbolAsyncIterator, SymbolToStringTag, TypeError,
    freezeWhole, global, isObject, publishToHost,
} = bundles.engine;
const {
    bytesOf, callSynchronously, callWithPromise, makeError, openStream, read, settle, textOf,
} = bundles.bridge;
// system/batches.js
const window = 2;
const key = { __proto__: null };
class ItemIterator {
    #stream;
    #batch = [];
    #index = 0;
    #isReading = false;
    #first;
    #last;
    constructor(given, stream) {
        if (given !== key) throw new TypeError("Illegal constructor");
        this.#stream = stream;
    }
    next() {
        return new Promise((resolve, reject) => {
            const waiter = { run: () => { this.#step(resolve, reject); }, next: undefined };
            if (this.#first === undefined) this.#first = waiter;
            else this.#last.next = waiter;
            this.#last = waiter;
            if (!this.#isReading) this.#runNext();
        });
    }
    #runNext() {
        while (this.#first !== undefined && !this.#isReading) {
            const { run } = this.#first;
            this.#first = this.#first.next;
            run();
        }
    }
    #step(resolve, reject) {
        if (this.#index < this.#batch.length) {
            resolve({ value: this.#batch[this.#index++], done: false });
            return;
        }
        this.#isReading = true;
        settle(this.#stream.next(), (result) => {
            this.#isReading = false;
            this.#batch = !result.done && ArrayIsArray(result.value) ? result.value : [];
            this.#index = 0;
            if (result.done) resolve({ value: undefined, done: true });
            else this.#step(resolve, reject);
            this.#runNext();
        }, (error) => {
            this.#isReading = false;
            reject(error);
            this.#runNext();
        });
    }
    return(value) {
        this.#batch = [];
        this.#stream.close();
        return PromiseResolve({ value, done: true });
    }
    [SymbolAsyncIterator]() { return this; }
    get [SymbolToStringTag]() { return "AsyncIterator"; }
}
ObjectSetPrototypeOf(ItemIterator.prototype, asyncIteratorPrototype());
freezeWhole(ItemIterator.prototype);
ObjectFreeze(ItemIterator);
function asyncIteratorPrototype() {
    return ObjectGetPrototypeOf(ObjectGetPrototypeOf((async function* () {}).prototype));
}
function openItems(name, request, signal) {
    return new ItemIterator(key, openStream(name, request, { __proto__: null, window, timeout: 0, signal }));
}
// system/paths.js
const { decodeURIComponent } = global;
function before(text, mark) {
    const index = StringPrototypeIndexOf(text, mark);
    return index < 0 ? text : StringPrototypeSlice(text, 0, index);
}
function pathOfURL(url) {
    if (!StringPrototypeStartsWith(url, "file:///")) {
        throw makeError("invalidArgument", "A URL of a file begins with \"file:///\"; this is " + textOf(url) + ".");
    }
    const encoded = StringPrototypeSlice(before(before(url, "?"), "#"), 7);
    if (StringPrototypeIncludes(StringPrototypeToLowerCase(encoded), "%2f")) {
        throw makeError("invalidArgument", "The URL of a file has an encoded slash: " + textOf(url) + ".");
    }
    try {
        return decodeURIComponent(encoded);
    } catch {
        throw makeError("invalidArgument", "The URL of a file is not UTF-8: " + textOf(url) + ".");
    }
}
function pathOf(value) {
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
// system/files.js
const prefix = "_wvjb.fs.";
function member(options, name) {
    return isObject(options) ? options[name] : undefined;
}
function call(name, makeRequest, options) {
    try {
        const signal = member(options, "signal");
        return callWithPromise(prefix + name, makeRequest(), { __proto__: null, timeout: 0, signal });
    } catch (error) {
        return PromiseReject(error);
    }
}
function flag(options, name) {
    const value = member(options, name);
    if (value === undefined || typeof value === "boolean") return value;
    throw makeError("invalidArgument", "The option \"" + name + "\" is a Boolean; this is " + textOf(value) + ".");
}
function modeOf(options) {
    const value = member(options, "mode");
    if (value === undefined || typeof value === "number") return value;
    throw makeError("invalidArgument", "A mode is an integer from 0 to 0o777; this is " + textOf(value) + ".");
}
function contentRequest(path, options, content) {
    return {
        path: pathOf(path), ...content,
        append: flag(options, "append"), create: flag(options, "create"), createNew: flag(options, "createNew"),
        mode: modeOf(options),
    };
}
function bytesFor(value) {
    const bytes = isObject(value) || ArrayBufferIsView(value) ? bytesOf(value) : undefined;
    if (bytes !== undefined) return bytes;
    throw makeError("invalidArgument", "Bytes are a Uint8Array, or another view or buffer; this is " + textOf(value) + ".");
}
function textFor(value) {
    if (typeof value === "string") return value;
    throw makeError("invalidArgument", "The text of a file is a string; this is " + textOf(value) + ".");
}
const members = {
    __proto__: null,
    readFile(path, options) {
        return call("readFile", () => ({ path: pathOf(path) }), options);
    },
    readTextFile(path, options) {
        return call("readTextFile", () => ({ path: pathOf(path) }), options);
    },
    readLines(path, options) {
        return openItems(prefix + "readLines", { path: pathOf(path) }, member(options, "signal"));
    },
    writeFile(path, bytes, options) {
        return call("writeFile", () => contentRequest(path, options, { __proto__: null, bytes: bytesFor(bytes) }), options);
    },
    writeTextFile(path, text, options) {
        return call("writeFile", () => contentRequest(path, options, { __proto__: null, text: textFor(text) }), options);
    },
    readDir(path, options) {
        return openItems(prefix + "readDir", { path: pathOf(path) }, member(options, "signal"));
    },
    stat(path, options) {
        return call("stat", () => ({ path: pathOf(path) }), options);
    },
    makeDir(path, options) {
        const request = () => ({ path: pathOf(path), recursive: flag(options, "recursive"), mode: modeOf(options) });
        return call("makeDir", request, options);
    },
    remove(path, options) {
        return call("remove", () => ({ path: pathOf(path), recursive: flag(options, "recursive") }), options);
    },
    rename(path, newPath, options) {
        return call("rename", () => ({ path: pathOf(path), to: pathOf(newPath) }), options);
    },
    copyFile(path, newPath, options) {
        return call("copyFile", () => ({ path: pathOf(path), to: pathOf(newPath) }), options);
    },
    watch(path, options) {
        return openItems(prefix + "watch", { path: pathOf(path) }, member(options, "signal"));
    },
};
const files = ObjectFreeze({ __proto__: null, ...freezeWhole(members), default: ObjectFreeze({ ...members }) });
// system/process.js
const streamPrefix = "_wvjb.process.";
function signalOf(options) {
    return isObject(options) ? options.signal : undefined;
}
function checkStatus(code) {
    if (typeof code === "number" && code >= 0 && code <= 255 && code === MathFloor(code)) return code;
    throw makeError("invalidArgument", "An exit status is an integer from 0 to 255; this is " + textOf(code) + ".");
}
function readChunks(signal) {
    let isOver = false;
    return freezeWhole({
        __proto__: null,
        next() {
            if (isOver) return PromiseResolve({ value: undefined, done: true });
            return new Promise((resolve, reject) => {
                const reading = callWithPromise(streamPrefix + "read", null, { __proto__: null, timeout: 0, signal });
                settle(reading, (bytes) => {
                    isOver = isOver || bytes.byteLength === 0;
                    resolve(isOver ? { value: undefined, done: true } : { value: bytes, done: false });
                }, reject);
            });
        },
        return(value) {
            isOver = true;
            return PromiseResolve({ value, done: true });
        },
        [SymbolAsyncIterator]() { return this; },
    });
}
const stdin = freezeWhole({
    __proto__: null,
    readLines(options) { return openItems(streamPrefix + "readLines", null, signalOf(options)); },
    chunks(options) { return readChunks(signalOf(options)); },
    [SymbolAsyncIterator]() { return readChunks(undefined); },
});
function makeOutput(stream) {
    return freezeWhole({
        __proto__: null,
        write(data, options) {
            try {
                const bytes = isObject(data) ? bytesOf(data) : undefined;
                if (bytes === undefined && typeof data !== "string") {
                    throw makeError("invalidArgument", "A string or bytes can be written; this is " + textOf(data) + ".");
                }
                const request = bytes === undefined ? { stream, text: data } : { stream, bytes };
                return callWithPromise(streamPrefix + "write", request, { __proto__: null, timeout: 0, signal: signalOf(options) });
            } catch (error) {
                return PromiseReject(error);
            }
        },
    });
}
let exitCode;
function environmentOf(names, values, asks) {
    const env = { __proto__: null };
    for (let index = 0; index < names.length; index++) {
        ObjectDefineProperty(env, names[index], { __proto__: null, value: values[index], enumerable: true });
    }
    if (!asks) return ObjectFreeze(env);
    const isKnown = (key) => typeof key === "symbol" || ObjectHasOwn(env, key);
    const read = (key) => isKnown(key) ? env[key] : callSynchronously(streamPrefix + "variable", key);
    return new Proxy(env, ObjectFreeze({
        __proto__: null,
        get(_, key) { return read(key); },
        has(_, key) { return read(key) !== undefined; },
        getOwnPropertyDescriptor(_, key) {
            if (isKnown(key)) return ObjectGetOwnPropertyDescriptor(env, key);
            const value = read(key);
            return value === undefined ? undefined : { __proto__: null, value, writable: false, enumerable: true, configurable: true };
        },
        set() { return false; },
        defineProperty() { return false; },
        deleteProperty() { return false; },
        setPrototypeOf() { return false; },
        preventExtensions() { return false; },
    }));
}
function makeProcess(given) {
    const members = freezeWhole({
        __proto__: null,
        argv: ObjectFreeze(given.argv), env: environmentOf(given.names, given.values, given.asks), platform: given.platform,
        stdin, stdout: makeOutput("output"), stderr: makeOutput("errorOutput"),
        exit(code) {
            const status = code === undefined ? exitCode ?? 0 : checkStatus(code);
            callSynchronously(streamPrefix + "exit", status);
            throw makeError("terminated", "The process has exited with status " + status + ".");
        },
    });
    const whole = { ...members };
    ObjectDefineProperty(whole, "exitCode", {
        __proto__: null, enumerable: true,
        get: () => exitCode,
        set: (code) => {
            checkStatus(code);
            callSynchronously(streamPrefix + "setExitCode", code);
            exitCode = code;
        },
    });
    return ObjectFreeze({ ...members, default: freezeWhole(whole) });
}
// system/index.js
let process;
publishToHost({
    __proto__: null,
    systemModule: (name, given) => {
        switch (name) {
        case "fs": return files;
        case "process": return process ??= makeProcess(given);
        }
    },
});
})
