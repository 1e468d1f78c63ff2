// The inputs of a frame, in their order. Of neighbors that replace each other only the last is kept; all measured lengths
// are one input (PG17).
const replaced = new Set(["scroll", "resize", "filter", "search"]);

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

    get isEmpty() { return this.#inputs.length === 0 && this.#lengths.size === 0; }

    add(/** @type {PageInput} */ input) {
        const last = this.#inputs.at(-1);
        if (this.#seen === this.#applied) {
            if (last !== undefined && replaces(input, last)) this.#inputs[this.#inputs.length - 1] = input;
            else this.#inputs.push(input);
            return;
        }
        if (last !== undefined && replaces(input, last)) this.#inputs.pop();
        this.#see();
        this.#inputs.push(input);
    }

    #see() {
        if (this.#seen === this.#applied) return;
        this.#seen = this.#applied;
        this.#inputs.push(["seen", this.#seen]);
    }

    measure(/** @type {number} */ number, /** @type {number} */ length) { this.#lengths.set(number, length); }

    // Forgets the length of an element that is gone.
    forget(/** @type {number} */ number) { this.#lengths.delete(number); }

    // Returns the inputs and empties the batch. Lengths are last, because they are those of the present elements.
    take() {
        if (this.#lengths.size > 0) this.#see();
        const inputs = this.#inputs;
        if (this.#lengths.size > 0) inputs.push(["measure", [...this.#lengths]]);
        this.#inputs = [];
        this.#lengths = new Map();
        return inputs;
    }
}

function replaces(/** @type {PageInput} */ next, /** @type {PageInput} */ last) {
    if (next[0] !== last[0]) return false;
    if (next[0] === "drag") return next[1] === "move" && last[1] === "move" && next[2] === last[2];
    return replaced.has(next[0]);
}
