// The speed of a scroll in px/s, over the last tenth of a second.
export class Velocity {
    /** @type {{ time: number, offset: number }[]} */
    #samples = [];

    add(/** @type {number} */ time, /** @type {number} */ offset) {
        this.#samples.push({ time, offset });
        while (this.#samples.length > 2 && time - this.#samples[0].time > 100) this.#samples.shift();
        return this.#speed();
    }

    // After a jump of the page itself, which says nothing about the user.
    clear() { this.#samples = []; }

    #speed() {
        const first = this.#samples[0], last = this.#samples[this.#samples.length - 1];
        const time = last.time - first.time;
        return time <= 0 || time > 500 ? 0 : Math.round((last.offset - first.offset) / time * 1000);
    }
}
