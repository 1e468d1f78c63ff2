// The longest ascending subsequence: what may stay where it is when a list is put in order with the fewest moves.

// Returns the places of a longest ascending subsequence of different numbers. Its cost is O(n log n).
export function longestAscent(/** @type {number[]} */ numbers) {
    // The place of the smallest end of an ascent of each length, and the place before each in its ascent.
    /** @type {number[]} */
    const ends = [];
    /** @type {number[]} */
    const before = [];
    for (let place = 0; place < numbers.length; place++) {
        let low = 0, high = ends.length;
        while (low < high) {
            const middle = (low + high) >> 1;
            if (numbers[ends[middle]] < numbers[place]) low = middle + 1;
            else high = middle;
        }
        before.push(low > 0 ? ends[low - 1] : -1);
        ends[low] = place;
    }
    const places = new Set();
    for (let place = ends.at(-1) ?? -1; place >= 0; place = before[place]) places.add(place);
    return places;
}
