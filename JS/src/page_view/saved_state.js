// The state of the view in this tab, so that a reload of the page continues (PG7).
const key = "jsbridge.view";
// The view is asked for its state at most this often, also while it changes all the time.
const pauseOfSaving = 1000;
// A state is offered this often without an update that follows: it may be what the server cannot take.
const mostOffers = 2;

export class SavedState {
    /** @type {number | undefined} */
    #timer;
    #offers = 0;
    #ask;

    constructor(/** @type {() => Promise<string>} */ ask) { this.#ask = ask; }

    // Returns the state for a view that is opened.
    offer() {
        if (this.#offers === mostOffers) return undefined;
        this.#offers++;
        try {
            return sessionStorage.getItem(key) ?? undefined;
        } catch { return undefined; /* the user has forbidden it */ }
    }

    // The view was opened.
    accepted() { this.#offers = 0; }

    changed() {
        this.#timer ??= window.setTimeout(async () => {
            try {
                sessionStorage.setItem(key, await this.#ask());
            } catch { /* without a state, a reload begins at the start */ }
            this.#timer = undefined;
        }, pauseOfSaving);
    }

    stop() {
        window.clearTimeout(this.#timer);
        this.#timer = undefined;
    }
}
