// Nodes of elements that have left, for those that come. They are taken by the same shape first, because then only texts
// change.
const mostOfShape = 64;

export class ElementPool {
    /** @type {Map<string, ShownElement[]>} */
    #free = new Map();
    created = 0;
    reused = 0;

    take(/** @type {string} */ shape, /** @type {() => ShownElement} */ make) {
        const found = this.#free.get(shape)?.pop();
        if (found !== undefined) {
            this.reused++;
            return found;
        }
        this.created++;
        return make();
    }

    give(/** @type {ShownElement} */ element) {
        const list = this.#free.get(element.shape) ?? [];
        this.#free.set(element.shape, list);
        if (list.length < mostOfShape) list.push(element);
    }

    clear() { this.#free.clear(); }
}
