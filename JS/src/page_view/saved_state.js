// The state of the view in this tab, so that a reload of the page continues (PG7).
const key = "jsbridge.view";
// The view is asked for its state when nothing has changed for this long.
const quiet = 400;

export class SavedState {
    /** @type {number | undefined} */
    #timer;
    #ask;

    constructor(/** @type {() => Promise<string>} */ ask) { this.#ask = ask; }

    get text() { return sessionStorage.getItem(key) ?? undefined; }

    changed() {
        window.clearTimeout(this.#timer);
        this.#timer = window.setTimeout(async () => {
            try {
                sessionStorage.setItem(key, await this.#ask());
            } catch { /* without a state, a reload begins at the start */ }
        }, quiet);
    }

    stop() { window.clearTimeout(this.#timer); }
}
