// Changes for screen readers: politely, and at most one announcement in two seconds (PG19). What comes meanwhile is
// announced together.
const pause = 2000;

export class Announcer {
    #show;
    #wait;
    /** @type {string[]} */
    #waiting = [];
    #isPausing = false;

    constructor(
        /** @type {(text: string) => void} */ show, /** @type {(run: () => void, milliseconds: number) => void} */ wait,
    ) {
        this.#show = show;
        this.#wait = wait;
    }

    say(/** @type {string} */ text) {
        if (text === "" || this.#waiting.at(-1) === text) return;
        this.#waiting.push(text);
        // Older ones are out of date.
        if (this.#waiting.length > 3) this.#waiting.shift();
        if (!this.#isPausing) this.#announce();
    }

    #announce() {
        if (this.#waiting.length === 0) return;
        const text = this.#waiting.join(". ");
        this.#waiting = [];
        this.#isPausing = true;
        this.#show(text);
        this.#wait(() => {
            this.#isPausing = false;
            this.#announce();
        }, pause);
    }
}
