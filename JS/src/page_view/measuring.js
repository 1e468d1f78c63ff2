// Lengths of elements whose content decides them (PG17). The page reports what it measured and shows what the native side
// answers.
//
// A length is reported once for each row of an element, and again if the native side then shows the row with another one:
// an element may show another row later.
/** @typedef {{ number: number, row: string, length: number, shown: number }} ReportedLength */

// Returns whether a length has to be reported, after the last report of the same element.
export function needsReport(
    /** @type {ReportedLength | undefined} */ last, /** @type {ReportedLength} */ now,
) {
    if (last === undefined || last.number !== now.number || last.row !== now.row) return true;
    const isSame = Math.abs(last.length - now.length) < 1 / 64, isAnswered = Math.abs(now.shown - now.length) < 1 / 64;
    return !isSame || !isAnswered && last.shown !== now.shown;
}

export class Measuring {
    #observer;
    /** @type {WeakMap<Element, ShownElement>} */
    #owners = new WeakMap();
    /** @type {WeakMap<ShownElement, ReportedLength>} */
    #reported = new WeakMap();
    isVertical = true;
    #forget;

    // `report` gets the length of an element, and `forget` the number of one that shows another row or none.
    constructor(
        /** @type {(number: number, length: number) => void} */ report, /** @type {(number: number) => void} */ forget,
    ) {
        this.#forget = forget;
        this.#observer = new ResizeObserver((entries) => {
            for (const { target, borderBoxSize } of entries) {
                const owner = this.#owners.get(target);
                if (owner === undefined || owner.data.measured !== true) continue;
                const length = this.isVertical ? borderBoxSize[0].blockSize : borderBoxSize[0].inlineSize;
                this.#take(owner, length, report);
            }
        });
    }

    #take(
        /** @type {ShownElement} */ owner, /** @type {number} */ length,
        /** @type {(number: number, length: number) => void} */ report,
    ) {
        // A node that is not shown has no length.
        if (length <= 0) return;
        const { n, path, frame } = owner.data;
        const now = { number: n, row: path.join("/"), length, shown: frame[this.isVertical ? 3 : 2] };
        const isNew = needsReport(this.#reported.get(owner), now);
        this.#reported.set(owner, now);
        if (isNew) report(n, length);
    }

    // Follows an element, also one whose node had another before.
    follow(/** @type {ShownElement} */ shown) {
        this.#observer.unobserve(shown.box);
        const last = this.#reported.get(shown), { n, path } = shown.data;
        if (last !== undefined && (last.number !== n || last.row !== path.join("/"))) this.#forget(last.number);
        if (shown.data.measured !== true) return;
        this.#owners.set(shown.box, shown);
        this.#observer.observe(shown.box);
    }

    unfollow(/** @type {ShownElement} */ shown) {
        this.#observer.unobserve(shown.box);
        this.#reported.delete(shown);
        this.#forget(shown.data.n);
    }
}
