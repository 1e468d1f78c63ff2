class Queue {
    #first = [];
    #last = [];
    get count() { return this.#first.length + this.#last.length; }
    push(...values) { this.#last.push(...values); }
    shift() {
        if (this.#first.length === 0) [this.#first, this.#last] = [this.#last.reverse(), []];
        return this.#first.pop();
    }
    async *[Symbol.asyncIterator]() { while (this.count > 0) yield this.shift(); }
}
