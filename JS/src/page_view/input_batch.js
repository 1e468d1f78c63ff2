// The inputs of a frame, in their order. Of neighbors that replace each other only the last is kept; all measured lengths
// are one input (PG17).
const replaced = new Set(["scroll", "resize", "filter", "search", "dragOver"]);
// The characters and the lengths of one list: the server takes messages of 64 KiB, and a character has up to three bytes.
const mostCharacters = 18000, mostLengths = 400;

export class InputBatch {
    /** @type {PageInput[]} */
    #inputs = [];
    /** @type {Map<number, number>} */
    #lengths = new Map();

    // The number of the last update that the page has applied, and the one that the session knows of.
    #applied = 0;
    #seen = 0;

    // Notes that an update was applied. Later inputs were made on what it shows, earlier ones were not.
    applied(/** @type {number} */ sequence) { this.#applied = sequence; }

    get lastApplied() { return this.#applied; }

    get isEmpty() { return this.#inputs.length === 0 && this.#lengths.size === 0; }

    add(/** @type {PageInput} */ input) {
        this.#removeReplaced(input);
        this.#see();
        this.#inputs.push(input);
    }

    // Removes the input that a later one replaces. During a drag at an edge, scrolls and moves alternate.
    #removeReplaced(/** @type {PageInput} */ input) {
        for (let index = this.#inputs.length - 1; index >= 0; index--) {
            const earlier = this.#inputs[index];
            if (replaces(input, earlier)) {
                this.#inputs.splice(index, 1);
                return;
            }
            if (!isPointing(input) || !isPointing(earlier)) return;
        }
    }

    #see() {
        if (this.#seen === this.#applied) return;
        this.#seen = this.#applied;
        this.#inputs.push(["seen", this.#seen]);
    }

    measure(/** @type {number} */ number, /** @type {number} */ length) { this.#lengths.set(number, length); }

    // Forgets the length of an element that is gone.
    forget(/** @type {number} */ number) { this.#lengths.delete(number); }

    // Returns the inputs, as many as fit into a message, and removes them. Lengths are last, because they are those of the
    // present elements.
    take() {
        let room = mostCharacters;
        const count = this.#inputs.findIndex((input) => (room -= JSON.stringify(input).length + 1) < 0);
        const inputs = this.#inputs.splice(0, count < 0 ? this.#inputs.length : Math.max(1, count));
        if (this.#lengths.size === 0 || this.#inputs.length > 0) return inputs;
        this.#see();
        const lengths = [...this.#lengths].slice(0, mostLengths);
        for (const [number] of lengths) this.#lengths.delete(number);
        return [...inputs, ...this.#inputs.splice(0), ["measure", lengths]];
    }
}

const isPointing = (/** @type {PageInput} */ [kind, phase]) => kind === "scroll" || kind === "seen" || kind === "dragOver" || kind === "drag" && phase === "move";

function replaces(/** @type {PageInput} */ next, /** @type {PageInput} */ last) {
    if (next[0] !== last[0]) return false;
    if (next[0] === "drag") return next[1] === "move" && last[1] === "move" && next[2] === last[2];
    return replaced.has(next[0]);
}
