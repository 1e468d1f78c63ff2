// Streams of batches as iterators of their items. A message for each line of a file would be slow.
import { freezeWhole } from "../engine/freezing.js";
import { settle } from "../bridge/handlers.js";
import { openStream } from "../bridge/streams.js";
import {
    ArrayIsArray, ObjectFreeze, ObjectGetPrototypeOf, ObjectSetPrototypeOf, Promise, PromiseResolve, SymbolAsyncIterator,
    SymbolToStringTag, TypeError,
} from "../engine/primordials.js";

// The number of batches that may be in transit: few, because each has many items.
const window = 2;

const key = { __proto__: null };

// An iterator for `for await`. Leaving the loop closes the stream.
class ItemIterator {
    #stream;
    /** @type {any[]} */
    #batch = [];
    #index = 0;
    #isReading = false;
    /** @type {{ run: () => void, next: any } | undefined} */
    #first;
    /** @type {any} */
    #last;
    constructor(/** @type {unknown} */ given, /** @type {any} */ stream) {
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
    // Runs the steps in the order of their calls: only one of them reads the stream.
    #runNext() {
        while (this.#first !== undefined && !this.#isReading) {
            const { run } = this.#first;
            this.#first = this.#first.next;
            run();
        }
    }
    #step(/** @type {any} */ resolve, /** @type {any} */ reject) {
        if (this.#index < this.#batch.length) {
            resolve({ value: this.#batch[this.#index++], done: false });
            return;
        }
        this.#isReading = true;
        settle(this.#stream.next(), (/** @type {any} */ result) => {
            this.#isReading = false;
            this.#batch = !result.done && ArrayIsArray(result.value) ? result.value : [];
            this.#index = 0;
            if (result.done) resolve({ value: undefined, done: true });
            else this.#step(resolve, reject);
            this.#runNext();
        }, (/** @type {unknown} */ error) => {
            this.#isReading = false;
            reject(error);
            this.#runNext();
        });
    }
    return(/** @type {unknown} */ value) {
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

// Opens the stream of a handler whose items are arrays, as an iterator of their elements.
export function openItems(/** @type {string} */ name, /** @type {unknown} */ request, /** @type {any} */ signal) {
    return new ItemIterator(key, openStream(name, request, { __proto__: null, window, timeout: 0, signal }));
}
